/// A configuration file as a tree, before anybody says what belongs in it.
public enum JSONValue: Hashable, Sendable {
    /// The word `null`.
    case null
    /// One of the words `true` and `false`.
    case boolean(Bool)
    /// A number; JSON5 knows one kind.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Keys with values.
    case object([String: JSONValue])

    /// A larger file is refused unread.
    public static let sizeLimit = 1 << 20

    /// Reads JSON5 text: JSON with comments, unquoted keys and trailing commas.
    ///
    /// - Throws: ``JSONError`` that says at which line and column the text is not JSON5, or
    ///   which key stands twice.
    public init(json5 text: String) throws(JSONError) {
        try Self.checkSize(of: text)
        var parser = JSON5Parser(text)
        self = try parser.parse()
    }

    /// Refuses a text that is larger than ``sizeLimit``.
    static func checkSize(of text: String) throws(JSONError) {
        guard text.utf8.count <= sizeLimit else {
            throw JSONError(path: "", problem: "the file is over 1 MiB")
        }
    }

    /// The word for the kind of value this is, as error messages use it.
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
