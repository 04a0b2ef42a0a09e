import Terminal

extension ProgressLine {
    /// Shows the share of the file, the rate and the time left, four times per second.
    ///
    /// - Parameter first: The number of bytes that were read before.
    mutating func show(_ pieces: FilePieces, count: Int, after first: Int) {
        show { seconds in
            let (position, size) = (pieces.position, pieces.size)
            let share = "\(Self.percent(position, of: size)) % of \(max(1, size >> 20)) MiB"
            let left = Self.left(
                read: position - first, remaining: size - position, seconds: seconds)
            return ([share, Self.rate(of: count, seconds: seconds)] + left).joined(separator: ", ")
        }
    }
}
