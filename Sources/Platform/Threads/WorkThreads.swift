import Glibc
import Synchronization

/// A few threads that work off one queue, first come, first served; one thread does so in order.
///
/// They sleep while there is nothing to do. Libdispatch's queues would do the same, but once one of them
/// was used on Linux it looks after its threads every second for as long as the process lives, and a
/// small machine never gets to rest.
package final class WorkThreads: Sendable {
    package typealias Work = @Sendable () -> Void

    private let core: Core

    /// Starts the threads; they end with this object, after what is left to do.
    package init(name: String, count: Int) {
        core = Core()
        for _ in 0..<count {
            SystemThread.start(name: name) { [core] in core.workUntilTheEnd() }
        }
    }

    deinit {
        core.end()
    }

    /// Lets one of the threads do this.
    package func async(_ work: @escaping Work) {
        core.add(work)
    }

    /// Whether the caller runs on one of these threads.
    var isCurrent: Bool { core.isCurrent }

    /// What the threads share; they must not hold the object whose end ends them.
    private final class Core: Sendable {
        private struct State {
            /// What was added since `next` was filled, oldest first.
            var added: [Work] = []
            /// What comes next, newest first.
            var next: [Work] = []
            var threads: [pthread_t] = []
            var sleeping = 0
            var isEnding = false

            /// Whether a thread is one of these.
            func isOne(_ thread: pthread_t) -> Bool {
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

        /// What a thread does next.
        private enum Step {
            case work(Work)
            case sleep
            case end
        }

        private let state = Mutex(State())
        /// Signalled once for every thread that was counted as sleeping and is not any more.
        private let wakeUp = Semaphore()

        var isCurrent: Bool {
            let current = pthread_self()
            return state.withLock { $0.isOne(current) }
        }

        /// One of the threads that leaves a single piece of work does it itself, as soon as it is done with
        /// what it does now: to wake another one, which may run elsewhere, costs more than most work.
        func add(_ work: @escaping Work) {
            let current = pthread_self()
            let mustWake = state.withLock { state in
                let isOnly = state.added.isEmpty && state.next.isEmpty
                state.added.append(work)
                guard state.sleeping > 0, !(isOnly && state.isOne(current)) else { return false }
                state.sleeping -= 1
                return true
            }
            if mustWake { wakeUp.signal() }
        }

        func end() {
            let sleeping = state.withLock { state in
                state.isEnding = true
                defer { state.sleeping = 0 }
                return state.sleeping
            }
            for _ in 0..<sleeping { wakeUp.signal() }
        }

        func workUntilTheEnd() {
            let current = pthread_self()
            state.withLock { $0.threads.append(current) }
            while true {
                switch nextStep() {
                case .work(let work): work()
                case .sleep: wakeUp.wait()
                case .end: return
                }
            }
        }

        private func nextStep() -> Step {
            state.withLock { state in
                if let work = state.takeWork() { return .work(work) }
                if state.isEnding { return .end }
                state.sleeping += 1
                return .sleep
            }
        }
    }
}
