import FoundationEssentials

/// A configuration file as a tree, before anybody says what belongs in it.
public enum ConfigurationValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// A number; JSON5 knows one kind.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([ConfigurationValue])
    /// Keys with values.
    case object([String: ConfigurationValue])

    /// A larger file is refused unread.
    public static let sizeLimit = 1 << 20

    /// Reads JSON5 text: JSON with comments, unquoted keys and trailing commas.
    ///
    /// - Throws: ``ConfigurationError`` that says where the text is not JSON5, or which key stands twice.
    public init(json5 text: String) throws(ConfigurationError) {
        guard text.utf8.count <= Self.sizeLimit else {
            throw ConfigurationError(path: "", problem: "the file is over 1 MiB")
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(ConfigurationValue.self, from: Data(text.utf8))
        } catch {
            throw ConfigurationError(path: "", problem: "not JSON5: \(Self.reason(of: error))")
        }
        if let key = DuplicateKeyScanner.firstDuplicate(in: text) {
            throw ConfigurationError(path: key, problem: "the key stands here twice")
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

    private static func reason(of error: any Error) -> String {
        guard case .dataCorrupted(let context) = error as? DecodingError else {
            return "it cannot be read"
        }
        guard let underlying = context.underlyingError else { return context.debugDescription }
        return (underlying as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            ?? "\(underlying)"
    }
}

extension ConfigurationValue: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Takes whatever value the decoder holds.
    public init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: Key.self) {
            var object: [String: ConfigurationValue] = [:]
            for key in keyed.allKeys {
                object[key.stringValue] = try keyed.decode(ConfigurationValue.self, forKey: key)
            }
            self = .object(object)
        } else if var list = try? decoder.unkeyedContainer() {
            var array: [ConfigurationValue] = []
            while !list.isAtEnd { array.append(try list.decode(ConfigurationValue.self)) }
            self = .array(array)
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(
        _ container: any SingleValueDecodingContainer
    ) throws -> ConfigurationValue {
        if container.decodeNil() { return .null }
        if let boolean = try? container.decode(Bool.self) { return .boolean(boolean) }
        if let number = try? container.decode(Double.self) { return .number(number) }
        return .string(try container.decode(String.self))
    }
}
