import Synchronization

/// Waits until a descriptor can be read or written, without a thread of its own.
///
/// It is armed only while a task waits, and holds the descriptor open until ``close()``.
public final class DescriptorWatch: Sendable {
    /// What to wait for.
    public enum Direction: Sendable {
        /// Bytes, a connection or an event can be read.
        case readable
        /// Bytes can be written.
        case writable
        /// Both directions are shut down; a socket that is half closed is not hung up.
        case hungUp
    }

    private struct State {
        /// `nil` once the watch is closed.
        var descriptor: (any WatchedDescriptor)?
        var number: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var nextWaiter: UInt64 = 0
        /// Whether ``DescriptorWatch/wake()`` was called while no task waited.
        var isWoken = false

        mutating func takeWaiters() -> [CheckedContinuation<Void, any Error>] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private let notOpen: any Error
    private let direction: Direction
    private let loop: PollLoop
    /// Retained because the loop runs only as long as the poller lives.
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

    /// Waits until the descriptor is ready or has failed, or until ``wake()``; the next read or
    /// write returns the failure.
    ///
    /// - Throws: `CancellationError`; the descriptor's ``WatchedDescriptor/notOpen`` when the watch
    ///   is closed.
    public func wait() async throws {
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

    /// Waits like ``wait()``; returns `false` when the deadline passes first.
    public func wait(until deadline: BootInstant?, on clock: any BootClock) async throws -> Bool {
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

    /// Ends the waits in progress, or else the next one, as if the descriptor were ready.
    public func wake() {
        let waiters = state.withLock { state in
            state.isWoken = state.waiters.isEmpty
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends every wait and releases the descriptor; further calls do nothing.
    public func close() {
        let waiters = state.withLock { state in
            // While the descriptor is held, its number cannot be reused for another file.
            if let descriptor = state.descriptor { loop.remove(descriptor.number, state.number) }
            state.descriptor = nil
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume(throwing: notOpen) }
    }

    private func enter(_ waiter: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
        let end: Result<Void, any Error>? = state.withLock { state in
            guard let descriptor = state.descriptor else { return .failure(notOpen) }
            // Cancelled before the waiter was registered: the cancellation handler has already run.
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
