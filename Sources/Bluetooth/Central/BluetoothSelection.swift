package import GatewayCore

/// The device selection of a source: which devices it reads, and with which adapter.
package struct BluetoothSelection: Hashable, Sendable {
    /// The devices to read.
    package enum Devices: Hashable, Sendable {
        /// Every device with a matching service.
        case any
        /// Only these devices.
        case named(Set<BluetoothAddress>)
    }

    package var devices: Devices
    /// Devices never to connect to.
    package var denied: Set<BluetoothAddress> = []
    /// The adapter to use, by its address or kernel name; nil for all adapters.
    package var adapter: String?

    /// Makes a selection; by default without exceptions, for all adapters.
    package init(
        devices: Devices, denied: Set<BluetoothAddress> = [], adapter: String? = nil
    ) {
        self.devices = devices
        self.denied = denied
        self.adapter = adapter
    }

    /// The devices selected by address, without the denied ones.
    package var named: Set<BluetoothAddress> {
        if case .named(let addresses) = devices { addresses.subtracting(denied) } else { [] }
    }

    /// Whether a device is selected by its address.
    package func isNamed(_ address: BluetoothAddress) -> Bool {
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
    package func accepts(_ candidate: BlueZAdapter) -> Bool {
        guard let adapter else { return true }
        return adapter == candidate.name
            || BluetoothAddress(adapter).map { $0 == candidate.address } ?? false
    }
}
