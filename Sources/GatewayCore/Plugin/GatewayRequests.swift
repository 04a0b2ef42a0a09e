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

extension ResponseChannel {
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
