import Glibc
import Synchronization

/// An event loop without a thread: its turns run on the threads of a pool, one at a time.
///
/// What arrives is handled by the thread that it wakes, and so is the work that this gives to the
/// pool: nothing is passed from thread to thread. A turn runs the posted actions, lets the
/// ``LoopDriver`` work, and then asks it what to wait for, as an ``EventLoop`` does.
package final class PooledLoop<Driver: LoopDriver & SendableMetatype>: Sendable {
    /// Work for the loop.
    package typealias Action = @Sendable (Driver) -> Void

    /// The rounds of a turn before other work of the pool has the thread.
    private static var roundLimit: Int { 16 }

    private struct State {
        var actions: [Action] = []
        /// Whether a turn runs, or waits for a thread.
        var isScheduled = false
        /// Whether the descriptors had an event since the last round began.
        var isReady = false
        var isStopping = false
        var hasEnded = false

        /// Returns true if a turn is to be started.
        mutating func schedule() -> Bool {
            defer { isScheduled = true }
            return !isScheduled
        }
    }

    /// What only a turn touches.
    private struct Core {
        let driver: Driver
        let waits: DriverWaits
        var number: UInt64 = 0
    }

    private let state = Mutex(State())
    private let core: Mutex<Core>
    private let queue: WorkQueue
    private let place: PollLoop
    /// Retained because the place is watched only as long as the poller lives.
    private let poller: DescriptorPoller
    /// The `pthread_self()` of the thread that runs a turn; 0 between the turns.
    private let identity = Atomic<UInt>(0)

    private init(
        _ core: sending Core, queue: WorkQueue, place: PollLoop, poller: DescriptorPoller
    ) {
        self.core = Mutex(core)
        self.queue = queue
        self.place = place
        self.poller = poller
    }

    /// Makes a loop on the pool whose idle threads serve a poller; nil if no pool does.
    ///
    /// The driver must not wait itself (``LoopWait/byDriver``).
    package static func start(
        on poller: DescriptorPoller, makeDriver: () -> sending Driver
    ) throws(LoopFailure) -> PooledLoop? {
        let place = try poller.madeLoop()
        guard let queue = place.queue else { return nil }
        let waits = try DriverWaits()
        let descriptor = waits.descriptor
        let loop = PooledLoop(
            Core(driver: makeDriver(), waits: waits), queue: queue, place: place, poller: poller)
        // The handler retains the loop until it has ended.
        let number = try place.add(descriptor) { loop.noteReady() }
        loop.core.withLock { $0.number = number }
        return loop
    }

    /// Whether the caller is in a turn of the loop.
    package var isCurrent: Bool { identity.load(ordering: .acquiring) == UInt(pthread_self()) }

    /// Schedules an action, after all actions posted before.
    ///
    /// After the loop has ended, the action is discarded.
    package func post(_ action: @escaping Action) {
        let mustStart = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.actions.append(action)
            return state.schedule()
        }
        if mustStart { startTurn() }
    }

    /// Ends the loop as soon as no action waits and the driver is idle.
    package func stop() {
        let mustStart = state.withLock { state in
            state.isStopping = true
            return state.schedule()
        }
        if mustStart { startTurn() }
    }

    private func noteReady() {
        let mustStart = state.withLock { state in
            state.isReady = true
            return state.schedule()
        }
        if mustStart { startTurn() }
    }
}

// MARK: - Turns

extension PooledLoop {
    private enum Next {
        case round
        case turn
        case rest
        case end
    }

    /// Lets a thread of the pool take a turn; after the pool has ended, the caller does.
    private func startTurn() {
        guard !queue.add({ self.turn() }) else { return }
        while takeTurn() {}
    }

    private func turn() {
        if takeTurn() { startTurn() }
    }

    /// Works until there is nothing to do, or others have waited long enough; true if there is more.
    private func takeTurn() -> Bool {
        core.withLock { core in
            identity.store(UInt(pthread_self()), ordering: .releasing)
            defer { identity.store(0, ordering: .releasing) }
            for _ in 0..<Self.roundLimit {
                switch round(core) {
                case .round: continue
                case .turn: return true
                case .rest: return false
                case .end:
                    place.remove(core.waits.descriptor, core.number)
                    return false
                }
            }
            return true
        }
    }

    private func round(_ core: Core) -> Next {
        let actions = takeActions()
        // Before the actions, which may change what the driver waits for.
        let ready = core.waits.ready()
        if !ready.isEmpty { core.driver.noteReady(ready[...]) }
        for action in actions { action(core.driver) }
        let isBusy = core.driver.process()
        let isDue = wait(core, isBusy: isBusy)
        let isIdle = core.driver.isIdle
        return state.withLock { state in
            if state.isStopping, isIdle, state.actions.isEmpty {
                state.hasEnded = true
                return .end
            }
            // What the driver has given to the pool comes first.
            if isBusy { return .turn }
            if isDue || state.isReady || !state.actions.isEmpty { return .round }
            state.isScheduled = false
            return .rest
        }
    }

    private func takeActions() -> [Action] {
        state.withLock { state in
            state.isReady = false
            defer { state.actions.removeAll() }
            return state.actions
        }
    }

    /// Waits for what the driver waits for, unless it has work already; returns whether it is due.
    private func wait(_ core: Core, isBusy: Bool) -> Bool {
        guard case .descriptors(let descriptors, let deadline) = core.driver.nextWait() else {
            return false
        }
        let isDue = core.waits.update(descriptors, deadline: deadline)
        // The descriptor of the set is open as long as the loop.
        if !isBusy, !isDue { try? place.arm(core.waits.descriptor, core.number, for: .readable) }
        return isDue
    }
}
