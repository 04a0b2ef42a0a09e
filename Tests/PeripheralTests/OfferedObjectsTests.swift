import Bluetooth
import DBus
import XCTest

@testable import Peripheral

/// Tests of the objects that bluetoothd reads and calls.
final class OfferedObjectsTests: XCTestCase {
    private static let measurement = "\(OfferedObjects.root)/service0/char0"
    private static let location = "\(OfferedObjects.root)/service0/char1"
    private var driver = PeripheralDriver()

    func testManagedObjects_areServiceAndCharacteristics() throws {
        let answer = driver.ask(
            BlueZName.objectManager, "GetManagedObjects", at: OfferedObjects.root)
        guard case .values(let body) = answer, let objects = body.first?.entries else {
            return XCTFail("\(answer)")
        }
        XCTAssertEqual(body.first?.signature, "a{oa{sa{sv}}}")
        XCTAssertEqual(
            Set(objects.keys),
            ["\(OfferedObjects.root)/service0", Self.measurement, Self.location])
        let part = objects[Self.measurement]?.entries?[BlueZName.gattCharacteristic]?.entries
        XCTAssertEqual(part?["UUID"], .string("00002a37-0000-1000-8000-00805f9b34fb"))
        XCTAssertEqual(part?["Service"], .objectPath("\(OfferedObjects.root)/service0"))
        XCTAssertEqual(part?["Flags"], .array([.string("notify")], of: "s"))
        let service = objects["\(OfferedObjects.root)/service0"]?.entries?["org.bluez.GattService1"]
        XCTAssertEqual(service?.entries?["Primary"], .boolean(true))
    }

    func testAdvertisement_hasNameAndServices() {
        let answer = driver.ask(
            BlueZName.properties, "GetAll", at: OfferedObjects.advertisementPath,
            [.string(OfferedObjects.advertisement)])
        XCTAssertEqual(
            answer,
            .values([
                .properties([
                    "Type": .string("peripheral"), "LocalName": .string("Ada"),
                    "ServiceUUIDs": .array(
                        [.string("0000180d-0000-1000-8000-00805f9b34fb")], of: "s"),
                ])
            ]))
        XCTAssertEqual(
            driver.ask(
                BlueZName.properties, "Get", at: OfferedObjects.advertisementPath,
                [.string(OfferedObjects.advertisement), .string("LocalName")]),
            .values([.variant(.string("Ada"))]))
    }

    func testValue_isReadFromItsOffset() {
        let asked: [(UInt16?, ObjectAnswer)] = [
            (nil, .values([.bytes([1, 2, 3])])), (2, .values([.bytes([3])])),
            (3, .values([.bytes([])])),
            (4, .error("org.bluez.Error.InvalidOffset", "invalid offset")),
        ]
        for (offset, answer) in asked {
            let options = offset.map { ["offset": BusValue.uint16($0)] } ?? [:]
            XCTAssertEqual(
                driver.ask(
                    BlueZName.gattCharacteristic, "ReadValue", at: Self.location,
                    [.properties(options)]), answer)
        }
    }

    func testValues_areSentWhileACentralIsSubscribed() {
        driver.set([0x06, 60])
        XCTAssertEqual(driver.emitted, [])
        driver.ask(BlueZName.gattCharacteristic, "StartNotify", at: Self.measurement)
        driver.set([0x06, 61])
        driver.ask(BlueZName.gattCharacteristic, "StopNotify", at: Self.measurement)
        driver.set([0x06, 62])
        XCTAssertEqual(driver.removeEvents(), ["subscribed", "unsubscribed"])
        XCTAssertEqual(
            driver.emitted,
            [
                BusSignal(
                    Self.measurement, BlueZName.properties, "PropertiesChanged",
                    [
                        .string(BlueZName.gattCharacteristic),
                        .properties(["Value": .bytes([0x06, 61])]), .array([], of: "s"),
                    ])
            ])
    }

    func testOtherCalls_areRefused() {
        let calls: [(String, String, String)] = [
            (BlueZName.gattCharacteristic, "WriteValue", Self.location),
            (BlueZName.gattCharacteristic, "StartNotify", Self.location),
            (BlueZName.gattCharacteristic, "ReadValue", Self.measurement),
            (BlueZName.gattCharacteristic, "ReadValue", "\(OfferedObjects.root)/service9"),
            (BlueZName.properties, "GetAll", OfferedObjects.root),
            (BlueZName.properties, "Set", Self.location),
            (BlueZName.objectManager, "GetManagedObjects", Self.location),
            ("", "", ""),
        ]
        for (interface, member, path) in calls {
            let answer = driver.ask(interface, member, at: path, [.string("x"), .byte(1)])
            guard case .error = answer else {
                XCTFail("\(interface).\(member) at \(path): \(answer)")
                continue
            }
        }
        XCTAssertEqual(driver.removeEvents(), [])
    }
}
