import Bluetooth
import GatewayCore
import GatewayHost
import Synchronization

/// How far an inspection has come: what it waits for, if it should not come further.
final class InspectedWay: Sendable {
    private enum Stage {
        case asking, looking, connecting, there
    }

    private let stage = Mutex(Stage.asking)

    /// Notes what the inspector tells.
    func note(_ event: BluetoothInspector.Event) {
        stage.withLock { stage in
            switch event {
            case .scanning: stage = .looking
            case .connecting: stage = .connecting
            case .discovered, .read, .notified, .refused, .listening: stage = .there
            }
        }
    }

    /// Why nothing was shown when the time was over; nil when something was.
    func failure(of address: BluetoothAddress, after seconds: String) -> HostError? {
        let problem =
            switch stage.withLock({ $0 }) {
            case .asking:
                "bluetoothd has not answered in \(seconds) seconds; "
                    + "sudo systemctl restart bluetooth"
            case .looking:
                "\(address) was not heard in \(seconds) seconds; \(BluetoothInspector.notSeenRemedy)"
            case .connecting:
                "\(address) was heard, but has not told its services in \(seconds) seconds; "
                    + "bring it nearer, or give it more time"
            case .there: nil as String?
            }
        return problem.map { HostError(.failure, $0) }
    }
}
