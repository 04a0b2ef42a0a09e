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
    private let thread: TransferThread

    package init(_ options: HTTPClientOptions = HTTPClientOptions()) {
        self.options = options
        thread = TransferThread(options: options)
    }

    deinit {
        thread.stop()
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
        let number = thread.makeNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(number, request, continuation)
            }
        } onCancel: {
            // It fails only where no thread could be started; then there is nothing to cancel.
            try? thread.order(.cancel(number))
        }
    }

    private func start(
        _ number: UInt64, _ request: HTTPRequest, _ continuation: Transfer.Continuation
    ) {
        do throws(HTTPError) {
            try thread.order(.start(number, request, continuation))
        } catch {
            return continuation.resume(throwing: error)
        }
        // The handler may have run before the thread knew the number.
        if Task.isCancelled { try? thread.order(.cancel(number)) }
    }
}
