package import HealthModel
import Platform
import Synchronization

/// Tells the time as the records of sources are dated, for whoever dates something else beside them.
package final class DatedClock: Sendable {
    private let clock: any GatewayClock
    private let dating: Mutex<TimestampResolver>

    /// Makes it for a clock that is not set while it shows a time before `earliest`.
    package init(_ clock: any GatewayClock, earliest: Instant) {
        self.clock = clock
        dating = Mutex(TimestampResolver(earliest: earliest))
    }

    /// The present time; nil as long as nobody has set the clock.
    ///
    /// A clock that was right and is set to a time that cannot be is not followed.
    package func now() -> Instant? {
        dating.withLock { dating in
            let moment = clock.now()
            _ = dating.look(at: clock.epoch(), now: moment)
            return dating.epoch?.instant(at: moment)
        }
    }

    /// Waits until the clock is set, and wakes up for nothing else.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func waitUntilSet() async throws {
        var epoch = clock.epoch()
        while now() == nil { epoch = try await clock.epoch(after: epoch) }
    }
}
