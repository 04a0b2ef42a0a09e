import Synchronization

/// Waits until a descriptor can be read or written, without a thread of its own.
///
/// It is armed only while somebody waits. It keeps the descriptor open until it is closed.
package final class DescriptorWatch: Sendable {
    package enum Direction: Sendable {
        case readable
        case writable
        /// Both directions are shut down: of a socket that is half closed more than that the other
        /// side will send nothing.
        case hungUp
    }

    private struct State {
        /// `nil` once the watch is closed.
        var descriptor: (any WatchedDescriptor)?
        var number: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var nextWaiter: UInt64 = 0
        /// Whether somebody was to be woken when nobody waited.
        var isWoken = false

        mutating func takeWaiters() -> [CheckedContinuation<Void, any Error>] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private let notOpen: any Error
    private let direction: Direction
    private let loop: PollLoop
    /// Held because the loop runs as long as the poller lives.
    private let poller: DescriptorPoller
    private let state: Mutex<State>

    /// Makes a watch of one direction of a descriptor.
    init(
        _ descriptor: any WatchedDescriptor, _ direction: Direction, poller: DescriptorPoller,
        loop: PollLoop
    ) throws(LoopFailure) {
        notOpen = descriptor.notOpen
        self.direction = direction
        self.loop = loop
        self.poller = poller
        state = Mutex(State())
        let number = try loop.add(descriptor.number) { [weak self] in self?.fire() }
        state.withLock { state in
            state.number = number
            state.descriptor = descriptor
        }
    }

    deinit {
        close()
    }

    /// Waits until the descriptor is ready, or has failed, which a read or a write then tells; or until
    /// ``wake()``.
    ///
    /// - Throws: `CancellationError`; the descriptor's ``WatchedDescriptor/notOpen`` when the watch
    ///   is closed.
    package func wait() async throws {
        let waiter = state.withLock { state in
            state.nextWaiter &+= 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(waiter, continuation)
            }
        } onCancel: {
            let waiting = state.withLock { $0.waiters.removeValue(forKey: waiter) }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Waits like ``wait()``, but no longer than until a deadline; then the answer is `false`.
    package func wait(until deadline: BootInstant?, on clock: any BootClock) async throws -> Bool {
        guard let deadline else {
            try await wait()
            return true
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.wait()
                return true
            }
            group.addTask {
                try await clock.sleep(until: deadline)
                return false
            }
            return try await group.next() ?? false
        }
    }

    /// Ends the waits that are under way, else the next one, as if the descriptor were ready.
    package func wake() {
        let waiters = state.withLock { state in
            state.isWoken = state.waiters.isEmpty
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends every wait and lets the descriptor go, once or more often.
    package func close() {
        let waiters = state.withLock { state in
            // While the descriptor is here its number cannot be another file's.
            if let descriptor = state.descriptor { loop.remove(descriptor.number, state.number) }
            state.descriptor = nil
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume(throwing: notOpen) }
    }

    private func enter(_ waiter: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
        let end: Result<Void, any Error>? = state.withLock { state in
            guard let descriptor = state.descriptor else { return .failure(notOpen) }
            // Cancelled before it was here: the cancellation has found nobody and comes no more.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.isWoken {
                state.isWoken = false
                return .success(())
            }
            do throws(LoopFailure) {
                try loop.arm(descriptor.number, state.number, for: direction)
            } catch {
                return .failure(descriptor.failure(of: error.operation, code: error.code))
            }
            state.waiters[waiter] = continuation
            return nil
        }
        if let end { continuation.resume(with: end) }
    }

    private func fire() {
        let waiters = state.withLock { $0.takeWaiters() }
        for waiter in waiters { waiter.resume() }
    }
}
