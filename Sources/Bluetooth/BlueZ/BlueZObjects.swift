import DBus
import GatewayCore

/// An adapter as bluetoothd describes it.
struct BlueZAdapter: Hashable, Sendable {
    let path: String
    let address: BluetoothAddress?
    let isPowered: Bool
    /// Whether it discovers devices, for any program; nil when bluetoothd does not show it.
    let isDiscovering: Bool?

    /// The kernel's name of the adapter: `hci0`.
    var name: String { String(path.split(separator: "/").last ?? "") }

    init(path: String, properties: [String: BusValue]) {
        self.path = path
        address = properties["Address"]?.string.flatMap { BluetoothAddress($0) }
        isPowered = properties["Powered"]?.boolean ?? false
        isDiscovering = properties["Discovering"]?.boolean
    }
}

/// A device as bluetoothd describes it.
struct BlueZDevice: Hashable, Sendable {
    let path: String
    let adapterPath: String
    let address: BluetoothAddress
    let addressKind: BluetoothAddress.Kind
    /// The name that the device advertises.
    let name: String?
    /// The signal strength of the last advertisement, in dBm; nil when none was received since
    /// discovery started.
    let signalStrength: Int?
    /// The services that the device advertises or was found to have.
    let services: Set<BluetoothUUID>
    let isConnected: Bool
    /// Whether the services of the device are resolved.
    let isResolved: Bool
    let isPaired: Bool

    /// Whether the device was received or is connected; otherwise bluetoothd only remembers it.
    var isInRange: Bool { signalStrength != nil || isConnected }

    /// `nil` without an address and an adapter.
    init?(path: String, properties: [String: BusValue]) {
        guard let address = properties["Address"]?.string.flatMap({ BluetoothAddress($0) }),
            let adapterPath = properties["Adapter"]?.string
        else { return nil }
        self.path = path
        self.adapterPath = adapterPath
        self.address = address
        let kind = properties["AddressType"]?.string
        addressKind = kind.flatMap { BluetoothAddress.Kind(rawValue: $0) } ?? .public
        // Not Alias: for a device without a name that is its address.
        let name = DeviceInformation.printable(properties["Name"]?.string ?? "")
        self.name = name.isEmpty ? nil : name
        signalStrength = properties["RSSI"]?.integer
        services = Set(
            (properties["UUIDs"]?.elements ?? []).compactMap {
                $0.string.flatMap { BluetoothUUID($0) }
            }
        )
        isConnected = properties["Connected"]?.boolean ?? false
        isResolved = properties["ServicesResolved"]?.boolean ?? false
        isPaired = properties["Paired"]?.boolean ?? false
    }
}

/// A characteristic of a connected device.
struct BlueZCharacteristic: Hashable, Sendable {
    let path: String
    let service: BluetoothUUID
    let uuid: BluetoothUUID
    let flags: Set<String>

    var isReadable: Bool { flags.contains("read") }
    var canNotify: Bool { flags.contains("notify") || flags.contains("indicate") }
    var isWritable: Bool { flags.contains("write") || flags.contains("write-without-response") }
}

extension ManagedObjects {
    var adapters: [BlueZAdapter] {
        paths(with: BlueZName.adapter).compactMap(adapter)
    }

    func adapter(at path: String) -> BlueZAdapter? {
        properties(path, BlueZName.adapter).map { BlueZAdapter(path: path, properties: $0) }
    }

    func device(at path: String) -> BlueZDevice? {
        properties(path, BlueZName.device).flatMap { BlueZDevice(path: path, properties: $0) }
    }

    var devices: [BlueZDevice] { paths(with: BlueZName.device).compactMap(device) }

    /// The charge in percent, where bluetoothd reads the battery itself.
    func batteryPercentage(at path: String) -> UInt8? {
        properties(path, BlueZName.battery)?["Percentage"]?.integer.flatMap { UInt8(exactly: $0) }
    }

    /// The characteristics of a connected device, in the order of their handles.
    func characteristics(of devicePath: String) -> [BlueZCharacteristic] {
        paths(with: BlueZName.gattCharacteristic, under: devicePath).compactMap { path in
            guard let properties = properties(path, BlueZName.gattCharacteristic),
                let uuid = properties["UUID"]?.string.flatMap({ BluetoothUUID($0) }),
                let servicePath = properties["Service"]?.string,
                let service = self.properties(servicePath, BlueZName.gattService)?["UUID"]?.string
                    .flatMap({ BluetoothUUID($0) })
            else { return nil }
            let flags = (properties["Flags"]?.elements ?? []).compactMap(\.string)
            return BlueZCharacteristic(path: path, service: service, uuid: uuid, flags: Set(flags))
        }
    }
}
