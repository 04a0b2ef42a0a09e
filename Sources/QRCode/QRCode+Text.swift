/// A code as text for a terminal, two rows of modules in a line.
extension QRCode {
    /// The width of the light border in modules (ISO/IEC 18004, 6.3.8).
    private static let border = 4

    /// The number of columns that the text needs.
    package var width: Int { size + 2 * Self.border }

    /// The lines of the text.
    ///
    /// - Parameter drawsDark: Whether the dark modules are drawn, for black text on white; or the light ones,
    ///   so that a terminal with a dark background shows the code as it must be.
    package func lines(drawsDark: Bool) -> [String] {
        let blank = [Bool](repeating: false, count: width)
        let edge = [[Bool]](repeating: blank, count: Self.border)
        let side = [Bool](repeating: false, count: Self.border)
        let all = edge + rows.map { side + $0 + side } + edge + [blank]
        return stride(from: 0, to: all.count - 1, by: 2).map { index in
            line(all[index], all[index + 1], drawsDark)
        }
    }

    private func line(_ upper: [Bool], _ lower: [Bool], _ drawsDark: Bool) -> String {
        zip(upper, lower).map { upper, lower in
            switch (upper == drawsDark, lower == drawsDark) {
            case (true, true): "█"
            case (true, false): "▀"
            case (false, true): "▄"
            case (false, false): " "
            }
        }.joined()
    }
}
