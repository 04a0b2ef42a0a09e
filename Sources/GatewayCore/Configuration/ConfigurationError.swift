/// What is wrong in the configuration, and at which key.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The key path, `sinks.repository.url`; empty for the file as a whole.
    public let path: String
    /// What is wrong there and what belongs there.
    public let problem: String

    /// Makes an error from a key path and what is wrong there.
    public init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    /// The error as `sinks.store.path: expected a string, found a number`.
    public var description: String {
        path.isEmpty ? problem : "\(path): \(problem)"
    }
}
