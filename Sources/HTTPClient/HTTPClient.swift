import Platform
import Synchronization

/// Sends requests to HTTP servers, many at once, by libcurl.
///
/// Servers are always verified, redirects are answers like any other, and nothing is remembered
/// between requests but connections: they are used again, so that one request after another to the
/// same server costs no new one.
///
/// A connection that was kept may be closed by the server just when it is used again; then the request
/// is sent once more, on a new one. A server that took the first may so see a request twice, as it may
/// after any ``HTTPError/Kind/connectionLost``: what must not happen twice needs a key of its own.
///
/// A client that was not used yet costs nothing; then it has one thread, which sleeps while nothing is
/// under way and ends with the client.
package final class HTTPClient: Sendable {
    private let options: HTTPClientOptions
    private let loop = Mutex<EventLoop<TransferDriver>?>(nil)
    private let lastNumber = Atomic<UInt64>(0)

    package init(_ options: HTTPClientOptions = HTTPClientOptions()) {
        self.options = options
    }

    deinit {
        guard let loop = loop.withLock({ $0 }) else { return }
        // Whoever sends holds the client, so nobody can be left; if somebody were, it would not wait.
        loop.post { $0.cancelAll() }
        loop.stopAndWait()
    }

    /// Sends a request, and returns when its answer is there, whatever its status.
    ///
    /// It returns or throws within the limits of the request. Cancellation of the task ends the
    /// transfer and closes its connection.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError`.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        try request.check()
        try options.check(for: request.url.scheme)
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(number, request, continuation)
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func start(
        _ number: UInt64, _ request: HTTPRequest, _ continuation: Transfer.Continuation
    ) {
        do throws(HTTPError) {
            try startedLoop().post { $0.start(number, request, continuation) }
        } catch {
            return continuation.resume(throwing: error)
        }
        // The handler may have run before the thread knew the number.
        if Task.isCancelled { cancel(number) }
    }

    private func cancel(_ number: UInt64) {
        loop.withLock { $0 }?.post { $0.cancel(number) }
    }

    private func startedLoop() throws(HTTPError) -> EventLoop<TransferDriver> {
        try loop.withLock { loop throws(HTTPError) in
            if let loop { return loop }
            do throws(LoopFailure) {
                let started = try EventLoop.start(name: "http") { [options] in
                    TransferDriver(options: options)
                }
                loop = started
                return started
            } catch {
                throw HTTPError(
                    .failed, "\(error.operation): \(SystemCall.message(of: error.code))")
            }
        }
    }
}
