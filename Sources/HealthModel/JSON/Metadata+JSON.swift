extension Metadata {
    /// The metadata as a JSON object, written as in a record.
    public var json: String {
        guard !isEmpty else { return "{}" }
        var buffer: [UInt8] = []
        RecordEncoder.append(self, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads metadata from a JSON object, as strictly as that of a record.
    /// - Throws: what is wrong and where, never a value.
    public init(json: String) throws(RecordDecodingError) {
        let result = Array(json.utf8).withUnsafeBytes { Self.read($0) }
        self = try result.get()
    }

    private static func read(_ json: UnsafeRawBufferPointer) -> Result<Self, RecordDecodingError> {
        var cursor = JSONCursor(json)
        do {
            let metadata = try cursor.readMetadata()
            try cursor.expectEnd()
            return .success(metadata)
        } catch {
            return .failure(error)
        }
    }
}
