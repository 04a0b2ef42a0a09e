import CEpoll
import CThreads
import Glibc
import Synchronization

/// An event loop: a thread with a mailbox that runs a C library with its own descriptors.
///
/// The loop runs the posted actions, lets its ``LoopDriver`` work, and then asks it again what to
/// wait for, so that no event or timeout is missed. Nothing else wakes it; an idle loop uses no
/// CPU. The thread runs until ``stop()`` or ``stopAndWait()``, and retains the loop.
package final class EventLoop<Driver: LoopDriver & SendableMetatype>: Sendable {
    /// Work for the thread.
    package typealias Action = @Sendable (Driver) -> Void

    private struct State {
        var actions: [Action] = []
        /// Whether the thread waits or is about to; only then is a wake-up needed.
        var isWaiting = false
        var isStopping = false
        var hasEnded = false
        /// The thread; nil once it is joined or detached.
        var thread: JoinableThread?

        /// Returns true once for each wait of the thread.
        mutating func mustWake() -> Bool {
            defer { isWaiting = false }
            return isWaiting
        }
    }

    private let state = Mutex(State())
    private let wakeUp: Int32
    /// The `pthread_self()` of the running thread; 0 before it runs.
    private let identity = Atomic<UInt>(0)

    private init(wakeUp: Int32) {
        self.wakeUp = wakeUp
    }

    deinit {
        close(wakeUp)
    }

    /// Starts the thread, which calls `makeDriver` itself.
    ///
    /// The kernel stores the first 15 bytes of the name, for `ps -T` and `top -H`.
    package static func start(
        name: String, makeDriver: @escaping @Sendable () -> Driver
    ) throws(LoopFailure) -> EventLoop {
        let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeUp >= 0 else { throw LoopFailure(operation: "eventfd", code: errno) }
        let loop = EventLoop(wakeUp: wakeUp)
        do throws(JoinableThread.Failure) {
            let thread = try JoinableThread(name: name) { loop.run(makeDriver()) }
            loop.state.withLock { $0.thread = thread }
        } catch {
            throw LoopFailure(operation: "pthread_create", code: error.code)
        }
        return loop
    }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { identity.load(ordering: .acquiring) == UInt(pthread_self()) }

    /// Schedules an action on the thread, after all actions posted before.
    ///
    /// After the thread has ended, the action is discarded.
    package func post(_ action: @escaping Action) {
        let mustWake = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.actions.append(action)
            return state.mustWake()
        }
        if mustWake { eventfd_write(wakeUp, 1) }
    }

    /// Ends the thread as soon as the mailbox is empty and the driver is idle.
    package func stop() {
        beginStop()?.detach()
    }

    /// Ends the thread like ``stop()`` and waits until it has ended.
    package func stopAndWait() {
        beginStop()?.join()
    }

    private func beginStop() -> JoinableThread? {
        let (thread, mustWake) = state.withLock { state in
            state.isStopping = true
            defer { state.thread = nil }
            return (state.thread, state.mustWake())
        }
        if mustWake { eventfd_write(wakeUp, 1) }
        return thread
    }
}

/// A system call of a loop that failed with this `errno`.
package struct LoopFailure: Error {
    package let operation: String
    package let code: Int32
}

extension EventLoop {
    private func run(_ driver: Driver) {
        identity.store(UInt(pthread_self()), ordering: .releasing)
        while !mayEnd(driver) {
            runActions(driver)
            let isBusy = driver.process()
            wait(driver, isBusy: isBusy)
        }
    }

    private func mayEnd(_ driver: Driver) -> Bool {
        let isIdle = driver.isIdle
        return state.withLock { state in
            state.hasEnded = state.isStopping && state.actions.isEmpty && isIdle
            return state.hasEnded
        }
    }

    private func runActions(_ driver: Driver) {
        let actions = state.withLock { state in
            defer { state.actions.removeAll() }
            return state.actions
        }
        for action in actions { action(driver) }
    }

    private func wait(_ driver: Driver, isBusy: Bool) {
        // Before the mailbox is checked, because a driver that finds a broken connection may post.
        let next = driver.nextWait()
        let isIdle = driver.isIdle
        let mayBlock = state.withLock { state in
            let isDone = state.isStopping && isIdle
            state.isWaiting = !isBusy && state.actions.isEmpty && !isDone
            return state.isWaiting
        }
        let isWoken =
            switch next {
            case .descriptors(let descriptors, let deadline):
                poll(descriptors, of: driver, until: mayBlock ? deadline : 0)
            case .byDriver: driver.wait(for: wakeUp, mayBlock: mayBlock)
            }
        state.withLock { $0.isWaiting = false }
        if isWoken {
            var count: eventfd_t = 0
            eventfd_read(wakeUp, &count)
        }
    }

    /// Waits for the descriptors and the wake-up; returns whether the wake-up is ready.
    private func poll(
        _ descriptors: [pollfd], of driver: Driver, until end: UInt64
    ) -> Bool {
        var polled = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)] + descriptors
        // An interrupted call needs no handling: the next iteration waits again.
        let count = cthreads_poll(&polled, UInt(polled.count), Self.microseconds(until: end))
        if count > 0 { driver.noteReady(polled.dropFirst()) }
        return polled[0].revents != 0
    }

    /// The time from now; negative to wait without a limit.
    private static func microseconds(until end: UInt64) -> Int64 {
        guard end != .max else { return -1 }
        let now = SystemTime.monotonicMicroseconds()
        return end > now ? Int64(clamping: end - now) : 0
    }
}
