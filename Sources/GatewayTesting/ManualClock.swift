public import GatewayCore
public import Platform
public import Readings
import Synchronization

/// A clock that a test advances.
public final class ManualClock: GatewayClock {
    private struct Sleeper {
        let id: Int
        let deadline: BootInstant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: BootInstant
        var epoch: ClockEpoch
        var isSynchronized: Bool? = true
        var nextID = 0
        var stepWatchers: [Int: CheckedContinuation<Void, Never>] = [:]
        var sleepers: [Sleeper] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var cancelled: Set<Int> = []

        mutating func removeReadyWatchers() -> [CheckedContinuation<Void, Never>] {
            let ready = watchers.filter { $0.count <= sleepers.count }
            watchers.removeAll { $0.count <= sleepers.count }
            return ready.map(\.continuation)
        }
    }

    private let state: Mutex<State>

    /// Makes a clock that shows `now`; UTC is `epochOffset` nanoseconds ahead of it.
    public init(
        now: BootInstant = BootInstant(nanoseconds: 1_000_000_000_000),
        epochOffset: Int64 = 1_795_000_000_000_000_000
    ) {
        state = Mutex(
            State(now: now, epoch: ClockEpoch(number: 0, offsetNanoseconds: epochOffset)))
    }

    /// The current time of the clock.
    public func now() -> BootInstant { state.withLock { $0.now } }

    /// The current epoch.
    public func epoch() -> ClockEpoch { state.withLock { $0.epoch } }

    /// Whether the wall clock is synchronized, as set by the test.
    public func isSynchronized() -> Bool? { state.withLock { $0.isSynchronized } }

    /// Sets whether the wall clock is synchronized.
    public func setSynchronized(_ isSynchronized: Bool?) {
        state.withLock { $0.isSynchronized = isSynchronized }
    }

    /// Starts a new epoch, as a step of the wall clock does.
    public func stepWallClock(seconds: Double) {
        let watchers = state.withLock { state in
            let offset = state.epoch.offsetNanoseconds + Int64(seconds * 1e9)
            state.epoch = ClockEpoch(number: state.epoch.number + 1, offsetNanoseconds: offset)
            defer { state.stepWatchers = [:] }
            return state.stepWatchers.values
        }
        for watcher in watchers { watcher.resume() }
    }

    /// Waits until the test has stepped the wall clock.
    public func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.epoch.number != old.number || Task.isCancelled { return true }
                    state.stepWatchers[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.stepWatchers.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
        return epoch()
    }

    /// Advances the clock and wakes the tasks whose deadline has passed.
    public func advance(seconds: Double) {
        let due = state.withLock { state in
            state.now = state.now.adding(nanoseconds: Int64(seconds * 1e9))
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// The number of tasks that sleep now.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until at least `count` tasks sleep on this clock.
    public func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.watchers.append((count, continuation))
                return state.removeReadyWatchers()
            }
            for watcher in ready { watcher.resume() }
        }
    }

    /// Waits until the test has advanced the clock to the deadline.
    public func sleep(until deadline: BootInstant) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleep(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func sleep(_ sleeper: Sleeper) {
        enum Start { case waiting([CheckedContinuation<Void, Never>]), due, cancelled }
        let start = state.withLock { state -> Start in
            if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers.append(sleeper)
            return .waiting(state.removeReadyWatchers())
        }
        switch start {
        case .due: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .waiting(let watchers): for watcher in watchers { watcher.resume() }
        }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
