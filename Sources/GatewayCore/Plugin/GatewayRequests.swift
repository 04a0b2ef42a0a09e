/// The requests of clients to the running gateway: those of the control protocol, for any transport.
///
/// What a client may do is checked behind it, not by the transport.
public protocol GatewayRequests: Sendable {
    /// Answers a request on the channel of its client; a wrong one is answered with an error.
    ///
    /// - Parameter request: The text of a JSON object with the key `request`.
    /// - Returns: The stream of lines after the answer; nil when the answer is complete.
    func answer(
        _ request: [UInt8], on channel: any ResponseChannel
    ) async -> (any ResponseStream)?
}

/// The way back to the client of a request: lines of JSON, in order.
public protocol ResponseChannel: Sendable {
    /// The client, as the transport has verified it.
    var client: ServiceClient { get }

    /// The content that the client sends after the request, such as a file; nil for most requests, and for a
    /// transport that carries none.
    var content: (any RequestContent)? { get }

    /// Sends a line, which ends with its line break.
    ///
    /// - Parameter prepare: Called before the line is sent; later lines of others follow it.
    func send(_ line: [UInt8], preparedBy prepare: () -> Void)

    /// Waits until the client has received all sent lines, so that a long answer needs little memory.
    ///
    /// - Throws: ``ResponseChannelClosed`` when the client has left.
    func waitUntilWritten() async throws

    /// Ends the stream of an earlier request of this name: a new one takes its place.
    func endStream(_ name: String)
}

/// The client of a request has left.
public struct ResponseChannelClosed: Error {
    /// Creates the error.
    public init() {}
}

/// The content that a client sends after its request.
public protocol RequestContent: Sendable {
    /// Returns the next piece, when it has arrived; nil at the end.
    ///
    /// - Throws: ``ResponseChannelClosed`` when the client has left; ``RequestContentTooLong``.
    func next() async throws -> [UInt8]?
}

/// The content of a request is longer than is allowed.
public struct RequestContentTooLong: Error, CustomStringConvertible {
    /// The maximum number of bytes of a file that is sent to the gateway.
    public static let maximumFileBytes = 64 << 20

    /// Creates the error.
    public init() {}

    /// The message.
    public var description: String { "the file has more than \(Self.maximumFileBytes >> 20) MiB" }
}

extension ResponseChannel {
    /// There is none.
    public var content: (any RequestContent)? { nil }

    /// Sends a line, which ends with its line break.
    public func send(_ line: [UInt8]) {
        send(line, preparedBy: {})
    }
}

/// A stream of lines after the answer to a request: a tap, a watched workout.
public protocol ResponseStream: Sendable {
    /// Ends the stream.
    func cancel()
}

/// The requests where no gateway runs, such as in a test of a service: each is answered with an error.
public struct NoGatewayRequests: GatewayRequests {
    /// Makes a value.
    public init() {}

    /// Answers with an error.
    public func answer(
        _ request: [UInt8], on channel: any ResponseChannel
    ) async -> (any ResponseStream)? {
        channel.send(Array("{\"error\":\"no gateway is running\"}\n".utf8))
        return nil
    }
}
