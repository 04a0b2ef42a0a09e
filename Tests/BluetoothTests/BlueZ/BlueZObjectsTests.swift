import DBus
import GatewayCore
import XCTest

@testable import Bluetooth

final class BlueZObjectsTests: XCTestCase {
    private let path = Daemon.device(1)

    private func device(_ more: [String: BusValue]) -> BlueZDevice? {
        let least: [String: BusValue] = [
            "Address": .string("D0:11:22:33:44:01"), "Adapter": .objectPath("/org/bluez/hci0"),
        ]
        return BlueZDevice(path: path, properties: least.merging(more) { $1 })
    }

    func testDevice_withEverything() throws {
        let device = try XCTUnwrap(
            device([
                "Name": .string("Strap"), "RSSI": .int16(-60), "Connected": .boolean(true),
                "ServicesResolved": .boolean(true), "Paired": .boolean(true),
                "UUIDs": .array(
                    [.string("0000180d-0000-1000-8000-00805f9b34fb"), .string("x"), .byte(1)],
                    of: "s"),
            ]))

        XCTAssertEqual(device.address, .ending(1))
        XCTAssertEqual(device.adapterPath, "/org/bluez/hci0")
        XCTAssertEqual(device.name, "Strap")
        XCTAssertEqual(device.signalStrength, -60)
        XCTAssertEqual(device.services, [BluetoothUUID(0x180D)])
        XCTAssertTrue(device.isConnected && device.isResolved && device.isPaired)
    }

    func testDevice_withTheLeast() throws {
        let device = try XCTUnwrap(device(["Alias": .string("D0-11-22-33-44-01")]))

        XCTAssertNil(device.name, "the alias of a nameless device is its address")
        XCTAssertNil(device.signalStrength)
        XCTAssertEqual(device.services, [])
        XCTAssertFalse(device.isConnected || device.isResolved || device.isPaired)
    }

    /// 127 is the controller's word for an unknown strength; bluetoothd shows it as it is.
    func testDevice_whoseSignalStrengthIsNone_isReceivedAllTheSame() {
        for none: Int16 in [127, 0, 21, 126, -128, 32_767, -32_768] {
            let device = device(["RSSI": .int16(none)])
            XCTAssertNil(device?.signalStrength, "\(none)")
            XCTAssertEqual(device?.isInRange, true, "\(none)")
        }
        for strength: Int16 in [-127, -1, 1, 20] {
            XCTAssertEqual(device(["RSSI": .int16(strength)])?.signalStrength, Int(strength))
        }
    }

    func testDevice_whenPropertiesHaveOtherTypes_isNotTakenInByThem() throws {
        let odd = BusValue.structure([.byte(1)])
        let device = try XCTUnwrap(
            device([
                "Name": odd, "RSSI": .string("-60"), "Connected": .int32(1), "UUIDs": odd,
                "ServicesResolved": .string("true"), "Paired": .byte(1),
            ]))

        XCTAssertNil(device.name)
        XCTAssertNil(device.signalStrength)
        XCTAssertFalse(device.isConnected || device.isResolved || device.isPaired)
        XCTAssertNil(self.device(["Address": odd]))
        XCTAssertNil(self.device(["Address": .string("strap")]))
        XCTAssertNil(self.device(["Adapter": .byte(0)]))
    }

    /// Anybody in the room can choose the name that their device calls itself.
    func testDeviceName_losesWhatDrivesATerminalAndWhatIsTooLong() throws {
        func name(_ text: String) -> String? { device(["Name": .string(text)])?.name }

        XCTAssertEqual(name("\u{1B}[2JStrap\n\u{202E}"), "[2JStrap")
        XCTAssertEqual(name("Strap  "), "Strap")
        XCTAssertEqual(name("Gürtel ❤"), "Gürtel ❤")
        XCTAssertEqual(name(String(repeating: "x", count: 500))?.count, 128)
        XCTAssertNil(name(""))
        XCTAssertNil(name("\u{1B}\n"))
    }

    func testAdapter() {
        let adapter = BlueZAdapter(
            path: "/org/bluez/hci10",
            properties: ["Address": .string("00:1A:7D:DA:71:13"), "Powered": .boolean(true)])
        let odd = BlueZAdapter(path: "", properties: ["Powered": .string("true")])

        XCTAssertEqual(adapter.name, "hci10")
        XCTAssertEqual(adapter.address?.description, "00:1A:7D:DA:71:13")
        XCTAssertTrue(adapter.isPowered)
        XCTAssertEqual(odd.name, "")
        XCTAssertNil(odd.address)
        XCTAssertFalse(odd.isPowered)
    }

    func testBatteryPercentage() {
        var daemon = Daemon()
        for (value, expected) in [
            (BusValue.byte(90), UInt8(90)), (.byte(255), 255), (.int32(300), nil),
            (.int32(-1), nil), (.string("90"), nil),
        ] {
            _ = daemon.add(path, BlueZName.battery, ["Percentage": value])
            XCTAssertEqual(daemon.tree.batteryPercentage(at: path), expected, "\(value)")
        }
        XCTAssertNil(daemon.tree.batteryPercentage(at: "/other"))
    }

    func testCharacteristics_areThoseOfTheDeviceInTheOrderOfTheirHandles() {
        var daemon = Daemon()
        _ = daemon.addDevice(1)
        _ = daemon.addDevice(2)
        _ = daemon.addServices(of: 2)
        _ = daemon.addServices(of: 1)

        let found = daemon.tree.characteristics(of: path)

        XCTAssertEqual(found.map(\.uuid.shortest), ["2a29", "2a37", "2a38", "2a19"])
        XCTAssertEqual(found.map(\.service.shortest), ["180a", "180d", "180d", "180f"])
        XCTAssertTrue(found.allSatisfy { $0.path.hasPrefix("\(path)/") })
    }

    func testCharacteristics_whenPartsAreMissing_leavesThemOut() {
        var daemon = Daemon()
        let service = "\(path)/service0010"
        let uuid = BusValue.string("180d")
        _ = daemon.add("\(service)/char1", BlueZName.gattCharacteristic, ["UUID": uuid])
        _ = daemon.add(
            "\(service)/char2", BlueZName.gattCharacteristic,
            ["UUID": uuid, "Service": .objectPath(service)])
        XCTAssertEqual(daemon.tree.characteristics(of: path), [], "its service is not there")

        _ = daemon.add(service, BlueZName.gattService, ["UUID": uuid])

        XCTAssertEqual(daemon.tree.characteristics(of: path).map(\.path), ["\(service)/char2"])
        XCTAssertEqual(daemon.tree.characteristics(of: path).map(\.flags), [[]])
    }

    func testCharacteristic_whatItsFlagsAllow() {
        func flagged(_ flags: Set<String>) -> [Bool] {
            let characteristic = BlueZCharacteristic("c", 0x180D, 0x2A37, flags)
            return [
                characteristic.isReadable, characteristic.canNotify, characteristic.isWritable,
            ]
        }

        XCTAssertEqual(flagged([]), [false, false, false])
        XCTAssertEqual(flagged(["read"]), [true, false, false])
        XCTAssertEqual(flagged(["notify"]), [false, true, false])
        XCTAssertEqual(flagged(["indicate"]), [false, true, false])
        XCTAssertEqual(flagged(["write"]), [false, false, true])
        XCTAssertEqual(flagged(["write-without-response", "x"]), [false, false, true])
    }
}
