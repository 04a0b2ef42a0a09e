package import Platform

/// The character set of a terminal.
package enum TerminalCharacters {
    /// All of Unicode.
    case unicode
    /// The 95 printable characters of ASCII.
    case ascii

    /// The ASCII replacements of the characters used by the screens.
    private static let inASCII: [Character: String] = [
        "…": "~", "–": "-", "·": "*", "▶": ">", "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#",
        "▍": " ", "▎": " ", "▏": " ", "░": ".", "─": "-", "│": "|", "≥": ">", "▲": "^", "▼": "v",
        "×": "x",
    ]

    /// The character set of the environment's locale (`$LC_ALL`, `$LC_CTYPE`, `$LANG`; locale(7)).
    package init(_ environment: Environment) {
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        let name = locale.uppercased()
        self = name.contains(text: "UTF-8") || name.contains(text: "UTF8") ? .unicode : .ascii
    }

    /// The text with every unavailable character replaced.
    package func fitting(_ text: String) -> String {
        guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { character in
            if character.isASCII { return String(character) }
            let replacement = Self.inASCII[character] ?? "?"
            // A wide character is replaced with two columns.
            let width = TextWidth.columns(of: String(character))
            return replacement + String(repeating: " ", count: max(width - 1, 0))
        }.joined()
    }
}
