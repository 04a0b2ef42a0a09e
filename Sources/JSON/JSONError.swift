/// An error in a JSON document: the key path, and what is wrong there.
public struct JSONError: Error, Hashable, CustomStringConvertible {
    /// Longer paths and problems are cut, in characters.
    static let lengthLimit = 2_000

    /// The key path, `sinks.repository.url`; empty for the document as a whole.
    public let path: String
    /// What is wrong there and what belongs there.
    public let problem: String

    /// Makes an error from a key path and what is wrong there.
    public init(path: String, problem: String) {
        self.path = Self.cut(path)
        self.problem = Self.cut(problem)
    }

    /// A key may be as long as the document.
    private static func cut(_ text: String) -> String {
        text.count > lengthLimit ? "\(text.prefix(lengthLimit))…" : text
    }

    /// The error as `sinks.store.path: expected a string, found a number`.
    public var description: String {
        path.isEmpty ? problem : "\(path): \(problem)"
    }
}
