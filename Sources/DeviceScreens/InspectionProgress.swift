import Bluetooth
package import BluetoothSetup
package import GatewayCore
package import GatewayHost
import Synchronization

/// The progress of an inspection, to report what it was waiting for at a timeout.
package final class InspectionProgress: Sendable {
    private enum Stage {
        case starting, scanning, connecting, discovered
    }

    private let stage = Mutex(Stage.starting)

    /// Creates the progress of an inspection that has not begun.
    package init() {}

    /// Updates the progress with an event.
    package func update(_ event: BluetoothInspector.Event) {
        stage.withLock { stage in
            switch event {
            case .scanning: stage = .scanning
            case .connecting: stage = .connecting
            case .discovered, .read, .notified, .refused, .listening: stage = .discovered
            }
        }
    }

    /// The error when the time is over before the services are known; nil otherwise.
    package func failure(of address: BluetoothAddress, after seconds: String) -> HostError? {
        let problem =
            switch stage.withLock({ $0 }) {
            case .starting:
                "bluetoothd did not answer within \(seconds) seconds; "
                    + "restart it: sudo systemctl restart bluetooth"
            case .scanning:
                "\(address) was not seen within \(seconds) seconds; "
                    + BluetoothInspector.notSeenRemedy
            case .connecting:
                "\(address) was seen, but did not list its services within \(seconds) seconds; "
                    + "move it closer, or increase --for"
            case .discovered: nil as String?
            }
        return problem.map { HostError(.failure, $0) }
    }
}
