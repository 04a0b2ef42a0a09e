import DBus

/// What a failed attempt to connect means for the next one.
///
/// BlueZ tells the cause in the text of `org.bluez.Error.Failed` (src/error.h); older daemons give
/// the words of `strerror` only.
enum ConnectFailure: Hashable, Sendable {
    /// The radio was disturbed; the same thing will probably work at once.
    case transient
    /// Somebody, perhaps an earlier attempt of ours, is connecting right now.
    case underWay
    /// The adapter has as many links as it can have.
    case noSlot
    /// The device object is gone: it was not heard for too long.
    case gone
    /// The adapter is off.
    case notPowered
    /// The device did not answer, or refused.
    case other

    init(_ error: BusError) {
        guard case .remote(let name, let message) = error else {
            self = .other
            return
        }
        switch name {
        case "org.bluez.Error.InProgress": self = .underWay
        case "org.bluez.Error.NotReady": self = .notPowered
        case "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod", "org.bluez.Error.DoesNotExist":
            self = .gone
        default: self = Self.table.first { message.contains($0.text) }?.failure ?? .other
        }
    }

    private static let table: [(text: String, failure: ConnectFailure)] = [
        ("abort-by-local", .transient),
        ("connection-canceled", .transient),
        ("Software caused connection abort", .transient),
        ("Operation already in progress", .underWay),
        ("concurrent-connection-limit", .noSlot),
        ("Too many links", .noSlot),
        ("adapter-not-powered", .notPowered),
        ("Network is down", .notPowered),
    ]
}
