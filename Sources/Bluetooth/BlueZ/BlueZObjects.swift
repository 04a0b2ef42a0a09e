import DBus
package import GatewayCore

/// An adapter as bluetoothd describes it.
package struct BlueZAdapter: Hashable, Sendable {
    package let path: String
    package let address: BluetoothAddress?
    package let isPowered: Bool
    /// Whether it discovers devices, for any program; nil when bluetoothd does not show it.
    package let isDiscovering: Bool?

    /// The kernel's name of the adapter: `hci0`.
    package var name: String { String(path.split(separator: "/").last ?? "") }

    init(path: String, properties: [String: BusValue]) {
        self.path = path
        address = properties["Address"]?.string.flatMap { BluetoothAddress($0) }
        isPowered = properties["Powered"]?.boolean ?? false
        isDiscovering = properties["Discovering"]?.boolean
    }
}

/// A device as bluetoothd describes it.
package struct BlueZDevice: Hashable, Sendable {
    package let path: String
    package let adapterPath: String
    package let address: BluetoothAddress
    package let addressKind: BluetoothAddress.Kind
    /// The name that the device advertises.
    package let name: String?
    /// The values of a signal strength, in dBm; 127 stands for an unknown one (Core Specification
    /// 5.4, Vol 4, Part E, 7.7.65.2), 0 and all others are of no receiver.
    private static let signalStrengths = -127...20
    /// The signal strength of the last advertisement, in dBm; nil when it is unknown.
    package private(set) var signalStrength: Int?
    /// Whether an advertisement was received since discovery started.
    private(set) var isReceived = false
    /// The services that the device advertises or was found to have.
    package let services: Set<BluetoothUUID>
    package private(set) var isConnected = false
    /// Whether the services of the device are resolved.
    package private(set) var isResolved = false
    package private(set) var isPaired = false

    /// Whether the device was received or is connected; otherwise bluetoothd only remembers it.
    package var isInRange: Bool { isReceived || isConnected }

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
        services = Set(
            (properties["UUIDs"]?.elements ?? []).compactMap {
                $0.string.flatMap { BluetoothUUID($0) }
            }
        )
        for name in Self.shortProperties { update(name, to: properties[name]) }
    }

    /// The properties that change often; each is read alone.
    private static let shortProperties: Set<String> = [
        "RSSI", "Connected", "ServicesResolved", "Paired",
    ]
    /// The properties that need a new device when they change.
    private static let longProperties: Set<String> = [
        "Address", "AddressType", "Adapter", "Name", "UUIDs",
    ]

    private mutating func update(_ name: String, to value: BusValue?) {
        switch name {
        case "RSSI":
            isReceived = value?.integer != nil
            signalStrength = value?.integer.flatMap {
                $0 != 0 && Self.signalStrengths.contains($0) ? $0 : nil
            }
        case "Connected": isConnected = value?.boolean ?? false
        case "ServicesResolved": isResolved = value?.boolean ?? false
        case "Paired": isPaired = value?.boolean ?? false
        default: break
        }
    }

    /// Updates the device in place from its changed properties; false when it has to be read as a
    /// whole.
    mutating func update(_ names: some Sequence<String>, from properties: [String: BusValue])
        -> Bool
    {
        for name in names {
            guard !Self.longProperties.contains(name) else { return false }
            update(name, to: properties[name])
        }
        return true
    }
}

/// A characteristic of a connected device.
package struct BlueZCharacteristic: Hashable, Sendable {
    package let path: String
    package let service: BluetoothUUID
    package let uuid: BluetoothUUID
    package let flags: Set<String>
    /// Whether bluetoothd offers a socket for its notifications.
    var canBeAcquired = false

    package var isReadable: Bool { flags.contains("read") }
    var canNotify: Bool { flags.contains("notify") || flags.contains("indicate") }
    var isWritable: Bool { flags.contains("write") || flags.contains("write-without-response") }
}

extension ManagedObjects {
    /// The charge in percent, where bluetoothd reads the battery itself.
    func batteryPercentage(at path: String) -> UInt8? {
        properties(path, BlueZName.battery)?["Percentage"]?.integer.flatMap { UInt8(exactly: $0) }
    }

    /// The characteristics of a connected device, in the order of their handles.
    package func characteristics(of devicePath: String) -> [BlueZCharacteristic] {
        attributePaths(with: BlueZName.gattCharacteristic, of: devicePath).compactMap { path in
            guard let properties = properties(path, BlueZName.gattCharacteristic),
                let uuid = properties["UUID"]?.string.flatMap({ BluetoothUUID($0) }),
                let servicePath = properties["Service"]?.string,
                let service = self.properties(servicePath, BlueZName.gattService)?["UUID"]?.string
                    .flatMap({ BluetoothUUID($0) })
            else { return nil }
            let flags = (properties["Flags"]?.elements ?? []).compactMap(\.string)
            return BlueZCharacteristic(
                path: path, service: service, uuid: uuid, flags: Set(flags),
                canBeAcquired: properties["NotifyAcquired"] != nil)
        }
    }
}
