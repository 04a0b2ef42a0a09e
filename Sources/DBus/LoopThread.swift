import CSystemd
import Glibc
import Synchronization

/// The thread of a ``BusLoop``: jobs, connections, one place to wait.
final class LoopThread: Sendable {
    /// How many messages of one connection are looked at before the next one's turn and the jobs'.
    static let messagesATurn = 256

    /// Something for the thread to do.
    enum Work: Sendable {
        /// A job of an actor; the loop it was given to stays alive until it has run.
        case job(UnownedJob, BusLoop)
        case action(@Sendable () -> Void)
    }

    private struct State {
        var work: [Work] = []
        var connections: [BusConnection] = []
        /// Whether the thread waits, or is about to: only then a wake-up is needed.
        var isWaiting = false
        var isStopping = false
        var hasEnded = false

        /// Whether nothing is left to do, now and for ever.
        var isDone: Bool { isStopping && work.isEmpty && connections.isEmpty }

        /// Answers once for each wait of the thread.
        mutating func mustWake() -> Bool {
            defer { isWaiting = false }
            return isWaiting
        }
    }

    private let state = Mutex(State())
    private let wakeUp: Int32
    private let label: String
    /// The thread's own `pthread_self()`, once it runs; 0 before.
    private let identity = Atomic<UInt>(0)

    private init(label: String, wakeUp: Int32) {
        self.label = label
        self.wakeUp = wakeUp
    }

    deinit {
        close(wakeUp)
    }

    static func start(label: String) throws(BusError) -> LoopThread {
        let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeUp >= 0 else { throw .failed(operation: "eventfd", code: errno) }
        let thread = LoopThread(label: label, wakeUp: wakeUp)
        try thread.startThread()
        return thread
    }

    var isCurrent: Bool { identity.load(ordering: .acquiring) == UInt(pthread_self()) }

    /// Has the thread do something, after all that was posted before.
    func post(_ work: Work) {
        let mustWake = state.withLock { state in
            // Only what belongs to the thread's own end can come later than it; nobody waits for it.
            guard !state.hasEnded else { return false }
            state.work.append(work)
            return state.mustWake()
        }
        if mustWake { eventfd_write(wakeUp, 1) }
    }

    /// Ends the thread when nothing is left for it to do.
    func stop() {
        let mustWake = state.withLock { state in
            state.isStopping = true
            return state.mustWake()
        }
        if mustWake { eventfd_write(wakeUp, 1) }
    }

    func attach(_ connection: BusConnection) {
        state.withLock { $0.connections.append(connection) }
    }

    func detach(_ connection: BusConnection) {
        state.withLock { $0.connections.removeAll { $0 === connection } }
    }
}

extension LoopThread {
    /// Signals that report a mistake of the thread itself stay with it; all others are for the main
    /// thread, whose waits they may interrupt.
    private static let ownSignals = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS]

    /// The new thread inherits the mask of signals that is in force here for the moment.
    private func startThread() throws(BusError) {
        var blocked = sigset_t()
        var previous = sigset_t()
        sigfillset(&blocked)
        for signal in Self.ownSignals { sigdelset(&blocked, signal) }
        pthread_sigmask(SIG_SETMASK, &blocked, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, nil, loopThreadMain, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw .failed(operation: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }

    fileprivate func run() {
        identity.store(UInt(pthread_self()), ordering: .releasing)
        pthread_setname_np(pthread_self(), String(label.utf8.prefix(15)) ?? "dbus")
        while !mayEnd() {
            runWork()
            let isBusy = processConnections()
            wait(atMost: isBusy ? 0 : .max)
        }
    }

    private func mayEnd() -> Bool {
        state.withLock { state in
            state.hasEnded = state.isDone
            return state.hasEnded
        }
    }

    private func runWork() {
        let work = state.withLock { state in
            defer { state.work.removeAll() }
            return state.work
        }
        for item in work {
            switch item {
            case .job(let job, let loop):
                job.runSynchronously(on: loop.asUnownedSerialExecutor())
            case .action(let action): action()
            }
        }
    }

    /// Answers whether there may be more to look at, at once.
    private func processConnections() -> Bool {
        var isBusy = false
        for connection in state.withLock({ $0.connections }) {
            if connection.process(limit: Self.messagesATurn) { isBusy = true }
        }
        return isBusy
    }

    /// Waits for work, for a connection that is ready, or for the first time limit of a connection.
    private func wait(atMost limitMicroseconds: UInt64) {
        var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        var end = limitMicroseconds
        for connection in state.withLock({ $0.connections }) {
            guard let wait = connection.nextWait() else { continue }
            descriptors.append(pollfd(fd: wait.descriptor, events: wait.events, revents: 0))
            end = min(end, wait.deadlineMicroseconds)
        }
        let mayWait = state.withLock { state in
            state.isWaiting = state.work.isEmpty && !state.isDone
            return state.isWaiting
        }
        poll(&descriptors, until: mayWait ? end : 0)
        state.withLock { $0.isWaiting = false }
        if descriptors[0].revents != 0 {
            var count: eventfd_t = 0
            eventfd_read(wakeUp, &count)
        }
    }

    private func poll(_ descriptors: inout [pollfd], until end: UInt64) {
        let count = nfds_t(descriptors.count)
        // An interruption needs no care of its own: the next turn waits again.
        guard end != .max else {
            ppoll(&descriptors, count, nil, nil)
            return
        }
        let now = MonotonicClock.microseconds()
        let rest = end > now ? end - now : 0
        var timeout = timespec(
            tv_sec: Int(rest / 1_000_000), tv_nsec: Int(rest % 1_000_000) * 1_000)
        ppoll(&descriptors, count, &timeout, nil)
    }
}

/// The thread's function; it takes over the reference that ``LoopThread`` made for it.
private func loopThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LoopThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// The clock that sd-bus counts its time limits on.
enum MonotonicClock {
    static func microseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }

    /// So many seconds as microseconds, at least one; `.max` when that is longer than can be said.
    static func span(seconds: Double) -> UInt64 {
        let microseconds = (seconds * 1e6).rounded(.up)
        guard microseconds >= 1 else { return 1 }
        return UInt64(exactly: microseconds) ?? .max
    }

    static func deadline(inSeconds seconds: Double) -> UInt64 {
        let (deadline, overflow) = microseconds().addingReportingOverflow(span(seconds: seconds))
        return overflow ? .max : deadline
    }
}
