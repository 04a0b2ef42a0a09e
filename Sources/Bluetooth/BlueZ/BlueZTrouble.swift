import DBus
import GatewayCore

/// Why bluetoothd cannot be used, in words for whoever runs the gateway.
enum BlueZTrouble {
    static let notRunning = LinkError(
        "bluetoothd is not running", remedy: "sudo systemctl start bluetooth")

    /// What it means that the bus cannot be had, or has gone.
    static func bus(_ error: BusError) -> LinkError {
        switch error {
        case .unavailable:
            LinkError("\(error)", remedy: "start the system bus: sudo systemctl start dbus")
        default: LinkError("the connection to D-Bus has ended")
        }
    }

    /// Whether the bus says that nobody has the name; any other failure leaves that open.
    static func isNoOwner(_ error: BusError) -> Bool {
        if case .remote(name: "org.freedesktop.DBus.Error.NameHasNoOwner", _) = error {
            true
        } else {
            false
        }
    }

    /// What it means that the bus does not tell whether bluetoothd is there.
    static func owner(_ error: BusError) -> LinkError {
        LinkError(
            "D-Bus does not tell whether bluetoothd is running: \(reason(error))", remedy: busRemedy
        )
    }

    /// What it means that the bus refuses to tell what changes.
    static func signals(_ error: BusError) -> LinkError {
        LinkError(
            "D-Bus does not tell what changes at bluetoothd: \(reason(error))", remedy: busRemedy)
    }

    /// The bus's own words name the connection, which is another one after each try.
    private static func reason(_ error: BusError) -> String {
        if case .remote(let name, _) = error { name } else { "\(error)" }
    }

    private static let busRemedy =
        "look at the policies and limits in the bus's configuration (man dbus-daemon)"

    /// What it means that bluetoothd does not tell its objects.
    static func objects(_ error: BusError) -> LinkError {
        switch error {
        case .remote(name: "org.freedesktop.DBus.Error.AccessDenied", _):
            LinkError(
                "this user may not talk to bluetoothd",
                remedy: "sudo usermod -aG bluetooth $USER, then log in again")
        case .timedOut:
            LinkError(
                "bluetoothd does not answer", remedy: "sudo systemctl restart bluetooth")
        default: LinkError("bluetoothd cannot be asked: \(error)")
        }
    }
}
