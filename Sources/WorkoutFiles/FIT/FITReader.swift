import ByteDecoding

/// Splits a FIT file into messages (FIT Protocol, "FIT File Structure").
///
/// Every length is checked before use. Only the file and up to 16 definitions are held, so memory
/// is bounded by the file.
struct FITReader {
    /// A field of a definition.
    struct Field {
        let number: UInt8
        let offset: Int
        let size: Int
        /// The type; nil for an unknown type, whose field is skipped.
        let type: FITBaseType?
    }

    /// The layout of a message.
    struct Definition {
        let number: UInt16
        let isBigEndian: Bool
        var fields: [Field] = []
        /// The size of the message, developer fields at its end included.
        var size = 0
    }

    private static let shortHeader = 12
    private static let longHeader = 14
    private static let checksumSize = 2
    /// The timestamp field of every message.
    private static let timestamp: UInt8 = 253

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int
    private var definitions = [Definition?](repeating: nil, count: 16)
    /// The reference of compressed timestamps.
    private var lastTime: UInt32?

    /// Whether bytes start like a FIT file.
    static func isFIT(_ bytes: [UInt8]) -> Bool {
        bytes.count >= shortHeader && bytes[8..<12].elementsEqual(".FIT".utf8)
    }

    /// Checks header and checksums.
    init(_ bytes: [UInt8]) throws(WorkoutFileError) {
        guard Self.isFIT(bytes) else { throw .unknownFormat }
        let header = Int(bytes[0])
        guard header == Self.shortHeader || header == Self.longHeader, header <= bytes.count else {
            throw .corrupt("invalid header length")
        }
        if header == Self.longHeader {
            let checksum = UInt32(bytes[12]) | UInt32(bytes[13]) << 8
            // A header may omit its own checksum.
            guard checksum == 0 || checksum == CRC.crc16ARC.checksum(bytes[..<12]) else {
                throw .checksum
            }
        }
        let size = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
        guard size <= bytes.count - header - Self.checksumSize else {
            throw .corrupt("unexpected end of file")
        }
        end = header + size
        guard bytes.count == end + Self.checksumSize else {
            throw .corrupt("extra data after the end")
        }
        let checksum = UInt32(bytes[end]) | UInt32(bytes[end + 1]) << 8
        guard checksum == CRC.crc16ARC.checksum(bytes[..<end]) else { throw .checksum }
        self.bytes = bytes
        position = header
    }

    /// The next message; nil at the end.
    mutating func next() throws(WorkoutFileError) -> FITMessage? {
        while position < end {
            let header = try readByte()
            if header & 0x80 != 0 {
                let time = compressedTime(header & 0x1F)
                return try message(local: Int(header >> 5 & 0x03), time: time)
            }
            if header & 0x40 == 0 { return try message(local: Int(header & 0x0F), time: nil) }
            try define(local: Int(header & 0x0F), hasDeveloperFields: header & 0x20 != 0)
        }
        return nil
    }

    private mutating func define(
        local: Int, hasDeveloperFields: Bool
    ) throws(WorkoutFileError) {
        _ = try readByte()  // reserved
        let isBigEndian = try readByte() == 1
        let (first, second) = (UInt16(try readByte()), UInt16(try readByte()))
        let number = isBigEndian ? first << 8 | second : second << 8 | first
        var definition = Definition(number: number, isBigEndian: isBigEndian)
        for _ in 0..<(try readByte()) {
            let (number, size, type) = (try readByte(), Int(try readByte()), try readByte())
            // Skip fields without bytes: a byte of the file must not cost 255 of them.
            guard size > 0 else { continue }
            definition.fields.append(
                Field(
                    number: number, offset: definition.size, size: size,
                    type: FITBaseType(rawValue: type)))
            definition.size += size
        }
        if hasDeveloperFields {
            for _ in 0..<(try readByte()) {
                let (_, size, _) = (try readByte(), Int(try readByte()), try readByte())
                definition.size += size
            }
        }
        definitions[local] = definition
    }

    private mutating func message(
        local: Int, time: UInt32?
    ) throws(WorkoutFileError) -> FITMessage {
        guard let definition = definitions[local] else {
            throw .corrupt("message without definition")
        }
        guard definition.size <= end - position else { throw .corrupt("truncated message") }
        let message = FITMessage(
            definition: definition, bytes: bytes[position..<position + definition.size], time: time)
        position += definition.size
        if let time = message.number(Self.timestamp), let time = UInt32(exactly: time) {
            lastTime = time
        }
        return message
    }

    /// The next time with these last five bits (FIT Protocol, "Compressed Timestamp Header").
    private mutating func compressedTime(_ bits: UInt8) -> UInt32? {
        guard let last = lastTime else { return nil }
        let time = last &+ ((UInt32(bits) &- last) & 0x1F)
        lastTime = time
        return time
    }

    private mutating func readByte() throws(WorkoutFileError) -> UInt8 {
        guard position < end else { throw .corrupt("truncated definition") }
        defer { position += 1 }
        return bytes[position]
    }
}

/// A message of a FIT file, whose fields are decoded on access.
struct FITMessage {
    let definition: FITReader.Definition
    let bytes: ArraySlice<UInt8>
    /// The time of a compressed timestamp header.
    let time: UInt32?

    /// The kind; nil for an unknown message.
    var kind: FITMessageKind? { FITMessageKind(rawValue: definition.number) }

    /// The time, in seconds since 1970.
    var second: Int64? { FITTime.second(time.map(Double.init) ?? number(253)) }

    /// The first number of a field; nil when the field or its value is missing.
    func number(_ number: UInt8) -> Double? { numbers(number).first ?? nil }

    /// The whole number of a field, such as an enumeration value.
    func integer(_ number: UInt8) -> Int? { self.number(number).flatMap { Int(exactly: $0) } }

    /// All numbers of a field.
    func numbers(_ number: UInt8) -> [Double?] {
        guard let field = definition.fields.first(where: { $0.number == number }),
            let type = field.type, field.size % type.size == 0
        else { return [] }
        return stride(from: 0, to: field.size, by: type.size).map { offset in
            let start = bytes.startIndex + field.offset + offset
            let value = bytes[start..<start + type.size]
            let bits =
                definition.isBigEndian
                ? value.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                : value.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return type.number(bits)
        }
    }

    /// The text of a field; nil when it is missing or empty.
    func text(_ number: UInt8) -> String? {
        guard let field = definition.fields.first(where: { $0.number == number }),
            field.type == .string
        else { return nil }
        let start = bytes.startIndex + field.offset
        let text = bytes[start..<start + field.size].prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// The number of fields without some known ones.
    func count(besides known: Set<UInt8>) -> Int {
        definition.fields.count { !known.contains($0.number) }
    }
}
