package import DBus
package import GatewayCore

/// Errors for the operator: why bluetoothd cannot be used, and what to do.
package enum BlueZProblem {
    /// bluetoothd is not running.
    package static let notRunning = LinkError(
        "bluetoothd is not running",
        remedy: Remedy("start it", run: ["sudo", "systemctl", "start", "bluetooth"]))
    /// The bus does not let this user talk to bluetoothd.
    package static let accessDenied = LinkError(
        "access to bluetoothd denied",
        remedy: GroupMembership.current.remedy(joining: "bluetooth"))
    /// bluetoothd has not answered in time.
    package static let unresponsive = LinkError(
        "bluetoothd does not respond",
        remedy: .restartBluetooth)

    /// The error for a bus that is unavailable or was lost.
    package static func bus(_ error: BusError) -> LinkError {
        switch error {
        case .unavailable:
            LinkError(
                "\(error)",
                remedy: Remedy("start the system bus", run: ["sudo", "systemctl", "start", "dbus"]))
        default: LinkError("D-Bus connection closed")
        }
    }

    /// Whether the bus reports that the name has no owner.
    static func isNameWithoutOwner(_ error: BusError) -> Bool {
        if case .remote(name: "org.freedesktop.DBus.Error.NameHasNoOwner", _) = error {
            true
        } else {
            false
        }
    }

    /// The error for a failed `GetNameOwner`.
    static func owner(_ error: BusError) -> LinkError {
        LinkError(
            "cannot query whether bluetoothd is running: \(reason(error))", remedy: busRemedy
        )
    }

    /// The error for a rejected match rule.
    static func signals(_ error: BusError) -> LinkError {
        LinkError(
            "cannot subscribe to bluetoothd signals: \(reason(error))", remedy: busRemedy)
    }

    /// The name of a remote error; its message contains the connection name, which changes with
    /// each attempt.
    private static func reason(_ error: BusError) -> String {
        if case .remote(let name, _) = error { name } else { "\(error)" }
    }

    private static let busRemedy =
        "check the policies and limits in the bus configuration (man dbus-daemon)"

    /// The error for a failed `GetManagedObjects`.
    static func objects(_ error: BusError) -> LinkError {
        switch error {
        case .remote(name: "org.freedesktop.DBus.Error.AccessDenied", _): accessDenied
        case .timedOut: unresponsive
        default: LinkError("cannot query bluetoothd: \(error)")
        }
    }
}
