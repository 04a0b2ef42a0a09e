/// A JSON5 document as a tree of untyped values.
public enum JSONValue: Hashable, Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case boolean(Bool)
    /// A number; JSON5 has one kind.
    case number(Double)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object: keys with values.
    case object([String: JSONValue])

    /// The maximum size of a file, in bytes.
    public static let sizeLimit = 1 << 20

    /// Reads JSON5 text: JSON with comments, unquoted keys and trailing commas.
    ///
    /// - Throws: ``JSONError`` with the line and column of a syntax error or a duplicate key.
    public init(json5 text: String) throws(JSONError) {
        try Self.checkSize(of: text)
        var parser = JSON5Parser(text)
        self = try parser.parse()
    }

    /// Throws for a text that is larger than ``sizeLimit``.
    static func checkSize(of text: String) throws(JSONError) {
        guard text.utf8.count <= sizeLimit else {
            throw JSONError(path: "", problem: "the file is larger than 1 MiB")
        }
    }

    /// The name of this kind of value in error messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
