public import GatewayCore
public import Platform
import Synchronization

/// A clock set by hand that knows until when who sleeps on it.
public final class SleepCountingClock: GatewayClock {
    private struct State {
        var begun = 0
        var deadlines: [Int: BootInstant] = [:]
        var waiters: [(deadlines: [BootInstant], continuation: CheckedContinuation<Void, Never>)] =
            []

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            let present = deadlines.values.sorted()
            defer { waiters.removeAll { $0.deadlines == present } }
            return waiters.filter { $0.deadlines == present }.map(\.continuation)
        }
    }

    private let clock = ManualClock()
    private let state = Mutex(State())

    /// Makes a clock on which nobody sleeps.
    public init() {}

    /// How many sleeps have begun.
    public var begun: Int { state.withLock { $0.begun } }

    /// How many sleep.
    public var sleeperCount: Int { state.withLock { $0.deadlines.count } }

    /// What the clock shows.
    public func now() -> BootInstant { clock.now() }

    /// The epoch in force.
    public func epoch() -> ClockEpoch { clock.epoch() }

    /// Waits until another epoch than this one is in force.
    public func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
        try await clock.epoch(after: old)
    }

    /// Whether something keeps the wall clock right.
    public func isSynchronized() -> Bool? { clock.isSynchronized() }

    /// Moves the clock forward and wakes whoever waited for that.
    public func advance(seconds: Double) { clock.advance(seconds: seconds) }

    /// Returns as soon as these are the deadlines of all who sleep, in seconds from now.
    public func waitForSleepers(until seconds: Double...) async {
        let now = now()
        let deadlines = seconds.sorted().map { now.adding(nanoseconds: Int64($0 * 1e9)) }
        await withCheckedContinuation { continuation in
            let met = state.withLock { state in
                state.waiters.append((deadlines, continuation))
                return state.takeWaiters()
            }
            for waiter in met { waiter.resume() }
        }
    }

    /// Sleeps until the clock shows a moment.
    public func sleep(until deadline: BootInstant) async throws {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        change { $0.deadlines[number] = deadline }
        defer { change { $0.deadlines[number] = nil } }
        try await clock.sleep(until: deadline)
    }

    private func change(_ body: (inout sending State) -> Void) {
        let met = state.withLock { state in
            body(&state)
            return state.takeWaiters()
        }
        for waiter in met { waiter.resume() }
    }
}
