import HealthModel

/// The answer of a program to a batch.
enum SinkAnswer: Equatable {
    /// All records are stored.
    case acknowledged(UInt64)
    /// The batch is to come again, after this many seconds if the program names them.
    case retry(UInt64, after: Double?)
    /// These records are refused for good; the others are stored.
    case rejected(UInt64, Set<RecordID>, reason: String)

    /// The maximum length of a line: the ids of a full batch.
    static let lineLimit = 4 << 20
    /// The maximum length of a reason in the log, in bytes.
    private static let reasonLimit = 200

    /// The number of the batch.
    var batch: UInt64 {
        switch self {
        case .acknowledged(let batch), .retry(let batch, _), .rejected(let batch, _, _): batch
        }
    }

    /// Decodes a line.
    /// - Throws: the problem, never a value.
    init(_ line: ArraySlice<UInt8>) throws(RecordDecodingError) {
        let result = line.withUnsafeBytes { bytes -> Result<SinkAnswer, RecordDecodingError> in
            do throws(RecordDecodingError) {
                return .success(try Self.decode(bytes))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(RecordDecodingError) -> SinkAnswer {
        if let offset = UTF8Validator.firstInvalidOffset(in: bytes) {
            throw .notUTF8(offset: offset)
        }
        var cursor = JSONCursor(bytes)
        var verb: (name: String, batch: UInt64)?
        var (after, ids, reason): (Double?, Set<RecordID>?, String?)
        try cursor.expect("{")
        var isFirst = true
        while let text = try cursor.nextKey(isFirst: &isFirst) {
            let key = try cursor.string(text)
            switch key {
            case "ack" where verb == nil, "retry" where verb == nil, "reject" where verb == nil:
                verb = (key, try cursor.readWholeNumber(for: key))
            case "after" where after == nil: after = try cursor.readPositive(for: key)
            case "ids" where ids == nil: ids = try cursor.readIDs()
            case "reason" where reason == nil: reason = try cursor.readString(for: key)
            case "ack", "retry", "reject", "after", "ids", "reason":
                throw cursor.duplicate(key, text)
            default: try cursor.skipValue()
            }
        }
        try cursor.expectEnd()
        switch verb?.name {
        case "ack": return .acknowledged(verb?.batch ?? 0)
        case "retry": return .retry(verb?.batch ?? 0, after: after)
        case "reject":
            guard let ids else { throw .missingKey("ids") }
            let text = String(
                decoding: (reason ?? "no reason").utf8.prefix(reasonLimit), as: UTF8.self)
            return .rejected(verb?.batch ?? 0, ids, reason: text)
        default: throw .missingKey("ack")
        }
    }
}

extension JSONCursor {
    /// Reads a list of ids.
    fileprivate mutating func readIDs() throws(RecordDecodingError) -> Set<RecordID> {
        guard take("[") else { throw invalid("ids", "a list of ids") }
        var ids: Set<RecordID> = []
        if take("]") { return ids }
        repeat { ids.insert(try readID()) } while take(",")
        try expect("]")
        return ids
    }
}
