package import Platform
import Terminal

/// The progress of a transfer, as a line at a terminal on standard error.
package struct TransferProgress {
    private static let pauseNanoseconds: Int64 = 250_000_000

    private let screen: TerminalScreen?
    private let clock: any BootClock
    private let title: String
    private let start: BootInstant
    private var next: BootInstant
    /// The number of bytes of the file that were read before.
    private var firstPosition = 0

    /// Makes the progress of a transfer that starts now; nothing is shown elsewhere.
    ///
    /// - Parameter title: What the line starts with.
    package init(_ environment: Environment, clock: any BootClock, title: String = "") {
        let canMoveCursor = environment["TERM"].map { $0 != "dumb" } ?? false
        let isShown = StandardStream.error.isTerminal && canMoveCursor
        screen = isShown ? TerminalScreen(stream: .error) : nil
        self.clock = clock
        self.title = title
        start = clock.now()
        next = start.adding(nanoseconds: Self.pauseNanoseconds)
    }

    /// Starts in the middle of a file.
    mutating func start(at position: Int) { firstPosition = position }

    /// Shows the share of the file, the rate and the time left, four times per second.
    mutating func show(_ pieces: FilePieces, count: Int) {
        let first = firstPosition
        show { seconds in
            let (position, size) = (pieces.position, pieces.size)
            let share = "\(Self.percent(position, of: size)) % of \(max(1, size >> 20)) MiB"
            let left = Self.left(
                read: position - first, remaining: size - position, seconds: seconds)
            return ([share, Self.rate(of: count, seconds: seconds)] + left).joined(separator: ", ")
        }
    }

    /// Shows the rate alone, four times per second.
    package mutating func show(count: Int) {
        show { Self.rate(of: count, seconds: $0) }
    }

    /// Shows the number of records, the rate and the time left, four times per second.
    mutating func show(count: Int, of expected: Int) {
        show { seconds in
            let share = "\(Self.percent(count, of: expected)) %"
            let left = Self.left(read: count, remaining: expected - count, seconds: seconds)
            return ([share, Self.rate(of: count, seconds: seconds)] + left).joined(separator: ", ")
        }
    }

    private mutating func show(_ line: (Double) -> String) {
        guard let screen else { return }
        let now = clock.now()
        guard now >= next else { return }
        next = now.adding(nanoseconds: Self.pauseNanoseconds)
        screen.show([title + line(Double(now.nanoseconds(since: start)) / 1e9)])
    }

    /// Removes the line.
    package func end() { screen?.show([]) }

    /// The share of a file in percent.
    static func percent(_ position: Int, of size: Int) -> Int {
        max(0, min(100, Int(Double(position) / Double(max(size, 1)) * 100)))
    }

    /// The time left at the rate so far; empty in the first second.
    static func left(read: Int, remaining: Int, seconds: Double) -> [String] {
        guard seconds >= 1, read > 0 else { return [] }
        let left = Double(max(0, remaining)) * seconds / Double(read)
        guard left < 360_000 else { return [] }
        let whole = Int(left.rounded(.up))
        return [whole < 90 ? "\(whole) s left" : "\((whole + 59) / 60) min left"]
    }

    private static func rate(of count: Int, seconds: Double) -> String {
        "\(count) records, \(Int(Double(count) / max(seconds, 0.001))) records/s"
    }
}
