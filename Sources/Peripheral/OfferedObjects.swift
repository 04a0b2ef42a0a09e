import Bluetooth
import DBus

/// The D-Bus objects of an offer, which bluetoothd reads and calls.
///
/// They are an application for GattManager1 and an advertisement for LEAdvertisingManager1 (BlueZ
/// D-Bus API, org.bluez.GattManager, org.bluez.LEAdvertisement).
struct OfferedObjects: Sendable {
    /// The path of the application: the object manager of the services.
    static let root = "/org/pulsegate/peripheral"
    /// The path of the advertisement.
    static let advertisementPath = "\(root)/advertisement"
    static let advertisement = "org.bluez.LEAdvertisement1"

    /// A characteristic with its present value.
    private struct Characteristic {
        let path: String
        let service: String
        let uuid: BluetoothUUID
        let access: OfferedCharacteristic.Access
        var value: [UInt8]
        var isSubscribed = false
    }

    private let name: String
    private let services: [(path: String, uuid: BluetoothUUID)]
    private var characteristics: [Characteristic] = []

    init(_ offer: Offer) {
        name = offer.name
        services = offer.services.enumerated().map { ("\(Self.root)/service\($0)", $1.uuid) }
        for (service, offered) in zip(services, offer.services) {
            for (number, part) in offered.characteristics.enumerated() {
                characteristics.append(
                    Characteristic(
                        path: "\(service.path)/char\(number)", service: service.path,
                        uuid: part.uuid, access: part.access, value: part.value))
            }
        }
    }

    /// Whether a central has subscribed to a characteristic.
    func isSubscribed(to uuid: BluetoothUUID) -> Bool {
        characteristics.contains { $0.uuid == uuid && $0.isSubscribed }
    }

    /// Ends all subscriptions, because bluetoothd has forgotten the application.
    mutating func unsubscribeAll() {
        for index in characteristics.indices { characteristics[index].isSubscribed = false }
    }

    /// Sets the value of a characteristic; returns the signal with which bluetoothd notifies the
    /// centrals, or nil when none has subscribed.
    mutating func set(_ value: [UInt8], of uuid: BluetoothUUID) -> BusSignal? {
        guard let index = characteristics.firstIndex(where: { $0.uuid == uuid }) else { return nil }
        characteristics[index].value = value
        guard characteristics[index].isSubscribed else { return nil }
        return BusSignal(
            characteristics[index].path, BlueZName.properties, BlueZName.propertiesChanged,
            [
                .string(BlueZName.gattCharacteristic), .properties(["Value": .bytes(value)]),
                .array([], of: "s"),
            ])
    }
}

/// The answers to bluetoothd.
extension OfferedObjects {
    /// Answers a call on one of the objects, except on the advertisement.
    mutating func answer(_ call: ObjectCall) -> ObjectAnswer {
        switch (call.interface, call.member) {
        case (BlueZName.objectManager, "GetManagedObjects") where call.path == Self.root:
            .values([managedObjects])
        case (BlueZName.properties, "GetAll"):
            properties(of: call).map { .values([.properties($0)]) } ?? .unknown
        case (BlueZName.properties, "Get"):
            properties(of: call)?[call.body.last?.string ?? ""].map { .values([.variant($0)]) }
                ?? .unknown
        case (BlueZName.gattCharacteristic, let member):
            characteristics.firstIndex { $0.path == call.path }
                .map { answer(member, call.body, at: $0) } ?? .unknown
        default: .unknown
        }
    }

    private mutating func answer(
        _ member: String, _ body: [BusValue], at index: Int
    ) -> ObjectAnswer {
        switch (member, characteristics[index].access) {
        case ("StartNotify", .notify), ("StopNotify", .notify):
            characteristics[index].isSubscribed = member == "StartNotify"
            return .values([])
        case ("ReadValue", .read):
            let value = characteristics[index].value
            let offset = body.first?.entries?["offset"]?.integer ?? 0
            guard (0...value.count).contains(offset) else {
                return .error("org.bluez.Error.InvalidOffset", "invalid offset")
            }
            return .values([.bytes(Array(value.dropFirst(offset)))])
        default: return .error("org.bluez.Error.NotSupported", "not supported")
        }
    }

    /// The interfaces of an object.
    private func interfaces(of path: String) -> [String: [String: BusValue]] {
        if path == Self.advertisementPath { return [Self.advertisement: advertised] }
        if let service = services.first(where: { $0.path == path }) {
            return [
                BlueZName.gattService: [
                    "UUID": .string(service.uuid.description), "Primary": .boolean(true),
                ]
            ]
        }
        guard let part = characteristics.first(where: { $0.path == path }) else { return [:] }
        return [
            BlueZName.gattCharacteristic: [
                "UUID": .string(part.uuid.description), "Service": .objectPath(part.service),
                "Flags": .array([.string(part.access.rawValue)], of: "s"),
            ]
        ]
    }

    private var advertised: [String: BusValue] {
        [
            "Type": .string("peripheral"), "LocalName": .string(name),
            "ServiceUUIDs": .array(services.map { .string($0.uuid.description) }, of: "s"),
        ]
    }

    private func properties(of call: ObjectCall) -> [String: BusValue]? {
        interfaces(of: call.path)[call.body.first?.string ?? ""]
    }

    private var managedObjects: BusValue {
        var objects: [BusValue: BusValue] = [:]
        for path in services.map(\.path) + characteristics.map(\.path) {
            var interfaces: [BusValue: BusValue] = [:]
            for (name, properties) in self.interfaces(of: path) {
                interfaces[.string(name)] = .properties(properties)
            }
            objects[.objectPath(path)] = .dictionary(interfaces, key: "s", value: "a{sv}")
        }
        return .dictionary(objects, key: "o", value: "a{sa{sv}}")
    }
}
