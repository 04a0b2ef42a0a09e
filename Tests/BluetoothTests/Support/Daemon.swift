import DBus
import GatewayCore

@testable import Bluetooth

/// What bluetoothd has, changed by signals as it sends them.
struct Daemon {
    private(set) var tree = ManagedObjects(managed: [], daemon: name(0))
    private var restarts = 0

    /// Identifies bluetoothd after its nth restart.
    static func name(_ restarts: Int) -> String { "bus :1.\(restarts)" }

    /// Forgets everything, as a new bluetoothd has.
    mutating func restart() {
        restarts += 1
        tree = ManagedObjects(managed: [], daemon: Self.name(restarts))
    }

    mutating func apply(_ signal: BusSignal) -> [ManagedObjects.Change] { tree.apply(signal) }

    mutating func add(
        _ path: String, _ interface: String, _ properties: [String: BusValue]
    ) -> [ManagedObjects.Change] {
        tree.apply(.added(path, [interface: properties]))
    }

    mutating func set(
        _ path: String, _ interface: String, _ properties: [String: BusValue],
        gone: [String] = []
    ) -> [ManagedObjects.Change] {
        tree.apply(.changed(path, interface, properties, gone: gone))
    }

    mutating func remove(_ path: String, _ interfaces: String...) -> [ManagedObjects.Change] {
        tree.apply(.removed(path, interfaces))
    }

    mutating func addAdapter(
        _ number: Int, isPowered: Bool = true, address: String? = nil
    ) -> [ManagedObjects.Change] {
        add(
            Self.adapter(number), BlueZName.adapter,
            [
                "Address": .string(address ?? "00:1A:7D:DA:71:0\(number)"),
                "Powered": .boolean(isPowered),
            ])
    }

    mutating func addDevice(
        _ number: UInt8, on adapter: Int = 0, strength: Int16? = nil, isConnected: Bool = false,
        isPaired: Bool = false, services: [UInt16] = [0x180D], name: String = "Strap"
    ) -> [ManagedObjects.Change] {
        var properties: [String: BusValue] = [
            "Address": .string("\(BluetoothAddress.ending(number))"),
            "Adapter": .objectPath(Self.adapter(adapter)), "Name": .string(name),
            "Connected": .boolean(isConnected), "Paired": .boolean(isPaired),
            "ServicesResolved": .boolean(false),
            "UUIDs": .array(
                services.map { .string(BluetoothUUID($0).description) }, of: "s"),
        ]
        properties["RSSI"] = strength.map { .int16($0) }
        return add(Self.device(number, on: adapter), BlueZName.device, properties)
    }

    /// The objects of the services of a strap: maker, pulse, place, battery.
    mutating func addServices(of number: UInt8, on adapter: Int = 0) -> [ManagedObjects.Change] {
        let device = Self.device(number, on: adapter)
        var changes: [ManagedObjects.Change] = []
        for characteristic in BlueZCharacteristic.strap {
            let service = "\(device)/service\(characteristic.service.shortest)"
            if tree.properties(service, BlueZName.gattService) == nil {
                let uuid = BusValue.string(characteristic.service.description)
                changes += add(service, BlueZName.gattService, ["UUID": uuid])
            }
            changes += add(
                "\(service)/\(characteristic.path)", BlueZName.gattCharacteristic,
                [
                    "UUID": .string(characteristic.uuid.description),
                    "Service": .objectPath(service),
                    "Flags": .array(characteristic.flags.sorted().map { .string($0) }, of: "s"),
                ])
        }
        return changes
    }

    static func adapter(_ number: Int) -> String { "/org/bluez/hci\(number)" }

    static func device(_ number: UInt8, on adapter: Int = 0) -> String {
        let digits = BluetoothAddress.ending(number).description.split(separator: ":")
        return "\(Self.adapter(adapter))/dev_\(digits.joined(separator: "_"))"
    }
}

extension BusSignal {
    static func added(_ path: String, _ interfaces: [String: [String: BusValue]]) -> BusSignal {
        let entries = interfaces.map { (BusValue.string($0), BusValue.properties($1)) }
        let dictionary = BusValue.dictionary(
            Dictionary(entries) { first, _ in first }, key: "s", value: "a{sv}")
        return BusSignal(
            "/", BlueZName.objectManager, BlueZName.interfacesAdded,
            [.objectPath(path), dictionary])
    }

    static func removed(_ path: String, _ interfaces: [String]) -> BusSignal {
        BusSignal(
            "/", BlueZName.objectManager, BlueZName.interfacesRemoved,
            [.objectPath(path), .array(interfaces.map { .string($0) }, of: "s")])
    }

    static func changed(
        _ path: String, _ interface: String, _ properties: [String: BusValue],
        gone: [String] = []
    ) -> BusSignal {
        BusSignal(
            path, BlueZName.properties, BlueZName.propertiesChanged,
            [
                .string(interface), .properties(properties),
                .array(gone.map { .string($0) }, of: "s"),
            ])
    }
}
