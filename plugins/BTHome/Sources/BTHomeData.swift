import ByteDecoding

/// The objects in the service data of BTHome v2 (BTHome v2, "Data format").
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

    /// The objects, in order.
    let entries: [Entry]
    /// Whether an unknown object was found: its length is unknown, so what follows it is not read.
    let hasUnknown: Bool

    /// Reads the objects of service data.
    ///
    /// - Throws: ``ByteDecodingError`` for a truncated object.
    init(objects: ArraySlice<UInt8>) throws(ByteDecodingError) {
        var reader = ByteReader(Array(objects))
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
