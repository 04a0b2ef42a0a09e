import ByteDecoding

/// The service data of BTHome v2: a byte of information, and objects (BTHome v2, "Data format").
struct BTHomeData: Hashable, Sendable {
    /// An object with its bytes, lowest first.
    struct Entry: Hashable, Sendable {
        let id: UInt8
        let bytes: [UInt8]

        /// The bytes as a number.
        func number(isSigned: Bool) -> Int64 {
            let unsigned = bytes.prefix(4).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let isNegative = isSigned && (bytes.last ?? 0) & 0x80 != 0
            return isNegative ? unsigned - (1 << (8 * Int64(bytes.count))) : unsigned
        }
    }

    /// The version of the format.
    private static let version: UInt8 = 2

    /// The objects, in order.
    let entries: [Entry]
    /// Whether an unknown object was found: its length is unknown, so what follows it is not read.
    let hasUnknown: Bool

    /// Reads service data that is not encrypted.
    ///
    /// - Throws: ``ByteDecodingError`` for another version, encrypted data or a truncated object.
    init(_ value: [UInt8]) throws(ByteDecodingError) {
        var reader = ByteReader(value)
        let information = BitFlags(try reader.uint8())
        guard information.rawValue >> 5 == Self.version else { throw .unknown }
        guard !information[0] else { throw .unknown }
        // The address of the device, when another one has sent the data for it.
        if information[1] { try reader.skip(6) }
        var entries: [Entry] = []
        var hasUnknown = false
        while reader.remainingCount > 0 {
            let id = try reader.uint8()
            guard let length = try Self.length(of: id, &reader) else {
                hasUnknown = true
                break
            }
            entries.append(Entry(id: id, bytes: Array(try reader.bytes(length))))
        }
        self.entries = entries
        self.hasUnknown = hasUnknown
    }

    private static func length(
        of id: UInt8, _ reader: inout ByteReader
    ) throws(ByteDecodingError) -> Int? {
        if BTHomeObject.variable.contains(id) { return Int(try reader.uint8()) }
        return BTHomeObject.all[id]?.length
    }
}
