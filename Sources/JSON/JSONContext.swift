/// The kind of a document: what its readers know beside it, and the error they throw.
public protocol JSONContext: Sendable, Hashable {
    /// The error for something that is wrong in such a document.
    associatedtype Failure: Error

    /// Makes the error for a key path.
    static func failure(path: String, problem: String) -> Failure
}

/// A document that needs nothing beside it: an answer, a file of the program's own.
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
    /// - Throws: ``JSONError`` with the line and column where the text is wrong.
    public init(json5 text: String) throws(JSONError) {
        self.init(path: "", value: try JSONValue(json5: text), context: PlainDocument())
    }

    /// Makes a node from its key path and its value.
    public init(path: String, value: JSONValue) {
        self.init(path: path, value: value, context: PlainDocument())
    }
}
