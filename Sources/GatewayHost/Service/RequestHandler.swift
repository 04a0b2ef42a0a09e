/// Answers the requests of one name, for any transport that carries JSON.
package struct RequestHandler: Sendable {
    /// Answers one request.
    ///
    /// What it throws is sent as the error of the request.
    package typealias Answer =
        @Sendable (ServiceRequest, GatewayService, any ResponseChannel) async throws
        -> (any ResponseStream)?

    /// The value of `request` in the object that a client sends.
    package let name: String
    /// The keys whose values are not read as trees, but handed to the handler as bytes.
    let bytesKeys: [String]
    private let answer: Answer

    /// Makes a handler; `answer` gets the whole request.
    package init(_ name: String, bytesKeys: [String] = [], answer: @escaping Answer) {
        self.name = name
        self.bytesKeys = bytesKeys
        self.answer = answer
    }

    /// Answers a request.
    ///
    /// - Returns: What continues after the answer until it is cancelled; nil when nothing does.
    package func handle(
        _ request: ServiceRequest, _ service: GatewayService, _ channel: any ResponseChannel
    ) async throws -> (any ResponseStream)? {
        try await answer(request, service, channel)
    }
}

/// The way back to the client of a request: lines of JSON, in order.
package protocol ResponseChannel: Sendable {
    /// Sends a line, which ends with its line break.
    ///
    /// - Parameter prepare: Called so that whatever is sent by others from then on follows the line.
    func send(_ line: [UInt8], preparedBy prepare: () -> Void)

    /// Ends what continues since an earlier request of this name: a new one takes its place.
    func endStream(_ name: String)
}

extension ResponseChannel {
    /// Sends a line, which ends with its line break.
    package func send(_ line: [UInt8]) {
        send(line, preparedBy: {})
    }
}

/// What continues after the answer to a request: a tap, a watched workout.
package protocol ResponseStream: Sendable {
    /// Ends it.
    func cancel()
}
