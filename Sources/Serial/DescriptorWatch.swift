import Dispatch
import GatewayCore
import Synchronization

/// Waits until a descriptor can be read or written, without a thread of its own.
///
/// A dispatch source is armed only while somebody waits. It keeps the descriptor open until it has
/// let go of it, because a number that is closed too early may already be another file's.
final class DescriptorWatch: Sendable {
    enum Direction {
        case readable
        case writable
    }

    fileprivate struct State {
        let source: any DispatchSourceProtocol
        var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var closers: [CheckedContinuation<Void, Never>] = []
        var nextWaiter: UInt64 = 0
        /// A source begins suspended.
        var isArmed = false
        var isClosed = false
        var isReleased = false
    }

    private let path: String
    private let state: Mutex<State>

    /// Makes a watch of one direction of a descriptor, with its events on a queue.
    init(_ descriptor: TerminalDescriptor, _ direction: Direction, on queue: DispatchQueue) {
        path = descriptor.path
        state = Mutex(State(source: Self.makeSource(descriptor.number, direction, queue)))
        state.withLock { state in
            state.source.setEventHandler { [weak self] in self?.fire() }
            state.source.setCancelHandler { [weak self] in
                withExtendedLifetime(descriptor) { self?.finish() }
            }
        }
    }

    deinit {
        _ = state.withLock { $0.end() }
    }

    /// Waits until the descriptor is ready, or has failed, which a read or a write then tells.
    ///
    /// - Throws: `CancellationError`; ``SerialError/notOpen(path:)`` when the watch is closed.
    func wait() async throws {
        let waiter = state.withLock { state in
            state.nextWaiter &+= 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(waiter, continuation)
            }
        } onCancel: {
            leave(waiter)?.resume(throwing: CancellationError())
        }
    }

    /// Waits like ``wait()``, but no longer than until a deadline; then the answer is `false`.
    func wait(until deadline: BootInstant?, on clock: any GatewayClock) async throws -> Bool {
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

    /// Ends every wait; the descriptor is let go soon after.
    func cancel() {
        let waiters = state.withLock { $0.end() }
        for waiter in waiters { waiter.resume(throwing: SerialError.notOpen(path: path)) }
    }

    /// Ends every wait and returns when the descriptor is no longer held here.
    func close() async {
        cancel()
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.closers.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
    }

    private func enter(_ waiter: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
        let refusal: (any Error)? = state.withLock { state in
            if state.isClosed { return SerialError.notOpen(path: path) }
            // Cancelled before it was here: ``leave(_:)`` has found nobody and comes no more.
            if Task.isCancelled { return CancellationError() }
            state.waiters[waiter] = continuation
            state.arm()
            return nil
        }
        if let refusal { continuation.resume(throwing: refusal) }
    }

    private func leave(_ waiter: UInt64) -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            let continuation = state.waiters.removeValue(forKey: waiter)
            if state.waiters.isEmpty { state.disarm() }
            return continuation
        }
    }

    private func fire() {
        let waiters = state.withLock { state in
            state.disarm()
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    private func finish() {
        let closers = state.withLock { state in
            state.isReleased = true
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    private static func makeSource(
        _ number: Int32, _ direction: Direction, _ queue: DispatchQueue
    ) -> any DispatchSourceProtocol {
        switch direction {
        case .readable: DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        case .writable: DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
        }
    }
}

extension DescriptorWatch.State {
    mutating func arm() {
        guard !isArmed else { return }
        isArmed = true
        source.resume()
    }

    mutating func disarm() {
        guard isArmed, !isClosed else { return }
        isArmed = false
        source.suspend()
    }

    mutating func takeWaiters() -> [CheckedContinuation<Void, any Error>] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    /// Cancels the source, once; a source must not be released while it is suspended.
    mutating func end() -> [CheckedContinuation<Void, any Error>] {
        guard !isClosed else { return [] }
        isClosed = true
        source.cancel()
        arm()
        return takeWaiters()
    }
}
