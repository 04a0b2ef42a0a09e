package import Platform

/// Which characters a terminal can show.
package enum TerminalCharacters {
    /// All of Unicode.
    case unicode
    /// The 95 of ASCII.
    case ascii

    /// What stands for the characters that the screens use.
    private static let inASCII: [Character: String] = [
        "…": "~", "–": "-", "·": "*", "▶": ">", "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#",
        "▍": " ", "▎": " ", "▏": " ", "░": ".", "─": "-", "│": "|", "≥": ">", "▲": "^", "▼": "v",
        "×": "x",
    ]

    /// What the locale of the environment can encode (`$LC_ALL`, `$LC_CTYPE`, `$LANG`; locale(7)).
    package init(_ environment: Environment) {
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        let name = locale.uppercased()
        self = name.contains("UTF-8") || name.contains("UTF8") ? .unicode : .ascii
    }

    /// The text with one character for each that the terminal has not.
    package func fitting(_ text: String) -> String {
        guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { character in
            if character.isASCII { return String(character) }
            let stand = Self.inASCII[character] ?? "?"
            // A character that is twice as wide leaves its room.
            let width = TextWidth.columns(of: String(character))
            return stand + String(repeating: " ", count: max(width - 1, 0))
        }.joined()
    }
}
