import Platform

/// The limits of a server.
package struct HTTPServerLimits: Equatable, Sendable {
    /// The number of descriptors that stay free for files and other sockets of the process.
    private static let reservedDescriptors = 256
    private static let fewestConnections = 16

    /// The maximum number of connections.
    ///
    /// When few places are left, the connection that has waited longest for its request is closed.
    package var connections = 1_100
    /// The maximum length of a request's line and headers, in bytes; a longer one is refused with 431 or 414.
    package var headerBytes = 8_192
    /// The memory of a connection, which is more, so that the refusal of somewhat too long requests is that of
    /// the owner, and not libmicrohttpd's.
    ///
    /// A thousand connections have it for as long as they last.
    var connectionBytes: Int { headerBytes + 2_048 }
    /// The maximum length of a request's content, in bytes; a longer one is refused with 413.
    package var bodyBytes = 65_536
    /// How long the content of a request that is received piece by piece may take to arrive, in seconds.
    package var inputSeconds = 600.0
    /// How long a request may take to arrive, and a connection may be idle, in seconds.
    package var requestSeconds = 20.0
    /// How long a client may not read what is sent, in seconds.
    package var stalledSeconds = 30

    /// Makes the default limits.
    package init() {}

    /// Raises the limit of descriptors for the connections, and returns limits with as many as then fit.
    ///
    /// Each connection is a descriptor. Without this, connections would use up those of the process, 1,024 at
    /// many starts, and nothing could open a file any more.
    package func fittingDescriptors(
        raise: (Int) -> Int = DescriptorLimit.raise(to:)
    ) -> HTTPServerLimits {
        let limit = raise(connections + Self.reservedDescriptors)
        var fitting = self
        fitting.connections = min(
            connections, max(limit - Self.reservedDescriptors, Self.fewestConnections))
        return fitting
    }
}
