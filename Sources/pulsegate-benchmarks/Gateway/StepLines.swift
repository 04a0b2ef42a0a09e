/// The output of a text pedometer that counts one step a line.
enum StepLines {
    /// The number of bytes in one write to the terminal.
    private static let pieceLength = 65_536

    /// One line.
    static func line(_ steps: Int) -> [UInt8] { Array("Steps: \(steps)\n".utf8) }

    /// Makes lines in large pieces.
    static func pieces(of count: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var piece: [UInt8] = []
        for steps in 0..<count {
            piece += line(steps)
            if piece.count >= pieceLength {
                pieces.append(piece)
                piece = []
            }
        }
        pieces.append(piece)
        return pieces
    }
}
