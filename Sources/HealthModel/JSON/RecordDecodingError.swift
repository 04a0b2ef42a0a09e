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
        offset.map { "\(problem)\(separator)at byte \($0)" } ?? problem
    }

    /// The message without the offset, which is equal for equal mistakes.
    package var problem: String {
        switch self {
        case .lineTooLong: "the line is longer than \(RecordDecoder.maximumLineLength) bytes"
        case .notUTF8: "the line is not valid UTF-8"
        case .syntax(let expected, _): "the line is not valid JSON: expected \(expected)"
        case .tooDeep: "the line is nested deeper than \(JSONCursor.maximumDepth) levels"
        case .duplicateKey(let key, _): "duplicate key \(key)"
        case .missingKey(let key): "the key \(key) is missing"
        case .invalidValue(let key, let expected, _): "\(key) must be \(expected)"
        case .unknownType: "unknown type"
        case .unsupportedKind:
            "kind must be sample, category, correlation, workout or event"
        case .unsupportedMember: "kind must be sample or category within a correlation"
        case .invalidSample(let error): error.description
        case .invalidWorkout(let error): error.description
        }
    }

    private var offset: Int? {
        switch self {
        case .notUTF8(let offset), .syntax(_, let offset), .tooDeep(let offset),
            .duplicateKey(_, let offset), .invalidValue(_, _, let offset),
            .unknownType(let offset), .unsupportedKind(let offset), .unsupportedMember(let offset):
            offset
        case .lineTooLong, .missingKey, .invalidSample, .invalidWorkout: nil
        }
    }

    private var separator: String {
        switch self {
        case .invalidValue, .unsupportedKind, .unsupportedMember: ", "
        default: " "
        }
    }
}
