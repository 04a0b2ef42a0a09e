/// The context of a document: additional values for its readers, and the error that they throw.
public protocol JSONContext: Sendable, Hashable {
    /// The error for an invalid value in such a document.
    associatedtype Failure: Error

    /// Makes the error for a key path.
    static func failure(path: String, problem: String) -> Failure
}

/// The context of a document without additional values: a response, or a file of the program.
public struct PlainDocument: JSONContext {
    /// Makes the context.
    public init() {}

    /// The error for a key path.
    public static func failure(path: String, problem: String) -> JSONError {
        JSONError(path: path, problem: problem)
    }
}

/// A value of a plain document together with its key path.
public typealias DocumentNode = JSONNode<PlainDocument>

/// An object of a plain document whose keys have been checked.
public typealias DocumentObject = JSONObject<PlainDocument>

extension JSONNode where Context == PlainDocument {
    /// Makes the root of a document from JSON or JSON5 text.
    ///
    /// - Throws: ``JSONError`` with the line and column of a syntax error.
    public init(json5 text: String) throws(JSONError) {
        self.init(path: "", value: try JSONValue(json5: text), context: PlainDocument())
    }

    /// Makes a node from its key path and its value.
    public init(path: String, value: JSONValue) {
        self.init(path: path, value: value, context: PlainDocument())
    }
}
