import CThreads
import Glibc
import Synchronization

/// Lets tasks sleep until moments of the boot clock, with one thread that wakes up only for them.
///
/// `Task.sleep` would do the same on libdispatch's threads, which wake up every second once they are
/// used. A timer of the kernel on `CLOCK_BOOTTIME` (timerfd_create(2)) runs while the machine is
/// suspended, and is set anew without waking the thread that waits for it.
package final class SleepTimer: Sendable {
    private let core: Core

    /// Makes a timer; its thread starts with the first sleep and ends with this object.
    ///
    /// The program stops when the system has no timer left: nothing could wait then.
    package init() {
        let descriptor = cthreads_make_timer()
        guard descriptor >= 0 else {
            fatalError("cannot make a timer: \(SystemCall.message(of: errno))")
        }
        core = Core(descriptor: descriptor)
    }

    deinit {
        core.end()
    }

    /// Sleeps until the boot clock has reached a moment; at once when it has already.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: BootInstant) async throws {
        let number = core.nextNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isRefused = core.add(
                    Sleeper(deadline: deadline, number: number, continuation: continuation))
                if isRefused { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            core.remove(number)?.continuation.resume(throwing: CancellationError())
        }
    }
}

/// A task that sleeps.
private struct Sleeper: Sendable {
    let deadline: BootInstant
    let number: UInt64
    let continuation: CheckedContinuation<Void, any Error>
}

/// What the thread needs; it must not hold the object whose end ends it.
private final class Core: Sendable {
    private struct State {
        /// The next to be woken comes last.
        var sleepers: [Sleeper] = []
        var lastNumber: UInt64 = 0
        var isThreadStarted = false
        var isEnding = false

        mutating func insert(_ sleeper: Sleeper) {
            let place = sleepers.firstIndex { $0.deadline <= sleeper.deadline }
            sleepers.insert(sleeper, at: place ?? sleepers.endIndex)
        }

        mutating func takeDue(at now: BootInstant) -> [Sleeper] {
            let first = sleepers.firstIndex { $0.deadline <= now } ?? sleepers.endIndex
            defer { sleepers.removeSubrange(first...) }
            return sleepers[first...].reversed()
        }
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    func nextNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Notes a sleeper of the present task; true when that is cancelled already.
    func add(_ sleeper: Sleeper) -> Bool {
        state.withLock { state in
            // The cancellation came before the sleeper and has not found it.
            if Task.isCancelled { return true }
            state.insert(sleeper)
            if state.sleepers.last?.number == sleeper.number { set(sleeper.deadline) }
            startThread(&state)
            return false
        }
    }

    /// Takes a sleeper out, who may be awake already.
    func remove(_ number: UInt64) -> Sleeper? {
        state.withLock { state in
            guard let place = state.sleepers.lastIndex(where: { $0.number == number })
            else { return nil }
            defer {
                let wasNext = place == state.sleepers.endIndex - 1
                state.sleepers.remove(at: place)
                if wasNext { set(state.sleepers.last?.deadline) }
            }
            return state.sleepers[place]
        }
    }

    func end() {
        state.withLock { state in
            state.isEnding = true
            set(BootInstant(nanoseconds: 0))
        }
    }

    private func startThread(_ state: inout State) {
        guard !state.isThreadStarted else { return }
        state.isThreadStarted = true
        SystemThread.start(name: "timer") { self.wakeSleepers() }
    }

    private func wakeSleepers() {
        var expirations: UInt64 = 0
        while true {
            // Nothing but an interruption can fail: the descriptor is a timer, open, and blocks.
            _ = read(descriptor, &expirations, MemoryLayout.size(ofValue: expirations))
            let (due, isEnding) = state.withLock { state in
                let due = state.takeDue(at: SystemTime.boot())
                if let next = state.sleepers.last, !state.isEnding { set(next.deadline) }
                return (due, state.isEnding)
            }
            for sleeper in due { sleeper.continuation.resume() }
            if isEnding { return }
        }
    }

    /// Sets the timer to a moment, which may have passed; without one it stands still.
    private func set(_ deadline: BootInstant?) {
        // Zero would stop it.
        cthreads_set_timer(descriptor, deadline.map { max($0.nanoseconds, 1) } ?? 0)
    }
}
