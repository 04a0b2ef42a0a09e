/// An error in a JSON document, with the key path and the problem.
public struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The maximum length of the path and of the problem, in characters; longer ones are truncated.
    static let lengthLimit = 2_000

    /// The key path, `sinks.repository.url`; empty for the document as a whole.
    public let path: String
    /// The problem and what is expected.
    public let problem: String

    /// Makes an error from a key path and a problem.
    public init(path: String, problem: String) {
        self.path = Self.cut(path)
        self.problem = Self.cut(problem)
    }

    /// Truncates a text: a key may be as long as the document.
    private static func cut(_ text: String) -> String {
        text.count > lengthLimit ? "\(text.prefix(lengthLimit))…" : text
    }

    /// The error as `sinks.store.path: expected a string, found a number`.
    public var description: String {
        path.isEmpty ? problem : "\(path): \(problem)"
    }
}
