package import Platform

/// The progress of something that takes longer than a moment, as a line at a terminal on standard error.
package struct ProgressLine {
    private static let pauseNanoseconds: Int64 = 250_000_000

    private let screen: TerminalScreen?
    private let clock: any BootClock
    private let title: String
    private let start: BootInstant
    private var next: BootInstant

    /// Makes the progress of something that starts now; nothing is shown elsewhere.
    ///
    /// - Parameter title: What the line starts with.
    package init(_ environment: Environment, clock: any BootClock, title: String = "") {
        screen = TerminalScreen.forProgress(environment)
        self.clock = clock
        self.title = title
        start = clock.now()
        next = start.adding(nanoseconds: Self.pauseNanoseconds)
    }

    /// Whether there is a terminal that shows the line.
    package var isShown: Bool { screen != nil }

    /// Shows the number of records and the rate, four times per second.
    package mutating func show(count: Int) {
        show { Self.rate(of: count, seconds: $0) }
    }

    /// Shows the share of the records, their number, the rate and the time left, four times per second.
    package mutating func show(count: Int, of expected: Int) {
        show { seconds in
            let share = "\(Self.percent(count, of: expected)) %"
            let left = Self.left(read: count, remaining: expected - count, seconds: seconds)
            return ([share, Self.rate(of: count, seconds: seconds)] + left).joined(separator: ", ")
        }
    }

    /// Shows the share of bytes, the rate and the time left, four times per second.
    package mutating func show(bytes: Int, of size: Int) {
        show { seconds in
            let share = "\(Self.percent(bytes, of: size)) % of \(Self.mebibytes(size))"
            let rate = "\(Self.mebibytes(Int(Double(bytes) / max(seconds, 0.001))))/s"
            let left = Self.left(read: bytes, remaining: size - bytes, seconds: seconds)
            return ([share, rate] + left).joined(separator: ", ")
        }
    }

    /// Shows what `line` returns for the seconds since the start, four times per second.
    package mutating func show(_ line: (Double) -> String) {
        guard let screen else { return }
        let now = clock.now()
        guard now >= next else { return }
        next = now.adding(nanoseconds: Self.pauseNanoseconds)
        screen.show([title + line(Double(now.nanoseconds(since: start)) / 1e9)])
    }

    /// Removes the line.
    package func end() { screen?.show([]) }

    /// The share of something in percent.
    package static func percent(_ position: Int, of size: Int) -> Int {
        max(0, min(100, Int(Double(position) / Double(max(size, 1)) * 100)))
    }

    /// The time left at the rate so far; empty in the first second.
    package static func left(read: Int, remaining: Int, seconds: Double) -> [String] {
        guard seconds >= 1, read > 0 else { return [] }
        let left = Double(max(0, remaining)) * seconds / Double(read)
        guard left < 360_000 else { return [] }
        let whole = Int(left.rounded(.up))
        return [whole < 90 ? "\(whole) s left" : "\((whole + 59) / 60) min left"]
    }

    /// The number of records and the rate.
    package static func rate(of count: Int, seconds: Double) -> String {
        "\(count) records, \(Int(Double(count) / max(seconds, 0.001))) records/s"
    }

    private static func mebibytes(_ bytes: Int) -> String { "\(max(1, bytes >> 20)) MiB" }
}

extension TerminalScreen {
    /// The screen of standard error for a line of progress; nil if it is not a terminal with a movable cursor.
    package static func forProgress(_ environment: Environment) -> TerminalScreen? {
        let canMoveCursor = environment["TERM"].map { $0 != "dumb" } ?? false
        return StandardStream.error.isTerminal && canMoveCursor
            ? TerminalScreen(stream: .error) : nil
    }
}
