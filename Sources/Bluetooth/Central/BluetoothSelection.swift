import GatewayCore

/// Which devices a source reads, and with which adapter.
struct BluetoothSelection: Hashable, Sendable {
    /// The devices that are wanted.
    enum Devices: Hashable, Sendable {
        /// All that offer what is looked for.
        case any
        /// These, and no others.
        case named(Set<BluetoothAddress>)
    }

    var devices: Devices
    /// Devices that are never connected.
    var denied: Set<BluetoothAddress> = []
    /// The adapter by its address, or by the kernel's name for it; nil for every one.
    var adapter: String?

    /// The devices that are known by their address.
    var named: Set<BluetoothAddress> {
        if case .named(let addresses) = devices { addresses.subtracting(denied) } else { [] }
    }

    /// Whether a device is to be connected that says it has these services.
    func takes(
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
    func takes(_ candidate: BlueZAdapter) -> Bool {
        guard let adapter else { return true }
        return adapter == candidate.name
            || BluetoothAddress(adapter).map { $0 == candidate.address } ?? false
    }
}
