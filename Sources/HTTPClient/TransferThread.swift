import CCurl
import Glibc
import Platform
import Synchronization

/// The thread on which libcurl works; it runs from the first request on, and sleeps while there is
/// none.
final class TransferThread: Sendable {
    private struct State {
        var orders: [TransferOrder] = []
        var nextNumber: UInt64 = 0
        /// Whether the thread waits, or is about to: only then a wake-up is needed.
        var isWaiting = false
        var isStopping = false
        var running: (thread: JoinableThread, wakeUp: Int32)?

        /// The descriptor to write to; answers once for each wait of the thread.
        mutating func takeWakeUp() -> Int32? {
            defer { isWaiting = false }
            return isWaiting ? running?.wakeUp : nil
        }
    }

    private let options: HTTPClientOptions
    private let state = Mutex(State())

    init(options: HTTPClientOptions) {
        self.options = options
    }

    /// A number for a request.
    func makeNumber() -> UInt64 {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    /// Has the thread do this, after all that was ordered before.
    func order(_ order: TransferOrder) throws(HTTPError) {
        try state.withLock { state throws(HTTPError) in
            if state.running == nil { state.running = try start() }
            state.orders.append(order)
            // Still in the lock: the thread closes the descriptor only after it was told to stop.
            if let wakeUp = state.takeWakeUp() { eventfd_write(wakeUp, 1) }
        }
    }

    /// Ends the thread, and waits for its end; nothing may be ordered any more.
    func stop() {
        let running = state.withLock { state in
            state.isStopping = true
            if let wakeUp = state.takeWakeUp() { eventfd_write(wakeUp, 1) }
            return state.running
        }
        guard let running else { return }
        running.thread.join()
        close(running.wakeUp)
    }

    private func start() throws(HTTPError) -> (JoinableThread, Int32) {
        let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeUp >= 0 else { throw Self.failure("eventfd", errno) }
        do throws(JoinableThread.Failure) {
            return (try JoinableThread(name: "http") { self.run(wakeUp) }, wakeUp)
        } catch {
            close(wakeUp)
            throw Self.failure("pthread_create", error.code)
        }
    }

    private static func failure(_ operation: String, _ code: Int32) -> HTTPError {
        HTTPError(.failed, "\(operation): \(SystemCall.message(of: code))")
    }
}

extension TransferThread {
    private func run(_ wakeUp: Int32) {
        let loop = TransferLoop(options: options)
        while let orders = takeOrders() {
            for order in orders { loop.take(order) }
            loop.perform()
            wait(loop, wakeUp)
        }
        // Whoever sends holds the client, so nobody can be left; if somebody were, it would not wait.
        for case .start(_, _, let continuation) in state.withLock({ $0.orders }) {
            continuation.resume(throwing: CancellationError())
        }
    }

    /// Nil at the end.
    private func takeOrders() -> [TransferOrder]? {
        state.withLock { state in
            guard !state.isStopping else { return nil }
            defer { state.orders.removeAll() }
            return state.orders
        }
    }

    private func wait(_ loop: TransferLoop, _ wakeUp: Int32) {
        let mayWait = state.withLock { state in
            state.isWaiting = state.orders.isEmpty && !state.isStopping
            return state.isWaiting
        }
        var isWoken = mayWait
        if loop.isBusy {
            isWoken = loop.wait(for: wakeUp, atMostMilliseconds: mayWait ? .max : 0)
        } else if mayWait {
            sleep(until: wakeUp)
        }
        if isWoken {
            var count: eventfd_t = 0
            eventfd_read(wakeUp, &count)
        }
        state.withLock { $0.isWaiting = false }
    }

    /// While nothing is under way nothing wakes the thread but an order.
    private func sleep(until wakeUp: Int32) {
        var descriptor = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
        _ = SystemCall.repeatWhileInterrupted { Int(poll(&descriptor, 1, -1)) }
    }
}
