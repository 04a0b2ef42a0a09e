import GatewayCore
import GatewayHost
import Platform
import Synchronization

/// A limit of requests that are worked on at the same time; some more wait for their turn, in order.
package final class RequestLimiter: Sendable {
    private struct State {
        var running = 0
        var waiting: ArraySlice<CheckedContinuation<Bool, Never>> = []
    }

    private let limit: Int
    private let waitingLimit: Int
    private let state = Mutex(State())

    /// Creates a limiter without requests.
    ///
    /// - Parameter waiting: The maximum number of requests that wait.
    package init(_ limit: Int, waiting: Int = 0) {
        self.limit = limit
        waitingLimit = waiting
    }

    /// The number of requests that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Calls a function in its turn, unless too many wait; then the client gets an error.
    func run(
        _ channel: any ResponseChannel, _ body: () async throws -> Void
    ) async throws {
        guard await begin() else {
            return channel.send(
                RequestRouter.errorLine(
                    "\(limit + waitingLimit) such requests are in progress; try again when one is "
                        + "answered",
                    code: FailureCause.busy.code))
        }
        defer { end() }
        try await body()
    }

    /// Waits for the turn; returns false when too many do.
    private func begin() async -> Bool {
        await withCheckedContinuation { continuation in
            let hasTurn = state.withLock { state -> Bool? in
                if state.running < limit {
                    state.running += 1
                    return true
                }
                guard state.waiting.count < waitingLimit else { return false }
                state.waiting.append(continuation)
                return nil
            }
            if let hasTurn { continuation.resume(returning: hasTurn) }
        }
    }

    /// Gives the turn to the next one.
    private func end() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume(returning: true)
    }
}
