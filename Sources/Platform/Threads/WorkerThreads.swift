import Glibc
import Synchronization

/// A pool of threads that share one first-in, first-out queue; with one thread, work runs in order.
///
/// The threads sleep while the queue is empty. Libdispatch queues do that too, but on Linux, once
/// one was used, libdispatch wakes up every second as long as the process lives, which costs a
/// small machine power.
package final class WorkerThreads: Sendable {
    package typealias Work = @Sendable () -> Void

    private let core: Core
    private let name: String

    /// Starts the threads; they end with this object, after the remaining work.
    package convenience init(name: String, count: Int) {
        self.init(name: name, count: count, sleepingIn: Semaphore())
    }

    /// Starts threads that sleep in a place of their own choice.
    init(name: String, count: Int, sleepingIn place: any SleepingPlace) {
        core = Core(place)
        self.name = name
        for _ in 0..<count { startThread() }
    }

    private func startThread() {
        SystemThread.start(name: name) { [core] in core.runUntilEnd() }
    }

    /// Adds a thread, in place of one that does not return from its work.
    package func addThread() {
        startThread()
    }

    /// Removes a thread as soon as one has nothing to do.
    package func removeThread() {
        core.endOneThread()
    }

    deinit {
        core.end()
    }

    /// Runs work on one of the threads.
    package func async(_ work: @escaping Work) {
        core.add(work)
    }

    /// Whether the caller runs on one of these threads.
    var isCurrent: Bool { core.isCurrent }

    /// The shared state of the threads, which must not retain the object whose release ends them.
    private final class Core: Sendable {
        private struct State {
            /// The work added since `next` was filled, oldest first.
            var added: [Work] = []
            /// The work to run next, in reverse order.
            var next: [Work] = []
            var threads: [pthread_t] = []
            var sleeping = 0
            /// The number of threads that end when they have nothing to do.
            var surplus = 0
            var isEnding = false

            /// Whether a thread belongs to this pool.
            func contains(_ thread: pthread_t) -> Bool {
                threads.contains { pthread_equal($0, thread) != 0 }
            }

            mutating func takeWork() -> Work? {
                if next.isEmpty, !added.isEmpty {
                    swap(&next, &added)
                    next.reverse()
                }
                return next.popLast()
            }
        }

        /// The next step of a thread.
        private enum Step {
            case work(Work)
            case sleep
            case end(isLast: Bool)
        }

        private let state = Mutex(State())
        /// Signalled once for every thread that is no longer counted as sleeping.
        private let place: any SleepingPlace

        init(_ place: any SleepingPlace) { self.place = place }

        var isCurrent: Bool {
            let current = pthread_self()
            return state.withLock { $0.contains(current) }
        }

        /// Adds work and wakes a sleeping thread.
        ///
        /// A pool thread that adds a single piece of work runs it itself after its current one:
        /// waking another thread, perhaps on another core, costs more than most work.
        func add(_ work: @escaping Work) {
            let current = pthread_self()
            let mustWake = state.withLock { state in
                let isOnly = state.added.isEmpty && state.next.isEmpty
                state.added.append(work)
                guard state.sleeping > 0, !(isOnly && state.contains(current)) else { return false }
                state.sleeping -= 1
                return true
            }
            if mustWake { place.signal() }
        }

        func end() {
            let sleeping = state.withLock { state in
                state.isEnding = true
                defer { state.sleeping = 0 }
                return max(state.sleeping, 0)
            }
            for _ in 0..<sleeping { place.signal() }
        }

        func endOneThread() {
            let mustWake = state.withLock { state in
                state.surplus += 1
                guard state.sleeping > 0 else { return false }
                state.sleeping -= 1
                return true
            }
            if mustWake { place.signal() }
        }

        func runUntilEnd() {
            let current = pthread_self()
            state.withLock { $0.threads.append(current) }
            while true {
                switch nextStep(of: current) {
                case .work(let work): work()
                case .sleep: sleep()
                case .end(let isLast):
                    if isLast { place.leave() }
                    return
                }
            }
        }

        private func sleep() {
            guard !place.sleep() else { return }
            // Nobody has counted it as awake. Below zero, another thread will find a signal too many.
            state.withLock { $0.sleeping -= 1 }
        }

        private func nextStep(of current: pthread_t) -> Step {
            state.withLock { state in
                if let work = state.takeWork() { return .work(work) }
                if state.isEnding {
                    state.threads.removeAll { pthread_equal($0, current) != 0 }
                    return .end(isLast: state.threads.isEmpty)
                }
                if state.surplus > 0 {
                    state.surplus -= 1
                    state.threads.removeAll { pthread_equal($0, current) != 0 }
                    return .end(isLast: false)
                }
                state.sleeping += 1
                return .sleep
            }
        }
    }
}
