import GatewayCore
import GatewayTesting
import JSON
import Platform
import XCTest

@testable import Bluetooth

final class BluetoothSourceFactoryTests: XCTestCase {
    private func make(_ json5: String, adopted: [String] = []) throws -> BluetoothSource {
        let profiles = [GATTProfileFactory(use: "pulse") { _ in PulseProfile() }]
        let node = ConfigurationNode(
            path: "sources.straps", value: try JSONValue(json5: json5))
        let context = ComponentContext(
            name: "straps", clock: ManualClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nowhere", adopted: adopted)
        let source = try BluetoothSource.factory(profiles: profiles, busAddress: nil)
            .make(node, context)
        return try XCTUnwrap(source as? BluetoothSource)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    func testUse_isBluetooth() {
        XCTAssertEqual(BluetoothSource.factory(profiles: [], busAddress: nil).use, "bluetooth")
    }

    func testDevices_whenLeftOut_areTheAdoptedOnes() throws {
        let source = try make(
            "{ use: 'bluetooth' }", adopted: ["d0:11:22:33:44:01", "/dev/ttyUSB0"])

        XCTAssertEqual(source.selection.devices, .named([.ending(1)]))
        XCTAssertNil(source.selection.adapter)
        XCTAssertEqual(source.selection.denied, [])
        XCTAssertEqual(source.profiles.map(\.name), ["pulse"])
    }

    func testDevices_any() throws {
        let source = try make(
            "{ use: 'bluetooth', devices: 'any', deny: ['D0:11:22:33:44:09'] }",
            adopted: ["D0:11:22:33:44:01"])

        XCTAssertEqual(source.selection.devices, .any)
        XCTAssertEqual(source.selection.denied, [.ending(9)])
    }

    func testDevices_namedReplaceTheAdoptedOnes() throws {
        let source = try make(
            "{ use: 'bluetooth', devices: ['d0:11:22:33:44:02', 'D0:11:22:33:44:02'] }",
            adopted: ["D0:11:22:33:44:01"])

        XCTAssertEqual(source.selection.devices, .named([.ending(2)]))
    }

    func testDevices_whenWrong_areRefused() {
        assertRefused(
            "{ use: 'bluetooth', devices: 'all' }",
            "sources.straps.devices: unknown value `all`; known: any")
        assertRefused(
            "{ use: 'bluetooth', devices: 'D0:11:22:33:44:01' }",
            "sources.straps.devices: unknown value `D0:11:22:33:44:01`; known: any")
        assertRefused(
            "{ use: 'bluetooth', devices: [] }",
            "sources.straps.devices: must not be empty; omit it to read the adopted devices")
        assertRefused(
            "{ use: 'bluetooth', devices: ['D0:11:22:33:44:01', 'strap'] }",
            "sources.straps.devices[1]: `strap` is not a Bluetooth address "
                + "such as D0:11:22:33:44:55")
        assertRefused(
            "{ use: 'bluetooth', devices: [7] }",
            "sources.straps.devices[0]: expected a string, found a number")
        assertRefused(
            "{ use: 'bluetooth', devices: true }",
            "sources.straps.devices: expected a list, found true or false")
    }

    func testDeny_whenWrong_isRefused() {
        assertRefused(
            "{ use: 'bluetooth', devices: 'any', deny: 'D0:11:22:33:44:01' }",
            "sources.straps.deny: expected a list, found a string")
        assertRefused(
            "{ use: 'bluetooth', devices: 'any', deny: ['x'] }",
            "sources.straps.deny[0]: `x` is not a Bluetooth address such as D0:11:22:33:44:55")
        XCTAssertNoThrow(try make("{ use: 'bluetooth', deny: [] }"))
    }

    func testClaim_isToWhatIsReadWithWhateverAdapter() throws {
        let list =
            "devices: ['D0:11:22:33:44:01', 'D0:11:22:33:44:02'], deny: ['D0:11:22:33:44:02']"
        let named = DeviceClaim(.named(["D0:11:22:33:44:01"]), over: "bluetooth")
        XCTAssertEqual(try claim("{ use: 'bluetooth', \(list) }"), named)
        XCTAssertEqual(try claim("{ use: 'bluetooth', \(list), adapter: 'hci1' }"), named)
        let own = try claim("{ use: 'bluetooth', deny: ['D0:11:22:33:44:02'] }")
        XCTAssertEqual(own.choice, .adopted(except: ["D0:11:22:33:44:02"]))
        XCTAssertEqual(
            own.resolved(adopted: ["d0:11:22:33:44:01", "D0:11:22:33:44:02", "/dev/x"]), named)
        XCTAssertEqual(
            try claim("{ use: 'bluetooth', devices: 'any', deny: ['D0:11:22:33:44:02'] }").choice,
            .any(except: ["D0:11:22:33:44:02"]))
    }

    private func claim(_ json5: String) throws -> DeviceClaim {
        try BluetoothSource.factory(profiles: [], busAddress: nil).claim(
            ConfigurationNode(path: "sources.straps", value: JSONValue(json5: json5)))
    }

    func testAdapter_byNameOrAddress() throws {
        for text in ["hci0", "hci10", "00:1a:7d:da:71:13"] {
            XCTAssertEqual(
                try make("{ use: 'bluetooth', adapter: '\(text)' }").selection.adapter, text)
        }
    }

    func testAdapter_whenWrong_isRefused() {
        let wrong = ["hci", "hci+1", "hci-0", "hci70000", "HCI0", "usb0", "00:1A:7D", "hci0 "]
        for text in wrong {
            assertRefused(
                "{ use: 'bluetooth', adapter: '\(text)' }",
                "sources.straps.adapter: must be an adapter address or name, "
                    + "such as 00:1A:7D:DA:71:13 or hci0")
        }
        assertRefused(
            "{ use: 'bluetooth', adapter: 0 }",
            "sources.straps.adapter: expected a string, found a number")
        assertRefused(
            "{ use: 'bluetooth', adapter: '' }", "sources.straps.adapter: must not be empty")
    }

    func testProfiles_whenWrong_areRefused() {
        assertRefused(
            "{ use: 'bluetooth', profiles: ['puls'] }",
            "sources.straps.profiles[0]: unknown profile `puls`; did you mean `pulse`?")
        assertRefused(
            "{ use: 'bluetooth', profiles: 'pulse' }",
            "sources.straps.profiles: expected a list, found a string")
    }

    func testSettings_whenUnknown_areRefused() {
        assertRefused(
            "{ use: 'bluetooth', device: [] }",
            "sources.straps.device: unknown key; did you mean `devices`?")
        assertRefused("[]", "sources.straps: expected an object, found a list")
    }
}
