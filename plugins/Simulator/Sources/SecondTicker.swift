import GatewayCore
import Platform

/// The times of packets that are sent once a second, on a clock.
///
/// Times that are close together share a wake-up. After a long delay, such as a suspended machine, it
/// continues from the present time: the packets of that time would be a flood.
struct SecondTicker: Sendable {
    /// The minimum pause between two wake-ups.
    static let minimumPauseNanoseconds: Int64 = 10_000_000
    /// The maximum delay that is caught up, in seconds.
    static let maximumDelaySeconds = 60.0

    private let clock: any GatewayClock
    private var start: BootInstant

    /// Starts at the present time.
    init(on clock: any GatewayClock) {
        self.clock = clock
        start = clock.now()
    }

    /// Waits until a second and a phase after the start, and returns that time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    mutating func wait(forSecond second: Int, phase: Double) async throws -> BootInstant {
        try Task.checkCancellation()
        let due = start.adding(seconds: Double(second) + phase)
        let now = clock.now()
        if due > now {
            let pauseEnd = now.adding(nanoseconds: Self.minimumPauseNanoseconds)
            try await clock.sleep(until: max(due, pauseEnd))
        }
        // The sleep may have lasted longer.
        let delay = clock.now().seconds(since: due)
        guard delay > Self.maximumDelaySeconds else { return due }
        start = start.adding(seconds: delay)
        return due.adding(seconds: delay)
    }
}
