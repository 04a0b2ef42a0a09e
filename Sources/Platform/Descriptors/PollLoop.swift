import CEpoll
import Glibc
import Synchronization

/// One thread that waits with epoll for all registered descriptors.
///
/// It replaces dispatch sources: on Linux, libdispatch may access freed memory when sources of
/// several descriptors are created and cancelled (swift-corelibs-libdispatch #949), which happens
/// whenever a port or a client disconnects. Here an event carries a number that is looked up, never
/// an address.
final class PollLoop: Sendable {
    /// The largest number of events for each call of epoll_wait.
    private static let eventLimit = 16
    /// The number of the event that ends the loop.
    private static let stopNumber: UInt64 = 0

    private struct State {
        var handlers: [UInt64: @Sendable () -> Void] = [:]
        var nextNumber = PollLoop.stopNumber + 1
    }

    private let epoll: Int32
    private let stopEvent: Int32
    private let state = Mutex(State())

    private init(epoll: Int32, stopEvent: Int32) {
        self.epoll = epoll
        self.stopEvent = stopEvent
    }

    deinit {
        close(epoll)
        close(stopEvent)
    }

    /// Starts a thread that runs until ``stop()``.
    static func start() throws(LoopFailure) -> PollLoop {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw LoopFailure(operation: "epoll_create1", code: errno) }
        let stopEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard stopEvent >= 0 else {
            let code = errno
            close(epoll)
            throw LoopFailure(operation: "eventfd", code: code)
        }
        let loop = PollLoop(epoll: epoll, stopEvent: stopEvent)
        try loop.control(EPOLL_CTL_ADD, stopEvent, EPOLLIN.rawValue, stopNumber)
        SystemThread.start(name: "poll") { loop.run() }
        return loop
    }

    /// Ends the thread.
    func stop() {
        eventfd_write(stopEvent, 1)
    }

    /// Registers a descriptor and returns its number in this loop; the loop's thread calls
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

extension PollLoop {
    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventLimit)
        while true {
            let count = SystemCall.repeatWhileInterrupted {
                Int(epoll_wait(epoll, &events, Int32(Self.eventLimit), -1))
            }
            // No other error is possible: the descriptor belongs to this loop and is open.
            guard count >= 0 else { return }
            for event in events.prefix(count) {
                if event.data.u64 == Self.stopNumber { return }
                state.withLock { $0.handlers[event.data.u64] }?()
            }
        }
    }
}
