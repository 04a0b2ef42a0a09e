/// A line is not a record.
///
/// Offsets are in bytes from the beginning of the line.
public enum RecordDecodingError: Error, Equatable, CustomStringConvertible {
    /// The line is longer than `RecordDecoder.maximumLineLength`.
    case lineTooLong
    /// The line is not UTF-8.
    case notUTF8(offset: Int)
    /// The line is not JSON.
    case syntax(expected: String, offset: Int)
    /// Objects and arrays are nested too deep.
    case tooDeep(offset: Int)
    /// An object has a key twice.
    case duplicateKey(String, offset: Int)
    /// A record lacks a key.
    case missingKey(String)
    /// A key has a value that it cannot have.
    case invalidValue(key: String, expected: String, offset: Int)
    /// The record is of a type that is not among those that the decoder knows.
    case unknownType(offset: Int)
    /// The record is of a kind that is not read here.
    case unsupportedKind(offset: Int)
    /// A sample in a correlation is of a kind that cannot be there.
    case unsupportedMember(offset: Int)
    /// The values do not make a sample together.
    case invalidSample(SampleError)
    /// The values do not make a workout together.
    case invalidWorkout(WorkoutError)

    /// The message, without a value of the record.
    public var description: String {
        switch self {
        case .lineTooLong: "the line is longer than \(RecordDecoder.maximumLineLength) bytes"
        case .notUTF8(let offset): "the line is not UTF-8 at byte \(offset)"
        case .syntax(let expected, let offset):
            "the line is not JSON: expected \(expected) at byte \(offset)"
        case .tooDeep(let offset):
            "the line nests deeper than \(JSONCursor.maximumDepth) levels at byte \(offset)"
        case .duplicateKey(let key, let offset): "the key \(key) comes twice, at byte \(offset)"
        case .missingKey(let key): "the key \(key) is missing"
        case .invalidValue(let key, let expected, let offset):
            "\(key) must be \(expected), at byte \(offset)"
        case .unknownType(let offset): "type must be a known type, at byte \(offset)"
        case .unsupportedKind(let offset):
            "kind must be sample, category, correlation, workout or event, at byte \(offset)"
        case .unsupportedMember(let offset):
            "kind must be sample or category within a correlation, at byte \(offset)"
        case .invalidSample(let error): error.description
        case .invalidWorkout(let error): error.description
        }
    }
}
