/// The line formats of the log.
public enum LogFormat {
    /// `<6>foot: port opened path=/dev/ttyUSB0`, with the level as systemd-journald reads it from
    /// standard error (sd-daemon(3)).
    public static func journal(_ record: Logger.Record) -> String {
        "<\(record.level.rawValue)>\(body(of: record))\n"
    }

    /// `foot: port opened path=/dev/ttyUSB0`, with the level in front unless it is info.
    public static func plain(_ record: Logger.Record) -> String {
        let level =
            switch record.level {
            case .debug: "debug: "
            case .info: ""
            case .warning: "warning: "
            case .error: "error: "
            }
        return "\(level)\(body(of: record))\n"
    }

    static func body(of record: Logger.Record) -> String {
        var line = "\(record.component): \(escaped(record.message))"
        for field in record.fields {
            line += " \(field.key)=\(quoted(field.value))"
        }
        return line
    }

    /// The maximum length of a value in bytes; a longer one is cut.
    private static let maximumValueLength = 2_000

    /// A value, in quotation marks if it is empty or contains a space, a quotation mark or `=`.
    private static func quoted(_ value: String) -> String {
        let text = escaped(cut(value))
        // By scalars: a delimiter and a combining mark after it are one character.
        let scalars = text.unicodeScalars
        let isPlain = !text.isEmpty && !scalars.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        guard !isPlain else { return text }
        let parts = scalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.map(String.init).joined(separator: "\\\""))\""
    }

    /// The beginning of a text that is too long, with its length.
    package static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumValueLength else { return text }
        let beginning = String(decoding: text.utf8.prefix(maximumValueLength), as: UTF8.self)
        return "\(beginning)… (\(text.utf8.count) bytes)"
    }

    /// Text with control characters escaped, so that a device name cannot control a terminal.
    ///
    /// Joiners remain where they belong to writing: between letters, as in Persian, and between emoji.
    public static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        var result = ""
        var previous: Unicode.Scalar?
        for index in scalars.indices {
            let scalar = scalars[index]
            let isKept = scalar.isShown(
                between: previous, and: scalars[scalars.index(after: index)...].first)
            result += isKept ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            previous = scalar
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether the character is written as it is, after and before others; nil at the ends of the text.
    ///
    /// So is a joiner that belongs to writing: between letters, as in Persian, and between emoji.
    func isShown(between previous: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
        !isInvisible || isJoiner && previous.joins && next.joins
    }

    /// A control character, a mark of direction or another character that shows nothing of its own.
    var isInvisible: Bool {
        let category = properties.generalCategory
        return category == .control || category == .format || value == 0x2028 || value == 0x2029
    }

    /// The zero-width non-joiner or joiner.
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }
}

extension Unicode.Scalar? {
    /// Whether a joiner beside this character belongs to writing: a letter, a mark on one, or an emoji.
    fileprivate var joins: Bool {
        guard let properties = self?.properties, self?.isASCII == false || properties.isAlphabetic
        else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: properties.isAlphabetic || properties.isEmoji
        }
    }
}
