/// A cache of recently decoded values, each with its JSON.
///
/// A stream repeats the same device, unit and type in every record. The JSON of an object or a
/// string is self-delimiting, so the same bytes are always the same value.
package struct RecentValues<Value: Sendable>: Sendable {
    private static var maximumCount: Int { 8 }
    private static var maximumJSONSize: Int { 4_096 }

    private var entries: [(json: [UInt8], value: Value)] = []
    private var oldest = 0

    /// Makes an empty cache.
    package init() {}

    /// Reads the next value, from the cache if possible.
    package mutating func read(
        _ cursor: inout JSONCursor,
        orMake make: (inout JSONCursor) throws(RecordDecodingError) -> Value
    ) throws(RecordDecodingError) -> Value {
        for entry in entries {
            if entry.json.withUnsafeBytes({ cursor.take(exactly: $0) }) { return entry.value }
        }
        cursor.skipSpace()
        let start = cursor.position
        let value = try make(&cursor)
        store(
            value, readFrom: UnsafeRawBufferPointer(rebasing: cursor.bytes[start..<cursor.position])
        )
        return value
    }

    private mutating func store(_ value: Value, readFrom json: UnsafeRawBufferPointer) {
        guard json.count <= Self.maximumJSONSize else { return }
        if entries.count < Self.maximumCount {
            entries.append((Array(json), value))
        } else {
            entries[oldest] = (Array(json), value)
            oldest = (oldest + 1) % Self.maximumCount
        }
    }
}
