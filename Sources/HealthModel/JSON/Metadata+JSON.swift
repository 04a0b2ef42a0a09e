extension Metadata {
    /// The metadata as a JSON object, written as in a record.
    public var json: String {
        guard !isEmpty else { return "{}" }
        var buffer: [UInt8] = []
        RecordEncoder.append(self, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads metadata from a JSON object, as strictly as in a record.
    /// - Throws: the problem and its offset, never a value.
    public init(json: String) throws(RecordDecodingError) {
        self = try Self.read(json, followingRules: true).get()
    }

    /// Reads metadata that was already accepted, perhaps by an earlier version with other rules.
    /// - Throws: the problem and its offset, never a value.
    package init(acceptedJSON json: String) throws(RecordDecodingError) {
        self = try Self.read(json, followingRules: false).get()
    }

    private static func read(
        _ json: String, followingRules: Bool
    ) -> Result<Self, RecordDecodingError> {
        Array(json.utf8).withUnsafeBytes { read($0, followingRules) }
    }

    private static func read(
        _ json: UnsafeRawBufferPointer, _ followingRules: Bool
    ) -> Result<Self, RecordDecodingError> {
        var cursor = JSONCursor(json)
        do {
            let metadata = try cursor.readMetadata(followingRules: followingRules)
            try cursor.expectEnd()
            return .success(metadata)
        } catch {
            return .failure(error)
        }
    }
}
