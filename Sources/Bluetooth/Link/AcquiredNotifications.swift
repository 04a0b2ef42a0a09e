import GatewayCore
import JSON

/// Whose notifications bluetoothd sends over a socket of their own (`AcquireNotify`) instead of the
/// bus.
///
/// That costs less, and no other program can subscribe to the same characteristic meanwhile.
enum AcquiredNotifications: Hashable, Sendable {
    case all
    /// Those of these devices, and those of these profiles of any device.
    case some(devices: Set<BluetoothAddress>, profiles: Set<String>)

    static let none = some(devices: [], profiles: [])

    /// Reads the setting `acquireNotify`: `"all"`, or addresses and names of profiles.
    init(
        _ node: ConfigurationNode, profiles: [any GATTProfile]
    ) throws(ConfigurationError) {
        if case .string = node.value {
            _ = try node.choice(of: ["all"])
            self = .all
            return
        }
        var devices: Set<BluetoothAddress> = []
        var chosen: Set<String> = []
        let names = profiles.map(\.name)
        for entry in try node.array() {
            let text = try entry.string()
            if let address = BluetoothAddress(text) {
                devices.insert(address)
            } else if names.contains(text) {
                chosen.insert(text)
            } else {
                let suggestion = Suggestion.message(unknown: text, known: names)
                throw entry.error("must be an address or a profile of this source; \(suggestion)")
            }
        }
        self = .some(devices: devices, profiles: chosen)
    }

    /// The characteristics of a device whose notifications are acquired.
    func characteristics(
        of address: BluetoothAddress, _ profiles: [any GATTProfile]
    ) -> Set<BluetoothUUID> {
        let acquired = profiles.filter { profile in
            switch self {
            case .all: true
            case .some(let devices, let names):
                devices.contains(address) || names.contains(profile.name)
            }
        }
        return Set(acquired.flatMap(\.subscriptions))
    }
}
