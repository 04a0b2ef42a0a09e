/// A request that was received, as a whole or up to its content.
package struct HTTPServerRequest: Sendable {
    /// The method as it was sent: `GET`.
    package let method: String
    /// The target as it was sent: `/v1/live?person=ada`.
    package let target: String
    /// The values by the name in lower case; several of one name are joined with commas.
    package let headers: [String: String]
    /// The content; empty without one, and when it is received piece by piece.
    package let body: [UInt8]
    /// The content that is received piece by piece; nil for other requests.
    package let input: HTTPInput?
    /// The other end of the connection.
    package let peer: HTTPPeer

    /// Makes a request.
    package init(
        method: String, target: String, headers: [String: String] = [:], body: [UInt8] = [],
        input: HTTPInput? = nil, peer: HTTPPeer
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.input = input
        self.peer = peer
    }
}

/// The other end of a connection.
package struct HTTPPeer: Equatable, Sendable {
    /// The address as text: `127.0.0.1`, `fd00::1`.
    package let address: String
    /// Whether it is this machine's own loopback address.
    package let isLoopback: Bool
    /// The user of this machine who holds the other end; nil for another machine, and when it is unknown.
    package let userID: UInt32?

    /// Makes a peer.
    package init(address: String, isLoopback: Bool, userID: UInt32? = nil) {
        self.address = address
        self.isLoopback = isLoopback
        self.userID = userID
    }
}
