import DBus
import GatewayTesting
import XCTest

@testable import Bluetooth

final class ManagedObjectsTests: XCTestCase {
    private let path = "/org/bluez/hci0/dev_1"
    private let device = BlueZName.device

    private func managed(_ objects: [String: [String: [String: BusValue]]]) -> BusValue {
        let entries = objects.map { path, interfaces in
            let values = interfaces.map { (BusValue.string($0), BusValue.properties($1)) }
            let dictionary = BusValue.dictionary(
                Dictionary(values) { first, _ in first }, key: "s", value: "a{sv}")
            return (BusValue.objectPath(path), dictionary)
        }
        return .dictionary(
            Dictionary(entries) { first, _ in first }, key: "o", value: "a{sa{sv}}")
    }

    func testInit_keepsTheInterfacesThatAreOfUse() {
        let tree = ManagedObjects(
            managed: [
                managed([
                    path: [device: ["RSSI": .int16(-60)], "org.freedesktop.DBus.Properties": [:]],
                    "/org/bluez": ["org.bluez.AgentManager1": [:]],
                ])
            ], daemon: "")

        XCTAssertEqual(tree.properties(path, device), ["RSSI": .int16(-60)])
        XCTAssertEqual(tree.count, 1)
        XCTAssertNil(tree.properties(path, "org.freedesktop.DBus.Properties"))
        XCTAssertNil(tree.properties("/org/bluez", "org.bluez.AgentManager1"))
    }

    func testInit_whenTheAnswerHasAnotherForm_isEmptyOrLeavesThatOut() {
        let odd: [[BusValue]] = [
            [], [.string("x")], [.array([], of: "s")],
            [.dictionary([.byte(1): .string("x")], key: "y", value: "s")],
            [.dictionary([.objectPath(path): .string("x")], key: "o", value: "s")],
            [.dictionary([.objectPath(path): .variant(.byte(1))], key: "o", value: "v")],
        ]
        for body in odd { XCTAssertEqual(ManagedObjects(managed: body, daemon: "").count, 0) }
    }

    func testAdded_saysWhatIsNew() {
        var tree = ManagedObjects()

        XCTAssertEqual(
            tree.apply(.added(path, [device: ["RSSI": .int16(-60)], "org.example": [:]])),
            [.added(path: path, interface: device)])
        XCTAssertEqual(tree.properties(path, device), ["RSSI": .int16(-60)])
    }

    func testAdded_again_replacesThePropertiesOfThatInterfaceOnly() {
        var tree = ManagedObjects()
        _ = tree.apply(.added(path, [device: ["RSSI": .int16(-60)], BlueZName.battery: [:]]))

        _ = tree.apply(.added(path, [device: ["Name": .string("x")]]))

        XCTAssertEqual(tree.properties(path, device), ["Name": .string("x")])
        XCTAssertEqual(tree.properties(path, BlueZName.battery), [:])
    }

    func testChanged_setsAndRemovesProperties() {
        var tree = ManagedObjects()
        _ = tree.apply(.added(path, [device: ["RSSI": .int16(-60), "Name": .string("x")]]))

        XCTAssertEqual(
            tree.apply(.changed(path, device, ["Name": .string("y")], gone: ["RSSI", "Other"])),
            [
                .changed(
                    path: path, interface: device, properties: ["Name": .string("y")],
                    gone: ["RSSI", "Other"])
            ])
        XCTAssertEqual(tree.properties(path, device), ["Name": .string("y")])
    }

    func testChanged_ofWhatIsNotKnown_changesNothing() {
        var tree = ManagedObjects()
        _ = tree.apply(.added(path, [device: [:]]))

        XCTAssertEqual(tree.apply(.changed("/other", device, ["Name": .string("y")])), [])
        XCTAssertEqual(tree.apply(.changed(path, BlueZName.battery, ["Percentage": .byte(1)])), [])
        XCTAssertNil(tree.properties("/other", device))
        XCTAssertNil(tree.properties(path, BlueZName.battery))
    }

    func testRemoved_reportsWhatIsGone() {
        var tree = ManagedObjects()
        _ = tree.apply(.added(path, [device: [:], BlueZName.battery: [:]]))

        XCTAssertEqual(
            tree.apply(.removed(path, [BlueZName.battery, "org.example", BlueZName.gattService])),
            [.removed(path: path, interface: BlueZName.battery)])
        XCTAssertEqual(tree.properties(path, device), [:])
        XCTAssertEqual(
            tree.apply(.removed(path, [device])), [.removed(path: path, interface: device)])
        XCTAssertEqual(tree.count, 0)
        XCTAssertEqual(tree.apply(.removed(path, [device])), [])
    }

    func testAttributePaths_areSortedAndOfTheirDeviceOnly() {
        var tree = ManagedObjects()
        let (first, second) = (Daemon.device(1), "\(Daemon.device(1))2")
        let below = ["\(first)/b/c", "\(second)/a", "\(first)/b", "\(first)/a", first]
        for path in below { _ = tree.apply(.added(path, [BlueZName.gattService: [:]])) }
        _ = tree.apply(.added("\(first)/c", [BlueZName.gattCharacteristic: [:]]))
        let interface = BlueZName.gattService

        XCTAssertEqual(
            tree.attributePaths(with: interface, of: first),
            ["\(first)/a", "\(first)/b", "\(first)/b/c"])
        XCTAssertEqual(tree.attributePaths(with: interface, of: second), ["\(second)/a"])
        _ = tree.apply(.removed("\(first)/b", [interface]))
        XCTAssertEqual(
            tree.attributePaths(with: interface, of: first), ["\(first)/a", "\(first)/b/c"])
    }

    /// An advertisement must not cost the reading of everything that the device has.
    func testChanged_ofASignalOrALink_readsNoDeviceAsAWhole() {
        var daemon = Daemon()
        _ = daemon.addDevice(1, strength: -60)
        let count = daemon.tree.deviceReadCount

        for strength in Int16(-90)...(-40) {
            _ = daemon.set(Daemon.device(1), device, ["RSSI": .int16(strength)])
        }
        _ = daemon.set(Daemon.device(1), device, ["Connected": .boolean(true)], gone: ["RSSI"])

        XCTAssertEqual(daemon.tree.deviceReadCount, count)
        XCTAssertEqual(daemon.tree.device(at: Daemon.device(1))?.isConnected, true)
        XCTAssertNil(daemon.tree.device(at: Daemon.device(1))?.signalStrength)
    }

    func testLimit_keepsWhatIsThereAndTakesNothingNew() {
        var tree = ManagedObjects()
        for number in 0...ManagedObjects.objectLimit {
            _ = tree.apply(.added("/\(number)", [device: [:]]))
        }

        XCTAssertEqual(tree.count, ManagedObjects.objectLimit)
        XCTAssertEqual(tree.apply(.added("/new", [device: [:]])), [])
        XCTAssertEqual(tree.apply(.added("/1", [BlueZName.battery: [:]])).count, 1)
        _ = tree.apply(.removed("/1", [device, BlueZName.battery]))
        XCTAssertEqual(tree.apply(.added("/new", [device: [:]])).count, 1)
    }

    func testApply_whenASignalHasAnotherForm_changesNothing() {
        var tree = ManagedObjects()
        _ = tree.apply(.added(path, [device: ["Name": .string("x")]]))
        let properties = BusValue.properties(["Name": .string("y")])
        let odd: [(String, String, [BusValue])] = [
            (BlueZName.objectManager, BlueZName.interfacesAdded, []),
            (BlueZName.objectManager, BlueZName.interfacesAdded, [.objectPath("/b")]),
            (BlueZName.objectManager, BlueZName.interfacesAdded, [.byte(1), properties]),
            (BlueZName.objectManager, BlueZName.interfacesAdded, [.objectPath("/b"), .byte(1)]),
            (BlueZName.objectManager, BlueZName.interfacesRemoved, [.objectPath(path)]),
            (BlueZName.objectManager, BlueZName.interfacesRemoved, [.objectPath(path), .byte(1)]),
            (
                BlueZName.objectManager, BlueZName.interfacesRemoved,
                [.objectPath(path), .array([.byte(1)], of: "y")]
            ),
            (BlueZName.properties, BlueZName.propertiesChanged, [.string(device), properties]),
            (
                BlueZName.properties, BlueZName.propertiesChanged,
                [.byte(1), properties, .array([], of: "s")]
            ),
            (BlueZName.properties, "Other", [.string(device), properties, .array([], of: "s")]),
            ("org.example", BlueZName.propertiesChanged, [.string(device), properties]),
        ]
        for (interface, member, body) in odd {
            XCTAssertEqual(tree.apply(BusSignal(path, interface, member, body)), [], "\(body)")
            XCTAssertEqual(tree.properties(path, device), ["Name": .string("x")])
        }
    }

    func testApply_randomSignals_neverTrap() {
        var run = FuzzRun("signals of bluetoothd", inputs: 20)
        while run.next() != nil {
            var values = RandomBus(seed: run.seed)
            var daemon = Daemon()
            _ = RandomBus.fill(&daemon)
            var tree = daemon.tree
            for _ in 0..<200 { _ = tree.apply(values.signal()) }
            for device in tree.devices { _ = tree.characteristics(of: device.path) }
            assertRead(tree)
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// What was read piece by piece is what the properties say.
    private func assertRead(_ tree: ManagedObjects) {
        for (_, _, path) in RandomBus.devices {
            XCTAssertEqual(
                tree.device(at: path),
                tree.properties(path, device).flatMap {
                    BlueZDevice(path: path, properties: $0)
                })
        }
        for adapter in tree.adapters {
            XCTAssertEqual(
                tree.properties(adapter.path, BlueZName.adapter).map {
                    BlueZAdapter(path: adapter.path, properties: $0)
                }, adapter)
        }
    }
}
