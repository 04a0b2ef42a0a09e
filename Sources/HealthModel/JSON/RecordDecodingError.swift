/// An error of a line that is not a valid record.
///
/// Offsets are in bytes from the beginning of the line.
public enum RecordDecodingError: Error, Equatable, CustomStringConvertible {
    /// The line is longer than `RecordDecoder.maximumLineLength`.
    case lineTooLong
    /// The line is not UTF-8.
    case notUTF8(offset: Int)
    /// The line is not JSON.
    case syntax(expected: String, offset: Int)
    /// Objects and arrays are nested too deeply.
    case tooDeep(offset: Int)
    /// An object has a duplicate key.
    case duplicateKey(String, offset: Int)
    /// A record lacks a key.
    case missingKey(String)
    /// The value of a key is not valid.
    case invalidValue(key: String, expected: String, offset: Int)
    /// The type of the record is unknown to the decoder.
    case unknownType(offset: Int)
    /// The kind of the record is unknown.
    case unsupportedKind(offset: Int)
    /// The kind of a member is not allowed in a correlation.
    case unsupportedMember(offset: Int)
    /// The values do not form a valid sample.
    case invalidSample(SampleError)
    /// The values do not form a valid workout.
    case invalidWorkout(WorkoutError)

    /// The message, without a value of the record.
    public var description: String {
        switch self {
        case .lineTooLong: "the line is longer than \(RecordDecoder.maximumLineLength) bytes"
        case .notUTF8(let offset): "the line is not valid UTF-8 at byte \(offset)"
        case .syntax(let expected, let offset):
            "the line is not valid JSON: expected \(expected) at byte \(offset)"
        case .tooDeep(let offset):
            "the line is nested deeper than \(JSONCursor.maximumDepth) levels at byte \(offset)"
        case .duplicateKey(let key, let offset): "duplicate key \(key) at byte \(offset)"
        case .missingKey(let key): "the key \(key) is missing"
        case .invalidValue(let key, let expected, let offset):
            "\(key) must be \(expected), at byte \(offset)"
        case .unknownType(let offset): "unknown type at byte \(offset)"
        case .unsupportedKind(let offset):
            "kind must be sample, category, correlation, workout or event, at byte \(offset)"
        case .unsupportedMember(let offset):
            "kind must be sample or category within a correlation, at byte \(offset)"
        case .invalidSample(let error): error.description
        case .invalidWorkout(let error): error.description
        }
    }
}
