import Platform
import Synchronization

/// An HTTP client that sends concurrent requests with libcurl.
///
/// Server certificates are always verified, and redirects are not followed. Idle connections are reused;
/// no other state is shared between requests.
///
/// A server may close an idle connection while it is being reused; then the request is sent again on a
/// new one. The server may therefore receive a request twice, as after any
/// ``HTTPError/Kind/connectionLost``: requests that are not idempotent need an idempotency key.
///
/// The client starts one thread on first use, which sleeps while there are no requests and ends with
/// the client.
public final class HTTPClient: Sendable {
    private let options: HTTPClientOptions
    private let loop = Mutex<EventLoop<TransferDriver>?>(nil)
    private let lastNumber = Atomic<UInt64>(0)

    /// Makes a client; it connects with the first request.
    public init(_ options: HTTPClientOptions = HTTPClientOptions()) {
        self.options = options
    }

    deinit {
        guard let loop = loop.withLock({ $0 }) else { return }
        // A pending request retains the client, so none can be left; cancel anyway instead of hanging.
        loop.post { $0.cancelAll() }
        loop.stopAndWait()
    }

    /// Sends a request and returns its response, whatever its status.
    ///
    /// It returns or throws within the timeouts of the request. Cancelling the task ends the
    /// transfer and closes its connection.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError`.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
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
