public import JSON

/// What is wrong in the configuration, and at which key.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    private let json: JSONError

    /// The key path, `sinks.repository.url`; empty for the file as a whole.
    public var path: String { json.path }
    /// What is wrong there and what belongs there.
    public var problem: String { json.problem }

    /// Makes an error from a key path and what is wrong there.
    public init(path: String, problem: String) {
        json = JSONError(path: path, problem: problem)
    }

    /// Makes an error of a configuration that is not JSON5.
    public init(_ error: JSONError) {
        json = error
    }

    /// The error as `sinks.store.path: expected a string, found a number`.
    public var description: String { json.description }
}
