import Platform

/// A line for a terminal whose words have styles, and whose width is known all the same.
///
/// Nothing in it can drive the terminal: control characters are escaped when a text comes in.
package struct StyledLine: Equatable {
    package struct Piece: Equatable {
        package let text: String
        package let style: Painter.Style
        /// How many columns it takes.
        package let width: Int
    }

    package private(set) var pieces: [Piece] = []
    /// How many columns it takes.
    package private(set) var width = 0

    /// An empty line.
    package init() {}

    package init(_ text: String, _ style: Painter.Style = .plain) {
        append(text, style)
    }

    /// Adds a text at the end.
    package mutating func append(_ text: String, _ style: Painter.Style = .plain) {
        append(escaped: LogFormat.escaped(text), style)
    }

    /// Adds another line at the end.
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

    /// Adds as many blanks as are needed until the line has so many columns.
    package mutating func pad(to columns: Int) {
        append(escaped: String(repeating: " ", count: max(columns - width, 0)), .plain)
    }

    /// The beginning of the line, with an ellipsis where it had to be cut.
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

    /// The line with another one that ends where the columns end; what has no room gives way from the
    /// left line.
    package func justified(_ right: StyledLine, columns: Int) -> StyledLine {
        let end = right.cut(to: columns)
        guard end.width > 0 else { return cut(to: columns) }
        var line = cut(to: max(columns - end.width - 1, 0))
        line.pad(to: columns - end.width)
        line.append(end)
        return line
    }

    /// The line in the middle of so many columns.
    package func centered(in columns: Int) -> StyledLine {
        var line = StyledLine()
        line.pad(to: (columns - width) / 2)
        line.append(self)
        return line
    }

    /// The text to write, with the characters that the terminal has.
    package func text(_ painter: Painter, _ characters: TerminalCharacters) -> String {
        pieces.map { painter.paint(characters.fitting($0.text), $0.style) }.joined()
    }
}
