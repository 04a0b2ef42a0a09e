/// The limits of a server.
package struct HTTPServerLimits: Equatable, Sendable {
    /// The maximum number of connections; further ones wait until one ends.
    package var connections = 1_100
    /// The maximum length of a request's line and headers, in bytes; a longer one is refused with 431 or 414.
    package var headerBytes = 16_384
    /// The maximum length of a request's content, in bytes; a longer one is refused with 413.
    package var bodyBytes = 65_536
    /// How long a request may take to arrive, and a connection may be idle, in seconds.
    package var requestSeconds = 20.0
    /// How long a client may not read what is sent, in seconds.
    package var stalledSeconds = 30

    /// Makes the default limits.
    package init() {}
}
