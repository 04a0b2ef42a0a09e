/// Reads the heart rate from the screen of a workout, as a person does.
enum HeartScreen {
    /// The heart rate that is drawn in large digits; nil when there is none.
    static func drawnRate(in screen: [String]) -> Int? {
        let cells = screen.map { $0.map { $0 == "█" || $0 == "#" } }
        for face in [fine, sturdy] {
            for dotRows in [3, 2, 1] {
                for top in 0..<6 {
                    let picture = Picture(cells: cells, top: top, dotRows: dotRows)
                    if let rate = picture.number(in: face) { return rate }
                }
            }
        }
        return nil
    }

    /// The heart rate that a screen without room for large digits begins with; nil when there is none.
    static func plainRate(in screen: [String]) -> Int? {
        let words = (screen.first ?? "").split(separator: " ")
        guard words.count > 1, words[1] == "zone" || words[1] == "count/min" else { return nil }
        return Int(words[0])
    }

    /// Digits that begin in the second column: a dot is so many rows high and twice as many columns wide.
    private struct Picture {
        let cells: [[Bool]]
        let top: Int
        let dotRows: Int

        /// Three digits with a dot between them; blanks before a smaller number.
        func number(in face: [[String]]) -> Int? {
            let width = face[0][0].count
            var digits: [Int?] = []
            for place in 0..<3 {
                let left = place * (width + 1)
                if place > 0, !isBlank(left - 1, rows: face[0].count) { return nil }
                let glyph = glyph(left: left, width: width, rows: face[0].count)
                guard let glyph else { return nil }
                let isEmpty = glyph.allSatisfy { !$0.contains("#") }
                guard let digit = face.firstIndex(of: glyph) else {
                    guard isEmpty, digits.allSatisfy({ $0 == nil }) else { return nil }
                    digits.append(nil)
                    continue
                }
                digits.append(digit)
            }
            guard digits.last != .some(nil) else { return nil }
            return digits.compactMap { $0 }.reduce(0) { $0 * 10 + $1 }
        }

        private func glyph(left: Int, width: Int, rows: Int) -> [String]? {
            var lines: [String] = []
            for row in 0..<rows {
                var line = ""
                for column in left..<(left + width) {
                    guard let dot = dot(row, column) else { return nil }
                    line += dot ? "#" : "."
                }
                lines.append(line)
            }
            return lines
        }

        private func isBlank(_ column: Int, rows: Int) -> Bool {
            (0..<rows).allSatisfy { dot($0, column) == false }
        }

        /// Whether a dot is there; nil when it is there in part.
        private func dot(_ row: Int, _ column: Int) -> Bool? {
            var seen: Set<Bool> = []
            for y in 0..<dotRows {
                for x in 0..<(2 * dotRows) {
                    let line = top + row * dotRows + y
                    let place = 1 + column * 2 * dotRows + x
                    let isIn = cells.indices.contains(line) && cells[line].indices.contains(place)
                    seen.insert(isIn && cells[line][place])
                }
            }
            return seen.count == 1 ? seen.first : nil
        }
    }

    private static let sturdy = digits(
        """
        ### #.# #.# #.# ###|.#. ##. .#. .#. ###|### ..# ### #.. ###|### ..# ### ..# ###
        #.# #.# ### ..# ..#|### #.. ### ..# ###|### #.. ### #.# ###|### ..# ..# ..# ..#
        ### #.# ### #.# ###|### #.# ### ..# ###
        """)
    private static let fine = digits(
        """
        .###. #...# #...# #...# #...# #...# .###.|..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.
        .###. #...# ....# ...#. ..#.. .#... #####|.###. #...# ....# ..##. ....# #...# .###.
        ...#. ..##. .#.#. #..#. ##### ...#. ...#.|##### #.... ####. ....# ....# #...# .###.
        .###. #.... #.... ####. #...# #...# .###.|##### ....# ...#. ..#.. ..#.. .#... .#...
        .###. #...# #...# .###. #...# #...# .###.|.###. #...# #...# .#### ....# ....# .###.
        """)

    /// From 0 to 9, the rows of each.
    private static func digits(_ text: String) -> [[String]] {
        text.split { $0 == "|" || $0 == "\n" }
            .map { $0.split(separator: " ").map(String.init) }
    }
}
