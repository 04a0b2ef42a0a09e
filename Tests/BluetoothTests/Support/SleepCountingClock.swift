import GatewayCore
import GatewayTesting
import Synchronization

/// A clock set by hand that knows who sleeps on it.
final class SleepCountingClock: GatewayClock {
    private struct Counts {
        var begun = 0
        var ended = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let clock = ManualClock()
    private let counts = Mutex(Counts())

    /// How many sleeps have begun.
    var begun: Int { counts.withLock { $0.begun } }
    /// How many sleep now.
    var sleeping: Int { counts.withLock { $0.begun - $0.ended } }

    func now() -> BootInstant { clock.now() }

    func epoch() -> ClockEpoch { clock.epoch() }

    func advance(seconds: Double) { clock.advance(seconds: seconds) }

    /// Returns as soon as at least so many sleep.
    func waitForSleepers(_ count: Int) async { await clock.waitForSleepers(count) }

    /// Returns as soon as so many sleeps have ended, in one way or another.
    func waitForEndedSleeps(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = counts.withLock { counts in
                guard counts.ended < count else { return true }
                counts.waiters.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    func sleep(until deadline: BootInstant) async throws {
        counts.withLock { $0.begun += 1 }
        defer { noteEnd() }
        try await clock.sleep(until: deadline)
    }

    private func noteEnd() {
        let met = counts.withLock { counts in
            counts.ended += 1
            let ended = counts.ended
            defer { counts.waiters.removeAll { $0.count <= ended } }
            return counts.waiters.filter { $0.count <= ended }
        }
        for waiter in met { waiter.continuation.resume() }
    }
}
