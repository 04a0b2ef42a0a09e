package import HealthModel
import Platform
import Readings
import Synchronization

/// A clock with the same dating as the records of sources, for other records.
package final class DatedClock: Sendable {
    private let clock: any GatewayClock
    private let resolver: Mutex<TimestampResolver>

    /// Makes a dated clock; times before `earliest` count as not set.
    package init(_ clock: any GatewayClock, earliest: Instant) {
        self.clock = clock
        resolver = Mutex(TimestampResolver(earliest: earliest))
    }

    /// Returns the present time; nil while the clock is not set.
    ///
    /// A change from a valid to an impossible time is ignored.
    package func now() -> Instant? {
        resolver.withLock { resolver in
            let moment = clock.now()
            _ = resolver.observe(at: clock.epoch(), now: moment)
            return resolver.epoch?.instant(at: moment)
        }
    }

    /// Waits until the clock is set, without polling.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func waitUntilSet() async throws {
        var epoch = clock.epoch()
        while now() == nil { epoch = try await clock.epoch(after: epoch) }
    }
}
