import Platform

/// A terminal line with styled text and a known width.
///
/// Control characters in the text are escaped.
package struct StyledLine: Equatable {
    package struct Piece: Equatable {
        package let text: String
        package let style: Painter.Style
        /// The width in columns.
        package let width: Int
    }

    package private(set) var pieces: [Piece] = []
    /// The width in columns.
    package private(set) var width = 0

    /// An empty line.
    package init() {}

    package init(_ text: String, _ style: Painter.Style = .plain) {
        append(text, style)
    }

    /// Appends text.
    package mutating func append(_ text: String, _ style: Painter.Style = .plain) {
        append(escaped: LogFormat.escaped(text), style)
    }

    /// Appends another line.
    package mutating func append(_ other: StyledLine) {
        for piece in other.pieces { append(escaped: piece.text, piece.style) }
    }

    private mutating func append(escaped text: String, _ style: Painter.Style) {
        guard !text.isEmpty else { return }
        let width = TextWidth.columns(of: text)
        self.width += width
        guard let last = pieces.last, last.style == style else {
            pieces.append(Piece(text: text, style: style, width: width))
            return
        }
        pieces[pieces.count - 1] = Piece(
            text: last.text + text, style: style, width: last.width + width)
    }

    /// Appends blanks up to a width in columns.
    package mutating func pad(to columns: Int) {
        append(escaped: String(repeating: " ", count: max(columns - width, 0)), .plain)
    }

    /// The line truncated to a width, with an ellipsis if it was longer.
    package func cut(to columns: Int) -> StyledLine {
        guard width > columns else { return self }
        var line = StyledLine()
        for piece in pieces {
            let room = columns - 1 - line.width
            guard piece.width > room else {
                line.append(escaped: piece.text, piece.style)
                continue
            }
            line.append(escaped: TextWidth.prefix(of: piece.text, columns: room), piece.style)
            if columns > 0 { line.append(escaped: "…", piece.style) }
            break
        }
        return line
    }

    /// The line with another line aligned to the right; truncates the left line if necessary.
    package func justified(_ right: StyledLine, columns: Int) -> StyledLine {
        let end = right.cut(to: columns)
        guard end.width > 0 else { return cut(to: columns) }
        var line = cut(to: max(columns - end.width - 1, 0))
        line.pad(to: columns - end.width)
        line.append(end)
        return line
    }

    /// The line centered in a width in columns.
    package func centered(in columns: Int) -> StyledLine {
        var line = StyledLine()
        line.pad(to: (columns - width) / 2)
        line.append(self)
        return line
    }

    /// The text to write, with styles, in the characters of the terminal, without spaces at its
    /// end.
    package func text(_ painter: Painter, _ characters: TerminalCharacters) -> String {
        var texts = pieces.map { characters.fitting($0.text) }
        // Spaces with a background are visible.
        for place in pieces.indices.reversed() {
            guard !painter.isOn || pieces[place].style != .alert else { break }
            while texts[place].hasSuffix(" ") { texts[place].removeLast() }
            guard texts[place].isEmpty else { break }
        }
        return zip(texts, pieces).map { $0.isEmpty ? "" : painter.paint($0, $1.style) }.joined()
    }
}
