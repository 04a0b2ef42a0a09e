import ByteDecoding

/// Builds a FIT file from messages (FIT Protocol, "FIT File Structure").
///
/// A definition precedes its messages, and is written again only when fields change.
struct FITWriter {
    /// The versions of the FIT protocol, 2.0, and of the FIT profile.
    private static let protocolVersion: UInt8 = 0x20
    private static let profileVersion: UInt16 = 21_178
    private static let isDefinition: UInt8 = 0x40

    private var data: [UInt8] = []
    private var definitions: [FITMessageKind: [UInt8]] = [:]

    mutating func append(_ kind: FITMessageKind, _ fields: [FITField]) {
        var definition: [UInt8] = [Self.isDefinition | kind.local, 0, 0]
        definition.append(littleEndian: kind.rawValue)
        definition.append(UInt8(truncatingIfNeeded: fields.count))
        for field in fields {
            definition.append(field.number)
            definition.append(UInt8(truncatingIfNeeded: field.bytes.count))
            definition.append(field.type.rawValue)
        }
        if definitions[kind] != definition {
            data += definition
            definitions[kind] = definition
        }
        data.append(kind.local)
        for field in fields { data += field.bytes }
    }

    /// Returns the whole file: header, messages, checksum.
    func file() -> [UInt8] {
        var file: [UInt8] = [14, Self.protocolVersion]
        file.append(littleEndian: Self.profileVersion)
        // 64 MiB of samples need far less than 4 GiB.
        file.append(littleEndian: UInt32(truncatingIfNeeded: data.count))
        file += Array(".FIT".utf8)
        file.append(littleEndian: UInt16(truncatingIfNeeded: CRC.crc16ARC.checksum(file)))
        file += data
        file.append(littleEndian: UInt16(truncatingIfNeeded: CRC.crc16ARC.checksum(file)))
        return file
    }
}

/// The FIT messages in use, by their number in the FIT Profile.
enum FITMessageKind: UInt16, CaseIterable {
    case fileID = 0
    case sport = 12
    case session = 18
    case lap = 19
    case record = 20
    case event = 21
    case deviceInfo = 23
    case activity = 34
    case fileCreator = 49
    case heartRateVariability = 78
    case storedHeartRate = 132
    case timestampCorrelation = 162

    /// The local message number, 0 to 15.
    var local: UInt8 {
        UInt8(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0)
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order.
    mutating func append(littleEndian number: some FixedWidthInteger) {
        var rest = number
        for _ in 0..<(number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
