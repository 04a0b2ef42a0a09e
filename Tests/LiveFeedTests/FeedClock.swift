import GatewayCore
import GatewayTesting
import Platform
import Readings
import Synchronization

/// A manual clock that knows how long its sleepers sleep: the tick of a feed a second, other changes less.
final class FeedClock: GatewayClock {
    private struct Sleep {
        let start: BootInstant
        let seconds: Double
    }

    private let clock = ManualClock()
    private let sleeps = Mutex<(last: Int, current: [Int: Sleep])>((0, [:]))

    func now() -> BootInstant { clock.now() }

    func epoch() -> ClockEpoch { clock.epoch() }

    func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
        try await clock.epoch(after: old)
    }

    func isSynchronized() -> Bool? { true }

    var sleeperCount: Int { clock.sleeperCount }

    func advance(seconds: Double) { clock.advance(seconds: seconds) }

    func stepWallClock(seconds: Double) { clock.stepWallClock(seconds: seconds) }

    func sleep(until deadline: BootInstant) async throws {
        let start = now()
        let sleep = Sleep(start: start, seconds: deadline.seconds(since: start))
        let number = sleeps.withLock { sleeps in
            sleeps.last += 1
            sleeps.current[sleeps.last] = sleep
            return sleeps.last
        }
        defer { sleeps.withLock { $0.current[number] = nil } }
        try await clock.sleep(until: deadline)
    }

    /// Waits until a task sleeps for this time, since this moment at the earliest.
    func waitForSleep(seconds: Double, since start: BootInstant? = nil) async {
        while !sleeps.withLock({ sleeps in
            sleeps.current.values.contains { sleep in
                sleep.seconds == seconds && start.map { sleep.start >= $0 } ?? true
            }
        }) { await Task.yield() }
    }
}
