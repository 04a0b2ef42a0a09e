public import JSON

/// A short name of plain ASCII characters, of a secret or of a client: `repo-token`.
///
/// It has letters, digits, `.`, `_` and `-`, and begins with a letter or digit, so that it can be a file name.
public struct PlainName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The maximum length in bytes.
    public static let lengthLimit = 64
    /// The rule, for messages.
    public static let rule =
        "must have 1 to \(lengthLimit) ASCII letters, digits, `.`, `_` or `-`, and begin with a letter or digit"

    /// The text.
    public let text: String

    /// Checks a text; nil if it is no plain name.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...Self.lengthLimit).contains(bytes.count), let first = bytes.first,
            Self.isLetterOrDigit(first), bytes.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    /// Makes a name that is part of the program.
    public init(known text: StaticString) {
        self.text = "\(text)"
        precondition(PlainName(self.text) != nil, "not a plain name")
    }

    /// Reads a name from a value.
    public init(_ node: ConfigurationNode) throws(ConfigurationError) {
        guard let name = PlainName(try node.string()) else { throw node.error(Self.rule) }
        self = name
    }

    /// The text.
    public var description: String { text }

    /// The order of the texts.
    public static func < (left: PlainName, right: PlainName) -> Bool { left.text < right.text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
