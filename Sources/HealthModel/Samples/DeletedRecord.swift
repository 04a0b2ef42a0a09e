import JSON

/// The deletion of a record, which is forwarded to sinks and other stores.
///
/// It has no value, no time of the record and no person. HealthKit names it `HKDeletedObject`.
public struct DeletedRecord: Hashable, Sendable {
    /// The id of the record that was deleted.
    public let id: RecordID
    /// The name of its type; nil for a device event.
    public let typeName: String?
    /// When it was deleted.
    public let at: Instant
    /// The random number of the store that it was deleted from; nil when it is unknown.
    ///
    /// That store may have the record again, so that it leaves a deletion of its own alone.
    public let store: UInt64?

    /// Makes a value from its parts.
    public init(id: RecordID, typeName: String?, at: Instant, store: UInt64? = nil) {
        self.id = id
        self.typeName = typeName
        self.at = at
        self.store = store
    }
}

extension RecordEncoder {
    /// The start of the line of a deletion, by which it is known without decoding.
    package static let deletionStart = Array("{\"kind\":\"deletion\",".utf8)

    static func append(_ deleted: DeletedRecord, to buffer: inout [UInt8]) {
        buffer += deletionStart
        buffer.append("\"id\":\"")
        deleted.id.append(to: &buffer)
        buffer.append(UInt8(ascii: "\""))
        if let type = deleted.typeName {
            buffer.append(",\"type\":")
            buffer.appendJSONString(type)
        }
        buffer.append(",\"at\":\"")
        deleted.at.appendISO8601(to: &buffer)
        buffer.append(UInt8(ascii: "\""))
        if let store = deleted.store {
            buffer.append(",\"store\":")
            buffer.appendJSONString(String(store, radix: 16))
        }
        buffer.append(UInt8(ascii: "}"))
    }
}

extension JSONCursor {
    /// Reads the number of a store.
    mutating func readStore() throws(RecordDecodingError) -> UInt64 {
        let (text, start) = try readPlainText(for: "store")
        guard let store = UInt64(text, radix: 16) else {
            throw .invalidValue(key: "store", expected: "a hexadecimal number", offset: start)
        }
        return store
    }
}
