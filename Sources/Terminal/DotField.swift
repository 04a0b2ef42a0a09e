/// A grid of dots drawn with several dots per terminal character.
package struct DotField {
    /// The height of a character in dots.
    package let cellHeight: Int
    /// The width and height of the grid in dots.
    package let width: Int
    package let height: Int

    private let cellWidth: Int
    private let characters: TerminalCharacters
    private var dots: [Bool]

    /// Creates an empty grid with a size in characters: braille with 2 × 4 dots each, or ASCII with 1 × 2.
    package init(columns: Int, rows: Int, _ characters: TerminalCharacters) {
        (cellWidth, cellHeight) = characters == .unicode ? (2, 4) : (1, 2)
        self.characters = characters
        width = max(columns, 0) * cellWidth
        height = max(rows, 0) * cellHeight
        dots = [Bool](repeating: false, count: width * height)
    }

    /// Sets a dot; ignores dots outside the grid.
    package mutating func set(_ column: Int, _ row: Int) {
        guard (0..<width).contains(column), (0..<height).contains(row) else { return }
        dots[row * width + column] = true
    }

    /// Draws a line from left to right.
    package mutating func drawLine(
        from start: (column: Int, row: Int), to end: (column: Int, row: Int)
    ) {
        var previous = start.row
        for column in stride(from: start.column, through: end.column, by: 1) {
            let part =
                end.column > start.column
                ? Double(column - start.column) / Double(end.column - start.column) : 1
            let row = start.row + Int((part * Double(end.row - start.row)).rounded())
            for between in min(previous, row)...max(previous, row) where between != previous {
                set(column, between)
            }
            set(column, row)
            previous = row
        }
    }

    /// The characters of a terminal row, without trailing blanks.
    package func text(row: Int) -> String {
        var text = ""
        for cell in 0..<width / cellWidth {
            let first = cell * cellWidth
            text += characters == .unicode ? braille(first, row) : twoDots(first, row)
        }
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    private func isSet(_ column: Int, _ row: Int) -> Bool { dots[row * width + column] }

    /// The bits of the dots of a braille character from left to right, top down (Unicode, U+2800).
    private static let brailleBits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

    private func braille(_ column: Int, _ row: Int) -> String {
        var bits: UInt32 = 0
        for (index, bit) in Self.brailleBits.enumerated()
        where isSet(column + index % 2, row * 4 + index / 2) { bits |= bit }
        return bits == 0 ? " " : Unicode.Scalar(0x2800 + bits).map(String.init) ?? " "
    }

    private func twoDots(_ column: Int, _ row: Int) -> String {
        switch (isSet(column, row * 2), isSet(column, row * 2 + 1)) {
        case (true, true): ":"
        case (true, false): "'"
        case (false, true): "."
        case (false, false): " "
        }
    }
}
