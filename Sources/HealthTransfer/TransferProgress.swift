package import Platform
import Terminal

/// The progress of a transfer, as a line at a terminal on standard error.
package struct TransferProgress {
    private static let pauseNanoseconds: Int64 = 250_000_000

    private let screen: TerminalScreen?
    private let clock: any BootClock
    private let start: BootInstant
    private var next: BootInstant

    /// Makes the progress of a transfer that starts now; nothing is shown elsewhere.
    package init(_ environment: Environment, clock: any BootClock) {
        let canMoveCursor = environment["TERM"].map { $0 != "dumb" } ?? false
        let isShown = StandardStream.error.isTerminal && canMoveCursor
        screen = isShown ? TerminalScreen(stream: .error) : nil
        self.clock = clock
        start = clock.now()
        next = start.adding(nanoseconds: Self.pauseNanoseconds)
    }

    /// Shows the share of the file and the rate, four times per second.
    mutating func show(_ pieces: FilePieces, count: Int) {
        show { seconds in
            let share = Self.share(read: pieces.readCount, of: pieces.size)
            return "\(share), \(Self.rate(of: count, seconds: seconds))"
        }
    }

    /// Shows the rate alone, four times per second.
    mutating func show(count: Int) {
        show { Self.rate(of: count, seconds: $0) }
    }

    private mutating func show(_ line: (Double) -> String) {
        guard let screen else { return }
        let now = clock.now()
        guard now >= next else { return }
        next = now.adding(nanoseconds: Self.pauseNanoseconds)
        screen.show([line(Double(now.nanoseconds(since: start)) / 1e9)])
    }

    /// Removes the line.
    func end() { screen?.show([]) }

    private static func share(read: Int, of size: Int) -> String {
        let share = min(100, Int(Double(read) / Double(max(size, 1)) * 100))
        return "\(share) % of \(max(1, size >> 20)) MiB"
    }

    private static func rate(of count: Int, seconds: Double) -> String {
        "\(count) records, \(Int(Double(count) / max(seconds, 0.001))) records/s"
    }
}
