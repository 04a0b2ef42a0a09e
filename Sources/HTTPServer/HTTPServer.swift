import Platform
import Synchronization

/// An HTTP server on libmicrohttpd, with one thread that waits for all its connections.
///
/// It has no routes: each request goes to one function, which answers it from any thread.
package final class HTTPServer: Sendable {
    /// The port on which it listens.
    package let port: UInt16
    private let loop: EventLoop<ServerDriver>

    private init(loop: EventLoop<ServerDriver>, port: UInt16) {
        self.loop = loop
        self.port = port
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - refuse: Makes the response to a request that is refused before it reaches `handle`, of the status
    ///     and what is wrong; by default it is text.
    ///   - inputLimit: The maximum number of bytes of a request whose content is received piece by piece, by
    ///     its method and target; nil for a request that is received as a whole.
    ///   - handle: Called with each request on the thread of the server; it must return at once.
    /// - Throws: ``HTTPServerError`` when libmicrohttpd is missing or the address cannot be used.
    package static func start(
        on address: ListenAddress, limits: HTTPServerLimits = HTTPServerLimits(),
        refuse: @escaping @Sendable (_ status: Int, _ problem: String) -> HTTPServerResponse =
            HTTPServerResponse.text,
        inputLimit: @escaping @Sendable (_ method: String, _ target: String) -> Int? = { _, _ in nil
        },
        handle: @escaping @Sendable (HTTPServerRequest, HTTPResponder) -> Void
    ) async throws(HTTPServerError) -> HTTPServer {
        let library = try MicrohttpdLibrary.open()
        let (socket, port) = try address.listen()
        let settings = ServerDriver.Settings(
            library: library, limits: limits, refuse: refuse, inputLimit: inputLimit,
            handle: handle)
        let loop: EventLoop<ServerDriver>
        do {
            loop = try makeLoop(settings)
        } catch {
            ListenAddress.close(socket)
            throw HTTPServerError("cannot start a thread: \(SystemCall.message(of: error.code))")
        }
        let hasStarted = await withCheckedContinuation { continuation in
            loop.post { continuation.resume(returning: $0.start(socket)) }
        }
        guard hasStarted else {
            loop.stop()
            throw HTTPServerError("libmicrohttpd cannot start")
        }
        return HTTPServer(loop: loop, port: port)
    }

    private static func makeLoop(
        _ settings: ServerDriver.Settings
    ) throws(LoopFailure) -> EventLoop<ServerDriver> {
        let link = LoopLink()
        let loop = try EventLoop.start(name: "http") {
            ServerDriver(settings) { action in link.loop?.post(action) }
        }
        link.set(loop)
        return loop
    }

    /// Closes all connections and stops; an output that was finished before goes out as far as it fits.
    ///
    /// - Returns: When the address is free again.
    package func stop() async {
        await withCheckedContinuation { continuation in
            loop.post { driver in
                driver.shutDown()
                continuation.resume()
            }
        }
        loop.stop()
    }
}

/// Sends the response to one request.
package struct HTTPResponder: Sendable {
    let number: UInt64
    let post: @Sendable (@escaping @Sendable (ServerDriver) -> Void) -> Void
    private var headers: [(name: String, value: String)] = []

    init(
        number: UInt64,
        post: @escaping @Sendable (@escaping @Sendable (ServerDriver) -> Void) -> Void
    ) {
        self.number = number
        self.post = post
    }

    /// The responder that adds headers to its response.
    package func adding(_ more: [(name: String, value: String)]) -> HTTPResponder {
        var copy = self
        copy.headers += more
        return copy
    }

    /// Sends the response; only the first one counts, and none when the client has left.
    package func send(_ response: HTTPServerResponse) {
        var response = response
        response.headers += headers
        post { [number, response] driver in driver.answer(number, response) }
    }
}

/// The loop of a driver, which is made before the loop can be named.
private final class LoopLink: Sendable {
    private let kept = Mutex<EventLoop<ServerDriver>?>(nil)

    var loop: EventLoop<ServerDriver>? { kept.withLock { $0 } }

    func set(_ loop: EventLoop<ServerDriver>) { kept.withLock { $0 = loop } }
}
