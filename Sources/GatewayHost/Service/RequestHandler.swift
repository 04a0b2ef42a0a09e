package import GatewayCore

/// The handler for the requests of one name, for any transport that carries JSON.
package struct RequestHandler: Sendable {
    /// A function that answers one request.
    ///
    /// An error is sent to the client as the answer.
    package typealias Answer =
        @Sendable (ServiceRequest, GatewayService, any ResponseChannel) async throws
        -> (any ResponseStream)?

    /// Who may send requests of a handler.
    package enum Audience: Equatable, Sendable {
        /// The owner of the gateway only.
        case owner
        /// The owner, and clients that may change an area.
        case managers(of: ManagedArea)
        /// Every client; the handler checks what it delivers and accepts.
        case everyone
    }

    /// The value of `request` in the object that a client sends.
    package let name: String
    /// The keys whose values the handler gets as bytes, not as trees.
    let bytesKeys: [String]
    let audience: Audience
    private let answer: Answer

    /// Makes a handler, by default for the owner only; `answer` gets the whole request.
    package init(
        _ name: String, for audience: Audience = .owner, bytesKeys: [String] = [],
        answer: @escaping Answer
    ) {
        self.name = name
        self.audience = audience
        self.bytesKeys = bytesKeys
        self.answer = answer
    }

    /// Answers a request.
    ///
    /// - Returns: The stream of lines after the answer; nil when the answer is complete.
    package func handle(
        _ request: ServiceRequest, _ service: GatewayService, _ channel: any ResponseChannel
    ) async throws -> (any ResponseStream)? {
        try service.admit(channel.client, to: self)
        return try await answer(request, service, channel)
    }
}
