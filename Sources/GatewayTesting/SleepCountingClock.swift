public import GatewayCore
public import Platform
public import Readings
import Synchronization

/// A manual clock that reports the deadlines of its sleepers.
public final class SleepCountingClock: GatewayClock {
    private struct State {
        var startedCount = 0
        var deadlines: [Int: BootInstant] = [:]
        var waiters: [(deadlines: [BootInstant], continuation: CheckedContinuation<Void, Never>)] =
            []

        mutating func removeReadyWaiters() -> [CheckedContinuation<Void, Never>] {
            let present = deadlines.values.sorted()
            defer { waiters.removeAll { $0.deadlines == present } }
            return waiters.filter { $0.deadlines == present }.map(\.continuation)
        }
    }

    private let clock = ManualClock()
    private let state = Mutex(State())

    /// Makes a clock without sleepers.
    public init() {}

    /// The number of sleeps started so far.
    public var startedCount: Int { state.withLock { $0.startedCount } }

    /// The number of current sleepers.
    public var sleeperCount: Int { state.withLock { $0.deadlines.count } }

    /// The current time of the clock.
    public func now() -> BootInstant { clock.now() }

    /// The current epoch.
    public func epoch() -> ClockEpoch { clock.epoch() }

    /// Waits for an epoch other than this one.
    public func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
        try await clock.epoch(after: old)
    }

    /// Whether the wall clock is synchronized.
    public func isSynchronized() -> Bool? { clock.isSynchronized() }

    /// Advances the clock and wakes the tasks whose deadline has passed.
    public func advance(seconds: Double) { clock.advance(seconds: seconds) }

    /// Waits until the sleepers have exactly these deadlines, in seconds from now.
    public func waitForSleepers(until seconds: Double...) async {
        let now = now()
        let deadlines = seconds.sorted().map { now.adding(nanoseconds: Int64($0 * 1e9)) }
        await withCheckedContinuation { continuation in
            let met = state.withLock { state in
                state.waiters.append((deadlines, continuation))
                return state.removeReadyWaiters()
            }
            for waiter in met { waiter.resume() }
        }
    }

    /// Sleeps until a deadline.
    public func sleep(until deadline: BootInstant) async throws {
        let number = state.withLock { state in
            state.startedCount += 1
            return state.startedCount
        }
        change { $0.deadlines[number] = deadline }
        defer { change { $0.deadlines[number] = nil } }
        try await clock.sleep(until: deadline)
    }

    private func change(_ body: (inout sending State) -> Void) {
        let met = state.withLock { state in
            body(&state)
            return state.removeReadyWaiters()
        }
        for waiter in met { waiter.resume() }
    }
}
