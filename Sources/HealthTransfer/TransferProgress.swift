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
        guard let screen else { return }
        let now = clock.now()
        guard now >= next else { return }
        next = now.adding(nanoseconds: Self.pauseNanoseconds)
        let seconds = Double(now.nanoseconds(since: start)) / 1e9
        screen.show([
            Self.line(
                read: pieces.readCount, of: pieces.size, records: count, seconds: seconds)
        ])
    }

    /// Removes the line.
    func end() { screen?.show([]) }

    static func line(read: Int, of size: Int, records: Int, seconds: Double) -> String {
        let share = min(100, Int(Double(read) / Double(max(size, 1)) * 100))
        let rate = Int(Double(records) / max(seconds, 0.001))
        return "\(share) % of \(max(1, size >> 20)) MiB, \(records) records, \(rate) records/s"
    }
}
