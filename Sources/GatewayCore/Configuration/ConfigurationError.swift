public import JSON

/// An error in the configuration, with its key path.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    private let json: JSONError

    /// The key path, `sinks.repository.url`; empty for the file as a whole.
    public var path: String { json.path }
    /// The problem, with the expected value.
    public var problem: String { json.problem }

    /// Makes an error from a key path and a problem.
    public init(path: String, problem: String) {
        json = JSONError(path: path, problem: problem)
    }

    /// Makes an error from an error in JSON5.
    public init(_ error: JSONError) {
        json = error
    }

    /// The error as `sinks.store.path: expected a string, found a number`.
    public var description: String { json.description }
}
