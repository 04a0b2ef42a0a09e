/// Large digits drawn with block characters, readable from a distance.
package struct BlockDigits: Equatable {
    /// The resolution of a digit.
    package enum Face: Equatable {
        /// 3 × 5 dots.
        case sturdy
        /// 5 × 7 dots.
        case fine
    }

    /// The size of a dot.
    package enum Dot: Equatable {
        /// Twice as many columns as rows, which is about a square.
        case blocks(rows: Int)
        /// Half a row high; requires Unicode half blocks.
        case halves
        /// One column and one row.
        case narrow
    }

    package let face: Face
    package let dot: Dot

    /// Creates a value from its parts.
    package init(
        face: Face, dot: Dot
    ) {
        self.face = face
        self.dot = dot
    }

    /// The height in rows.
    package var rows: Int {
        let dots = face == .sturdy ? 5 : 7
        switch dot {
        case .blocks(let rows): return dots * rows
        case .halves: return (dots + 1) / 2
        case .narrow: return dots
        }
    }

    /// The width of a text in columns; nil if it has a character that cannot be drawn.
    package func columns(of text: String) -> Int? {
        glyphs(of: text).map { glyphs in
            let dots = glyphs.map { $0.first?.count ?? 0 }.reduce(0, +)
            return dots * dotColumns + (glyphs.count - 1) * gap
        }
    }

    /// The rows from the top, all of the same length; empty if a character cannot be drawn.
    package func lines(of text: String) -> [String] {
        guard let glyphs = glyphs(of: text) else { return [] }
        let bitmap = (glyphs.first ?? []).indices.map { row in
            glyphs.map { glyph in
                glyph[row].map { String(repeating: $0, count: dotColumns) }.joined()
            }.joined(separator: String(repeating: ".", count: gap))
        }
        switch dot {
        case .blocks(let rows):
            return bitmap.flatMap { [String](repeating: Self.solid($0), count: rows) }
        case .narrow: return bitmap.map(Self.solid)
        case .halves: return Self.halves(bitmap)
        }
    }

    private var dotColumns: Int {
        if case .blocks(let rows) = dot { return rows * 2 }
        return 1
    }

    private var gap: Int {
        if case .blocks(let rows) = dot { return rows * 2 }
        return 1
    }

    private func glyphs(of text: String) -> [[Substring]]? {
        let face = face == .sturdy ? Self.sturdy : Self.fine
        let glyphs = text.compactMap { face[$0] }.map { $0.split(separator: " ") }
        return glyphs.count == text.count && !glyphs.isEmpty ? glyphs : nil
    }

    private static func solid(_ dots: String) -> String {
        String(dots.map { $0 == "#" ? "█" : " " })
    }

    private static func halves(_ bitmap: [String]) -> [String] {
        stride(from: 0, to: bitmap.count, by: 2).map { row in
            let upper = bitmap[row]
            let lower =
                row + 1 < bitmap.count
                ? bitmap[row + 1] : String(repeating: ".", count: upper.count)
            return String(
                zip(upper, lower).map { upper, lower in
                    switch (upper == "#", lower == "#") {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                })
        }
    }

    private static let sturdy: [Character: String] = [
        "0": "### #.# #.# #.# ###", "1": ".#. ##. .#. .#. ###", "2": "### ..# ### #.. ###",
        "3": "### ..# ### ..# ###", "4": "#.# #.# ### ..# ..#", "5": "### #.. ### ..# ###",
        "6": "### #.. ### #.# ###", "7": "### ..# ..# ..# ..#", "8": "### #.# ### #.# ###",
        "9": "### #.# ### ..# ###", "-": "... ... ### ... ...", ":": ". # . # .",
    ]
    private static let fine: [Character: String] = [
        "0": ".###. #...# #...# #...# #...# #...# .###.",
        "1": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
        "2": ".###. #...# ....# ...#. ..#.. .#... #####",
        "3": ".###. #...# ....# ..##. ....# #...# .###.",
        "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
        "5": "##### #.... ####. ....# ....# #...# .###.",
        "6": ".###. #.... #.... ####. #...# #...# .###.",
        "7": "##### ....# ...#. ..#.. ..#.. .#... .#...",
        "8": ".###. #...# #...# .###. #...# #...# .###.",
        "9": ".###. #...# #...# .#### ....# ....# .###.",
        "-": "..... ..... ..... ##### ..... ..... .....",
        ":": ". . # . # . .",
    ]
}
