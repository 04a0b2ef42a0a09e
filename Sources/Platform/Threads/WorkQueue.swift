import Synchronization

/// The queue of a pool: the work that waits, and the threads that sleep meanwhile.
///
/// Waking a thread, perhaps on another core, costs more than most work. So a thread of the pool does
/// a few pieces of work that it adds itself. If it is not done with them soon, because one of them
/// waits for a disk or does not return, a reminder wakes another thread.
final class WorkQueue: Sendable {
    typealias Work = WorkerThreads.Work

    /// The number of pieces that a thread of the pool leaves to itself.
    private static let ownWork = 2
    /// The pieces since it slept from which on a thread leaves itself only one.
    private static let busyCount = 16
    /// The time after which another thread takes what a thread has left to itself, in nanoseconds.
    private static let reminderNanoseconds: Int64 = 10_000_000

    private struct State {
        /// The work added since `next` was filled, oldest first.
        var added: [Work] = []
        /// The work to run next, in reverse order.
        var next: [Work] = []
        var threads = 0
        var sleeping = 0
        /// The number of threads that end when they have nothing to do.
        var surplus = 0
        var isEnding = false
        /// The time for which the timer of the place is set; nil if it is not.
        var reminder: BootInstant?

        var waiting: Int { added.count + next.count }

        mutating func takeWork() -> Work? {
            if next.isEmpty, !added.isEmpty {
                swap(&next, &added)
                next.reverse()
            }
            return next.popLast()
        }

        /// Takes a sleeping thread to wake, if there is one.
        mutating func takeSleeper() -> Bool {
            guard sleeping > 0 else { return false }
            sleeping -= 1
            return true
        }
    }

    /// The next step of a thread.
    enum Step {
        case work(Work)
        case sleep
    }

    private let state = Mutex(State())
    /// Signalled once for every thread that is no longer counted as sleeping.
    private let place: any SleepingPlace
    /// Whether the threads may wait for a disk on behalf of others, see ``CallerRunsExecutor``.
    let lendsThreads: Bool

    /// Makes an empty queue whose threads sleep in a place of their own choice.
    init(_ place: any SleepingPlace, lendsThreads: Bool = false) {
        self.place = place
        self.lendsThreads = lendsThreads
    }

    /// Adds work and wakes a sleeping thread, unless the caller will do it.
    ///
    /// - Returns: False if it was not added, because all threads have ended.
    @discardableResult
    func add(_ work: @escaping Work) -> Bool {
        let worker = PoolWorker.current.flatMap { $0.queue === self ? $0 : nil }
        let (isAdded, mustWake) = state.withLock { state in
            guard !state.isEnding || state.threads > 0 else { return (false, false) }
            defer { state.added.append(work) }
            guard state.sleeping > 0 else { return (true, false) }
            if let worker, leaves(toItself: worker, &state) { return (true, false) }
            return (true, state.takeSleeper())
        }
        if mustWake { place.signal() }
        return isAdded
    }

    /// Whether a thread of the pool does one more piece of work itself.
    private func leaves(toItself worker: PoolWorker, _ state: inout State) -> Bool {
        switch state.waiting {
        case 0: true
        case ..<Self.ownWork where worker.workCount < Self.busyCount: setReminder(&state)
        default: false
        }
    }

    /// Sets the reminder; false if the place has none.
    private func setReminder(_ state: inout State) -> Bool {
        let now = SystemTime.boot()
        if let reminder = state.reminder, reminder > now { return true }
        let reminder = now.adding(nanoseconds: Self.reminderNanoseconds)
        guard place.wake(at: reminder) else { return false }
        state.reminder = reminder
        return true
    }

    /// Ends the threads after the remaining work.
    func end() {
        let sleeping = state.withLock { state in
            state.isEnding = true
            defer { state.sleeping = 0 }
            return max(state.sleeping, 0)
        }
        for _ in 0..<sleeping { place.signal() }
    }

    /// Ends a thread as soon as one has nothing to do.
    func endOneThread() {
        let mustWake = state.withLock { state in
            state.surplus += 1
            return state.takeSleeper()
        }
        if mustWake { place.signal() }
    }

    // MARK: For the threads

    /// Counts a thread before it begins.
    func enter() { state.withLock { $0.threads += 1 } }

    /// Sleeps until there may be something to do.
    func sleep() {
        guard !place.sleep() else { return }
        // Nobody has counted it as awake. Below zero, another thread will find a signal too many.
        state.withLock { $0.sleeping -= 1 }
    }

    /// The next step of a thread; nil when it ends.
    func nextStep() -> Step? {
        let (step, mustWake, isLast) = state.withLock { state -> (Step?, Bool, Bool) in
            if let work = state.takeWork() { return (.work(work), mustPassOn(&state), false) }
            if state.isEnding || state.surplus > 0 {
                if !state.isEnding { state.surplus -= 1 }
                state.threads -= 1
                return (nil, false, state.isEnding && state.threads == 0)
            }
            if state.reminder != nil {
                _ = place.wake(at: nil)
                state.reminder = nil
            }
            state.sleeping += 1
            return (.sleep, false, false)
        }
        if mustWake { place.signal() }
        if isLast { place.leave() }
        return step
    }

    /// Whether another thread must do what waits longer than it should.
    private func mustPassOn(_ state: inout State) -> Bool {
        guard let reminder = state.reminder, state.waiting > 0, reminder <= SystemTime.boot()
        else { return false }
        return state.takeSleeper()
    }
}
