import GatewayCore

/// The device selection of a source: which devices it reads, and with which adapter.
struct BluetoothSelection: Hashable, Sendable {
    /// The devices to read.
    enum Devices: Hashable, Sendable {
        /// Every device with a matching service.
        case any
        /// Only these devices.
        case named(Set<BluetoothAddress>)
    }

    var devices: Devices
    /// Devices never to connect to.
    var denied: Set<BluetoothAddress> = []
    /// The adapter to use, by its address or kernel name; nil for all adapters.
    var adapter: String?

    /// The devices selected by address, without the denied ones.
    var named: Set<BluetoothAddress> {
        if case .named(let addresses) = devices { addresses.subtracting(denied) } else { [] }
    }

    /// Whether a device is selected by its address.
    func isNamed(_ address: BluetoothAddress) -> Bool {
        guard case .named(let addresses) = devices else { return false }
        return addresses.contains(address) && !denied.contains(address)
    }

    /// Whether to connect to a device that advertises these services.
    func accepts(
        _ address: BluetoothAddress, offering services: Set<BluetoothUUID>,
        wanted: Set<BluetoothUUID>
    ) -> Bool {
        guard !denied.contains(address) else { return false }
        return switch devices {
        case .any: !services.isDisjoint(with: wanted)
        case .named(let addresses): addresses.contains(address)
        }
    }

    /// Whether an adapter may be used.
    func accepts(_ candidate: BlueZAdapter) -> Bool {
        guard let adapter else { return true }
        return adapter == candidate.name
            || BluetoothAddress(adapter).map { $0 == candidate.address } ?? false
    }
}
