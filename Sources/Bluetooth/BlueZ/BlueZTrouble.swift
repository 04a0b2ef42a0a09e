import DBus
import GatewayCore

/// Why bluetoothd cannot be used, in words for whoever runs the gateway.
enum BlueZTrouble {
    static let notRunning = LinkError(
        "bluetoothd is not running", mend: "sudo systemctl start bluetooth")

    /// What it means that the bus cannot be had, or has gone.
    static func bus(_ error: BusError) -> LinkError {
        switch error {
        case .unavailable:
            LinkError("\(error)", mend: "start the system bus: sudo systemctl start dbus")
        default: LinkError("the connection to D-Bus has ended")
        }
    }

    /// What it means that bluetoothd does not tell its objects.
    static func objects(_ error: BusError) -> LinkError {
        switch error {
        case .remote(name: "org.freedesktop.DBus.Error.AccessDenied", _):
            LinkError(
                "this user may not talk to bluetoothd",
                mend: "sudo usermod -aG bluetooth $USER, then log in again")
        case .timedOut:
            LinkError(
                "bluetoothd does not answer", mend: "sudo systemctl restart bluetooth")
        default: LinkError("bluetoothd cannot be asked: \(error)")
        }
    }
}
