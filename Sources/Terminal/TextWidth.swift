/// The width of text in terminal columns.
package enum TextWidth {
    /// Scalars two columns wide (Unicode Standard Annex 11, East Asian Width: W and F), in blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]

    package static func columns(of text: String) -> Int {
        // Fast path: nearly all text is ASCII.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The number of rows of a line in a terminal of limited width, which does not divide a character.
    package static func rows(of text: String, columns limit: Int) -> Int {
        var (rows, rest) = (1, limit)
        for character in text {
            let columns = columns(of: character)
            if columns > rest { (rows, rest) = (rows + 1, limit) }
            rest -= columns
        }
        return rows
    }

    /// The longest prefix of a text that fits into a number of columns.
    package static func prefix(of text: String, columns limit: Int) -> String {
        var rest = limit
        var prefix = ""
        for character in text {
            rest -= columns(of: character)
            guard rest >= 0 else { break }
            prefix.append(character)
        }
        return prefix
    }

    /// The text wrapped at word boundaries into lines of limited width; longer words are cut with an ellipsis.
    package static func wrapped(_ text: String, columns limit: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let next = lines.last.map { "\($0) \(word)" } ?? String(word)
            if !lines.isEmpty, columns(of: next) <= limit {
                lines[lines.count - 1] = next
            } else {
                lines.append(cut(String(word), columns: limit))
            }
        }
        return lines
    }

    private static func cut(_ text: String, columns limit: Int) -> String {
        guard limit > 0, columns(of: text) > limit else { return prefix(of: text, columns: limit) }
        return prefix(of: text, columns: limit - 1) + "…"
    }

    /// The columns of a character, which may have several parts.
    ///
    /// Emoji that are joined, flags, and emoji with a skin tone have the two columns of one emoji, as terminals
    /// show them that know grapheme clusters (Unicode Standard Annex 29).
    private static func columns(of character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        return scalars.contains(where: isWide) ? 2 : scalars.count { !isMark($0) }
    }

    /// Whether a scalar is two columns wide, or makes the character before it so, as the emoji variation
    /// selector.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        return scalar.value == 0xFE0F || scalar.properties.isEmojiPresentation
            || wide.contains { $0.contains(scalar.value) }
    }

    /// Whether a scalar has no column of its own: a mark on the character before it, or a joiner.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}
