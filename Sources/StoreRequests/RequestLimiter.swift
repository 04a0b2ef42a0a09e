import GatewayCore
import GatewayHost
import Synchronization

/// A limit of requests that calculate at the same time.
package final class RequestLimiter: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    /// Creates a limiter without requests.
    package init(_ limit: Int) {
        self.limit = limit
    }

    /// Calls a function, unless too many are being called; then the client gets an error.
    func run(
        _ channel: any ResponseChannel, _ body: () async throws -> Void
    ) async throws {
        guard begin() else {
            return channel.send(
                RequestRouter.errorLine(
                    "\(limit) such requests are in progress; try again when one is answered",
                    code: StoreErrorCode.busy))
        }
        defer { count.withLock { $0 -= 1 } }
        try await body()
    }

    private func begin() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }
}
