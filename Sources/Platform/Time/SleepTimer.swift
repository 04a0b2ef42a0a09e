import CThreads
import Glibc
import Synchronization

/// A timer that suspends tasks until a time of the boot clock, with one thread that wakes up only
/// when a task is due.
///
/// `Task.sleep` would use libdispatch, which wakes up every second once it was used. A kernel timer
/// on `CLOCK_BOOTTIME` (timerfd_create(2)) also counts while the machine is suspended, and can be
/// changed without waking the thread that waits for it.
package final class SleepTimer: Sendable {
    private let core: Core

    /// Makes a timer; its thread starts with the first sleep and ends with this object.
    ///
    /// The program ends with a message and status 1 when the system cannot create a timer, as nothing
    /// could wait then.
    package init() {
        let descriptor = cthreads_make_timer()
        guard descriptor >= 0 else {
            SystemCall.endProcess(
                "cannot create a timer: \(SystemCall.message(of: errno)); "
                    + "raise the limit of open files (`ulimit -n`) or stop other programs")
        }
        core = Core(descriptor: descriptor)
    }

    deinit {
        core.end()
    }

    /// Sleeps until the boot clock has reached a deadline; returns immediately when it has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: BootInstant) async throws {
        let number = core.nextNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = core.add(
                    Sleeper(deadline: deadline, number: number, continuation: continuation))
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            core.remove(number)?.continuation.resume(throwing: CancellationError())
        }
    }
}

/// A sleeping task.
private struct Sleeper: Sendable {
    let deadline: BootInstant
    let number: UInt64
    let continuation: CheckedContinuation<Void, any Error>
}

/// The state of the thread, which must not retain the object whose release ends it.
private final class Core: Sendable {
    private struct State {
        /// Sorted; the next one to wake comes last.
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

    /// Adds a sleeper of the current task; returns true when the task is already cancelled.
    func add(_ sleeper: Sleeper) -> Bool {
        state.withLock { state in
            // The cancellation handler ran before the sleeper was added.
            if Task.isCancelled { return true }
            state.insert(sleeper)
            if state.sleepers.last?.number == sleeper.number { set(sleeper.deadline) }
            startThread(&state)
            return false
        }
    }

    /// Removes a sleeper; nil when it is already awake.
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
            // Only an interruption can fail: the descriptor is an open, blocking timer.
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

    /// Sets the timer to a deadline, which may have passed; nil stops it.
    private func set(_ deadline: BootInstant?) {
        // Zero would stop it.
        cthreads_set_timer(descriptor, deadline.map { max($0.nanoseconds, 1) } ?? 0)
    }
}
