import DBus
import GatewayCore

/// An adapter as bluetoothd describes it.
struct BlueZAdapter: Hashable, Sendable {
    let path: String
    let address: BluetoothAddress?
    let isPowered: Bool

    /// The name that the kernel gives it: `hci0`.
    var name: String { String(path.split(separator: "/").last ?? "") }

    init(path: String, properties: [String: BusValue]) {
        self.path = path
        address = properties["Address"]?.string.flatMap { BluetoothAddress($0) }
        isPowered = properties["Powered"]?.boolean ?? false
    }
}

/// A device as bluetoothd describes it.
struct BlueZDevice: Hashable, Sendable {
    let path: String
    let adapterPath: String
    let address: BluetoothAddress
    let addressKind: BluetoothAddress.Kind
    /// The name that it calls itself.
    let name: String?
    /// How strong its signal was when it was last heard, in dBm; nil when it has not been heard since
    /// somebody began to look.
    let signalStrength: Int?
    /// The services that it says it has.
    let services: Set<BluetoothUUID>
    let isConnected: Bool
    /// Whether the objects of its services are there.
    let isResolved: Bool
    let isPaired: Bool

    /// Whether it was heard or is connected; else the object is only a memory.
    var isAround: Bool { signalStrength != nil || isConnected }

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
        // The alias of a device without a name is its address: no name.
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

    var canBeRead: Bool { flags.contains("read") }
    var canNotify: Bool { flags.contains("notify") || flags.contains("indicate") }
    var canBeWritten: Bool { flags.contains("write") || flags.contains("write-without-response") }
}

extension ManagedObjects {
    var adapters: [BlueZAdapter] {
        paths(with: BlueZName.adapter).compactMap { path in
            properties(path, BlueZName.adapter).map { BlueZAdapter(path: path, properties: $0) }
        }
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
