package import DBus
import Platform

/// The cause of a failed `Connect`, sorted by what happens next.
///
/// BlueZ reports the cause in the message of `org.bluez.Error.Failed` (src/error.h); older daemons
/// only report the text of `strerror`.
package enum ConnectFailure: Hashable, Sendable {
    /// The radio was disturbed; an immediate retry will probably succeed.
    case transient
    /// Another program, or an earlier attempt of ours, is connecting.
    case underWay
    /// The adapter has reached its connection limit.
    case noSlot
    /// bluetoothd has removed the device object because the device was out of range for too long.
    case gone
    /// The adapter is off.
    case notPowered
    /// The device did not answer, or rejected the connection.
    case other

    /// Classifies an error; nil when the device is already connected, which is a success.
    package init?(_ error: BusError) {
        guard case .remote(let name, let message) = error else {
            self = .other
            return
        }
        switch name {
        case "org.bluez.Error.AlreadyConnected": return nil
        case "org.bluez.Error.InProgress": self = .underWay
        case "org.bluez.Error.NotReady": self = .notPowered
        case "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod", "org.bluez.Error.DoesNotExist":
            self = .gone
        default:
            guard !message.contains(text: "already-connected") else { return nil }
            self = Self.table.first { message.contains(text: $0.text) }?.failure ?? .other
        }
    }

    private static let table: [(text: String, failure: ConnectFailure)] = [
        ("abort-by-local", .transient),
        ("aborted-by-local", .transient),
        ("connection-canceled", .transient),
        ("Software caused connection abort", .transient),
        ("Operation already in progress", .underWay),
        ("concurrent-connection-limit", .noSlot),
        ("Too many links", .noSlot),
        ("adapter-not-powered", .notPowered),
        ("Network is down", .notPowered),
    ]
}
