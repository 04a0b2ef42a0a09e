import Bluetooth
import DBus
import GatewayCore

/// What the answer to `Pair` means (BlueZ D-Bus API, org.bluez.Device).
enum PairFailure: Hashable, Sendable {
    /// It is paired already.
    case isPaired
    /// Another program is connecting the device, or the radio was disturbed: try again.
    case retry
    /// Nothing more can be done.
    case final(LinkError)

    init(_ error: BusError, of address: BluetoothAddress, hasTerminal: Bool) {
        guard case .remote(let name, _) = error, let kind = name.split(separator: ".").last else {
            self = .final(LinkError("cannot pair \(address): \(error)"))
            return
        }
        switch kind {
        case "AlreadyExists": self = .isPaired
        case "AuthenticationFailed", "AuthenticationRejected":
            let remedy =
                hasTerminal
                ? "put the device into its pairing mode and try again"
                : "put the device into its pairing mode, or pair it at a terminal if it has a passkey"
            self = .final(
                LinkError("\(address) was not paired: authentication failed", remedy: remedy))
        case "AuthenticationCanceled":
            self = .final(
                LinkError(
                    "pairing of \(address) was canceled",
                    remedy: "move the device closer and try again"))
        case "AuthenticationTimeout":
            self = .final(
                LinkError(
                    "\(address) did not answer the pairing in time",
                    remedy: "put the device into its pairing mode and try again"))
        case "ConnectionAttemptFailed":
            self = .final(
                LinkError(
                    "cannot connect to \(address)", remedy: BluetoothInspector.notSeenRemedy))
        default:
            self =
                switch ConnectFailure(error) {
                case .underWay, .transient, .gone, nil: .retry
                default: .final(LinkError("cannot pair \(address): \(error)"))
                }
        }
    }
}
