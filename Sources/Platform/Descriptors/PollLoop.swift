import CEpoll
import CThreads
import Glibc
import Synchronization

/// The descriptors that threads wait for with epoll: a thread of its own, or the idle threads of a
/// pool.
///
/// It replaces dispatch sources: on Linux, libdispatch may access freed memory when sources of
/// several descriptors are created and cancelled (swift-corelibs-libdispatch #949), which happens
/// whenever a port or a client disconnects. Here an event carries a number that is looked up, never
/// an address.
///
/// Any number of threads may wait at the same time: the kernel wakes one of them for each event
/// (epoll_wait(2)), and an event is reported once (`EPOLLONESHOT`).
final class PollLoop: Sendable {
    /// The largest number of events for each call of epoll_wait.
    private static let eventLimit = 16
    /// The numbers of the events that end one wait.
    private static let signalNumber: UInt64 = 0
    private static let timerNumber: UInt64 = 1

    private struct State {
        var handlers: [UInt64: @Sendable () -> Void] = [:]
        var nextNumber = PollLoop.timerNumber + 1
        /// The number of pools whose idle threads wait here.
        var pools = 0
        /// The queue of the pool that came first.
        weak var queue: WorkQueue?
        var hasOwnThread = false
        var isStopped = false
    }

    private let epoll: Int32
    private let signalEvent: Int32
    /// Negative when the system had no timer left.
    private let timer: Int32
    private let state = Mutex(State())

    private init(epoll: Int32, signalEvent: Int32, timer: Int32) {
        self.epoll = epoll
        self.signalEvent = signalEvent
        self.timer = timer
    }

    deinit {
        close(epoll)
        close(signalEvent)
        if timer >= 0 { close(timer) }
    }

    /// Makes a loop in which no thread waits yet.
    static func make() throws(LoopFailure) -> PollLoop {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw LoopFailure(operation: "epoll_create1", code: errno) }
        let signalEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard signalEvent >= 0 else {
            let code = errno
            close(epoll)
            throw LoopFailure(operation: "eventfd", code: code)
        }
        let loop = PollLoop(
            epoll: epoll, signalEvent: signalEvent, timer: cthreads_make_timer())
        // Edge-triggered: one signal wakes one thread, and a timer that has fired needs no read.
        let events = EPOLLIN.rawValue | EPOLLET.rawValue
        try loop.control(EPOLL_CTL_ADD, signalEvent, events, signalNumber)
        if loop.timer >= 0 { try loop.control(EPOLL_CTL_ADD, loop.timer, events, timerNumber) }
        return loop
    }

    /// Registers a descriptor and returns its number in this loop; a thread that waits calls
    /// `handler`.
    func add(
        _ descriptor: Int32, handler: @escaping @Sendable () -> Void
    ) throws(LoopFailure) -> UInt64 {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            state.handlers[state.nextNumber] = handler
            return state.nextNumber
        }
        do {
            try control(EPOLL_CTL_ADD, descriptor, EPOLLONESHOT.rawValue, number)
        } catch {
            state.withLock { _ = $0.handlers.removeValue(forKey: number) }
            throw error
        }
        startOwnThread()
        return number
    }

    /// Calls the handler once, when the descriptor is ready or has failed.
    func arm(
        _ descriptor: Int32, _ number: UInt64, for direction: DescriptorWatch.Direction
    ) throws(LoopFailure) {
        let events: UInt32 =
            switch direction {
            case .readable: EPOLLIN.rawValue
            case .writable: EPOLLOUT.rawValue
            // EPOLLHUP is always reported (epoll_ctl(2)).
            case .hungUp: 0
            }
        try control(EPOLL_CTL_MOD, descriptor, events | EPOLLONESHOT.rawValue, number)
    }

    /// Unregisters a descriptor; its handler is not called again, except for a call in progress.
    func remove(_ descriptor: Int32, _ number: UInt64) {
        // Removing an open, registered descriptor cannot fail.
        try? control(EPOLL_CTL_DEL, descriptor, 0, number)
        state.withLock { _ = $0.handlers.removeValue(forKey: number) }
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ number: UInt64
    ) throws(LoopFailure) {
        var event = epoll_event(events: events, data: epoll_data_t(u64: number))
        guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else {
            throw LoopFailure(operation: "epoll_ctl", code: errno)
        }
    }
}

// MARK: - The threads that wait

extension PollLoop: SleepingPlace {
    /// The queue of the pool whose idle threads wait here; nil if none do.
    var queue: WorkQueue? { state.withLock { $0.queue } }

    /// Notes that the idle threads of a pool wait here from now on, so that no thread of its own is
    /// needed; nil if one runs already.
    func attend() -> WorkQueue? {
        state.withLock { state in
            guard !state.hasOwnThread else { return nil }
            state.pools += 1
            let queue = WorkQueue(self, lendsThreads: true)
            if state.queue == nil { state.queue = queue }
            return queue
        }
    }

    func leave() {
        let isWatching = state.withLock { state in
            state.pools -= 1
            if state.pools == 0 { state.queue = nil }
            return !state.handlers.isEmpty
        }
        if isWatching { startOwnThread() }
    }

    /// Ends the thread of its own, if it has one.
    func stop() {
        let mustSignal = state.withLock { state in
            state.isStopped = true
            return state.hasOwnThread
        }
        if mustSignal { signal() }
    }

    /// Starts a thread that runs until ``stop()``, unless somebody waits already.
    private func startOwnThread() {
        let mustStart = state.withLock { state in
            guard state.pools == 0, !state.hasOwnThread, !state.isStopped else { return false }
            state.hasOwnThread = true
            return true
        }
        if mustStart { SystemThread.start(name: "poll") { self.run() } }
    }

    private func run() {
        while !state.withLock(\.isStopped) { sleep() }
    }

    func wake(at time: BootInstant?) -> Bool {
        guard timer >= 0 else { return false }
        // Zero would stop it.
        cthreads_set_timer(timer, time.map { max($0.nanoseconds, 1) } ?? 0)
        return true
    }

    /// Ends one wait.
    func signal() { eventfd_write(signalEvent, 1) }

    /// Waits for events and calls their handlers, once.
    @discardableResult
    func sleep() -> Bool {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventLimit) { events in
            let count = SystemCall.repeatWhileInterrupted {
                Int(epoll_wait(epoll, events.baseAddress, Int32(Self.eventLimit), -1))
            }
            var isSignalled = false
            // No error is possible: the descriptor belongs to this loop and is open.
            for event in events.prefix(max(count, 0)) {
                if event.data.u64 == Self.signalNumber {
                    isSignalled = takeSignal()
                } else {
                    state.withLock { $0.handlers[event.data.u64] }?()
                }
            }
            return isSignalled
        }
    }

    /// Takes one of the signals; false if other threads have them.
    private func takeSignal() -> Bool {
        var count: eventfd_t = 0
        guard eventfd_read(signalEvent, &count) == 0 else { return false }
        // The others are for other threads.
        if count > 1 { eventfd_write(signalEvent, count - 1) }
        return true
    }
}
