/// A code as text for a terminal, two rows of modules in a line.
extension QRCode {
    /// The width of the light border in modules (ISO/IEC 18004, 6.3.8).
    private static let border = 4

    /// The number of columns that the text needs.
    package var width: Int { size + 2 * Self.border }

    /// The text with its line breaks.
    ///
    /// - Parameter hasColors: Whether the terminal shows colours: then dark is black on white. Without them
    ///   light modules are drawn, so that a terminal with a dark background shows the code as it must be.
    package func text(hasColors: Bool) -> String {
        let blank = [Bool](repeating: false, count: width)
        let edge = [[Bool]](repeating: blank, count: Self.border)
        let side = [Bool](repeating: false, count: Self.border)
        let all = edge + rows.map { side + $0 + side } + edge + [blank]
        return stride(from: 0, to: all.count - 1, by: 2).map { index in
            line(all[index], all[index + 1], hasColors)
        }.joined()
    }

    private func line(_ upper: [Bool], _ lower: [Bool], _ hasColors: Bool) -> String {
        let cells = zip(upper, lower).map { upper, lower in
            // The drawn half is dark with colours, else light.
            switch (upper == hasColors, lower == hasColors) {
            case (true, true): "█"
            case (true, false): "▀"
            case (false, true): "▄"
            case (false, false): " "
            }
        }.joined()
        return hasColors ? "\u{1B}[30;107m\(cells)\u{1B}[0m\n" : cells + "\n"
    }
}
