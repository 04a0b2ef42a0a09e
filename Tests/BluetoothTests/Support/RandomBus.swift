import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// Random signals, most of them valid and some invalid, about three devices that
/// two adapters know.
struct RandomBus {
    private var generator: SeededGenerator
    static let devices = (0..<2).flatMap { adapter in
        (UInt8(1)...3).map { (number: $0, adapter: adapter, path: Daemon.device($0, on: adapter)) }
    }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func isRare(_ count: Int) -> Bool { number(below: count) == 0 }

    /// What is there before anything happens.
    static func fill(_ daemon: inout Daemon) -> [ManagedObjects.Change] {
        var changes: [ManagedObjects.Change] = []
        for adapter in 0..<2 {
            changes += daemon.addAdapter(adapter)
            for number in UInt8(1)...3 {
                changes += daemon.addDevice(number, on: adapter)
                changes += daemon.addServices(of: number, on: adapter)
            }
        }
        return changes
    }

    mutating func signal() -> BusSignal {
        if isRare(25) { return strange() }
        let device = one(of: Self.devices)
        let characteristic = "\(device.path)/service180d/c2"
        switch number(below: 20) {
        case 0:
            return .changed(
                Daemon.adapter(device.adapter), BlueZName.adapter,
                odd(["Powered": .boolean(!isRare(4)), "Discovering": .boolean(isRare(2))]))
        case 1: return .removed(device.path, [one(of: [BlueZName.device, BlueZName.battery])])
        case 2, 3: return .added(device.path, [BlueZName.device: odd(whole(device))])
        case 4:
            return .changed(
                device.path, BlueZName.device, [:], gone: [one(of: ["RSSI", "Name", "UUIDs"])])
        case 5:
            let charge = BusValue.byte(UInt8(number(below: 110)))
            return .added(device.path, [BlueZName.battery: odd(["Percentage": charge])])
        case 6..<10:
            return .changed(
                characteristic, BlueZName.gattCharacteristic,
                odd(["Value": .bytes([UInt8(number(below: 256))])]))
        default:
            let properties = whole(device).filter { _ in isRare(4) }
            return .changed(device.path, BlueZName.device, odd(properties))
        }
    }

    private mutating func whole(
        _ device: (number: UInt8, adapter: Int, path: String)
    ) -> [String: BusValue] {
        let number = isRare(30) ? UInt8(1 + number(below: 3)) : device.number
        return [
            "Address": .string("\(BluetoothAddress.ending(number))"),
            "Adapter": .objectPath(Daemon.adapter(device.adapter)),
            "RSSI": .int16(Int16(-self.number(below: 100))), "Connected": .boolean(!isRare(6)),
            "ServicesResolved": .boolean(!isRare(6)), "Paired": .boolean(isRare(2)),
            "UUIDs": .array([.string(isRare(6) ? "1816" : "180d")], of: "s"),
            "Name": .string("Strap"),
        ]
    }

    /// Now and then one of the properties has a wrong type.
    private mutating func odd(_ properties: [String: BusValue]) -> [String: BusValue] {
        var properties = properties
        if isRare(12), !properties.isEmpty {
            properties[one(of: properties.keys.sorted())] = value()
        }
        return properties
    }

    private mutating func strange() -> BusSignal {
        let paths = Self.devices.map(\.path) + ["/", "", Daemon.adapter(1), "/org/bluez/hci0/dev_"]
        let interfaces = Array(BlueZName.usedInterfaces).sorted() + ["org.example"]
        switch number(below: 4) {
        case 0: return .added(one(of: paths), [one(of: interfaces): ["Address": value()]])
        case 1: return .removed(one(of: paths), [one(of: interfaces)])
        case 2: return .changed(one(of: paths), one(of: interfaces), ["UUID": value()])
        default:
            return BusSignal(
                one(of: paths), one(of: [BlueZName.objectManager, BlueZName.properties]),
                one(of: [
                    BlueZName.interfacesAdded, BlueZName.interfacesRemoved,
                    BlueZName.propertiesChanged,
                ]), (0..<number(below: 4)).map { _ in value() })
        }
    }

    private mutating func value() -> BusValue {
        switch number(below: 9) {
        case 0: .byte(UInt8(number(below: 256)))
        case 1: .boolean(true)
        case 2: .uint64(.max)
        case 3: .string(one(of: ["", "x", Daemon.device(1), BlueZName.device]))
        case 4: .bytes([1, 2])
        case 5: .array([.string("x"), .byte(1)], of: "v")
        case 6: .dictionary([.string("x"): .variant(.byte(1))], key: "s", value: "v")
        case 7: .structure([.double(.nan)])
        default: .variant(.int64(.min))
        }
    }

    private mutating func one<Element>(of elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }
}
