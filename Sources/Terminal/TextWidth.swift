/// The width of text in terminal columns.
package enum TextWidth {
    /// Scalars two columns wide (Unicode Standard Annex 11, East Asian Width: W and F), in blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]

    package static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The longest prefix of a text that fits into a number of columns.
    package static func prefix(of text: String, columns limit: Int) -> String {
        var rest = limit
        var prefix = ""
        for character in text {
            rest -= columns(of: String(character))
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

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        // The emoji variation selector widens the character before it.
        if scalar.isASCII || scalar.value == 0xFE0F { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        let isWide =
            scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
        return isWide ? 2 : 1
    }
}
