import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import Platform
import XCTest

/// Tests of `devices` and `inspect`.
final class DevicesTests: XCTestCase {
    func testDevices_asJSON_containsSignalServicesAndProfiles() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        await box.bluez.appear(
            FakeDevice(
                address: BluetoothBox.bob, name: "Scale", services: [FakeService("181c")],
                advertisedUUIDs: ["181c"]))
        let adopted = try await box.home.run("adopt", BluetoothBox.ada)
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)

        let outcome = try await box.home.run("devices", "--json", "--for", "4")

        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let devices = try XCTUnwrap((object as? [String: Any])?["devices"] as? [[String: Any]])
        XCTAssertEqual(
            devices.map { $0["address"] as? String }, [BluetoothBox.ada, BluetoothBox.bob])
        XCTAssertEqual(devices.map { $0["adopted"] as? Bool }, [true, false])
        XCTAssertEqual(devices.map { $0["profiles"] as? [String] }, [["heartRate"], []])
        XCTAssertEqual(devices.map { $0["services"] as? [String] }, [["180d"], ["181c"]])
        XCTAssertEqual(devices.map { $0["signal"] as? Int }, [-60, -60])
        let connects = await box.bluez.calls(of: "Connect")
        XCTAssertEqual(connects, [])
    }

    func testDevices_inAPipe_isATable() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        let outcome = try await box.home.run("devices", "--for", "4")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let lines = outcome.output.split(separator: "\n")
        XCTAssertTrue(lines[0].hasPrefix("ADDRESS            SIGNAL   NAME"), outcome.output)
        XCTAssertTrue(
            lines[1].hasPrefix("\(BluetoothBox.ada)  -60 dBm  Strap 1  heartRate"), outcome.output)
    }

    func testDevices_whoseSignalStrengthIsUnknown_haveNone() async throws {
        let box = try await BluetoothBox()
        var strap = FakeStrap(address: BluetoothBox.ada).device
        strap.rssi = 127
        await box.bluez.appear(strap)
        let outcome = try await box.home.run("devices", "--for", "4")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(
            outcome.output.contains("\(BluetoothBox.ada)  -       Strap 1"), outcome.output)
    }

    func testDevices_withoutBluetoothd_printsTheRemedy() async throws {
        let box = try await BluetoothBox(startsDaemon: false)
        let outcome = try await box.home.run("devices", "--for", "0.5")
        XCTAssertTrue(
            outcome.error.contains(
                "bluetoothd is not running; start it: sudo systemctl start bluetooth"),
            outcome.error)
    }

    func testInspect_showsServicesAndValues() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        let inspect = try box.home.start("inspect", BluetoothBox.ada)
        try await inspect.waitForLines(with: "waiting for notifications", on: .error)
        await box.bluez.notify(BluetoothBox.ada, [0x06, 0x48])
        try await inspect.waitForLines(with: "  2a37  06 48", on: .output)

        let output = await inspect.text(of: .output)
        XCTAssertTrue(output.contains("service   180d heart rate"), output)
        XCTAssertTrue(output.contains("2a37 heart rate measurement  [notify]"), output)
        XCTAssertTrue(output.contains("2a29 manufacturer name  50 75 6c 73 65"), output)
        XCTAssertTrue(output.contains("\"Pulse Works\""), output)
        await inspect.send(SIGINT)
        let ending = try await inspect.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let isConnected = await box.bluez.isConnected(BluetoothBox.ada)
        XCTAssertFalse(isConnected)
    }

    func testInspect_asJSON_isALineForEach() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        let outcome = try await box.home.run("inspect", BluetoothBox.ada, "--json", "--for", "4")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let events = try outcome.output.split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
        let words = Set(events.map { $0?["event"] as? String })
        XCTAssertEqual(words, ["offers", "read", "listening"])
    }

    func testInspect_whenTheLinkIsLost_endsWithTheReason() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        let inspect = try box.home.start("inspect", BluetoothBox.ada)
        try await inspect.waitForLines(with: "waiting for notifications", on: .error)
        await box.bluez.dropLink(BluetoothBox.ada)
        let ending = try await inspect.waitForEnd()
        XCTAssertEqual(ending, .exited(1))
        let error = await inspect.text(of: .error)
        XCTAssertTrue(error.contains("link to \(BluetoothBox.ada) lost"), error)
    }

    func testInspect_ofADeviceThatIsNotSeenInTime_reportsIt() async throws {
        let box = try await BluetoothBox()
        let outcome = try await box.home.run("inspect", BluetoothBox.ada, "--for", "1")
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertEqual(outcome.output, "")
        let expected = "pulsegate: \(BluetoothBox.ada) was not seen within 1 seconds; switch it on"
        XCTAssertTrue(outcome.error.contains(expected), outcome.error)
    }

    func testInspect_ofADeviceThatDoesNotAnswerInTime_reportsIt() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        await box.bluez.changeBehaviour(BluetoothBox.ada) { $0.answersConnect = false }
        let outcome = try await box.home.run("inspect", BluetoothBox.ada, "--for", "1")
        XCTAssertEqual(outcome.ending, .exited(1))
        let expected = "\(BluetoothBox.ada) was seen, but did not list its services within"
        XCTAssertTrue(outcome.error.contains(expected), outcome.error)
    }

    func testInspect_whenBluetoothdHangs_reportsIt() async throws {
        let box = try await BluetoothBox()
        await box.bluez.hold("GetManagedObjects")
        let outcome = try await box.home.run("inspect", BluetoothBox.ada, "--for", "1")
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertEqual(
            outcome.error,
            "pulsegate: bluetoothd did not answer within 1 seconds; "
                + "restart it: sudo systemctl restart bluetooth\n"
        )
    }

    /// What README tells a first-time user to type.
    func testTheFirstStrap_fromDevicesToTap() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        let start = SystemClock().now()
        let devices = try await box.home.run("devices", "--for", "4")
        let line = try XCTUnwrap(devices.output.split(separator: "\n").dropFirst().first)
        let address = String(line.prefix { $0 != " " })
        let adopted = try await box.home.run("adopt", address)
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        let tap = try box.home.start("tap")
        while await tap.lines(of: .output, with: "heartRate").isEmpty {
            await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
            await tap.letRun(seconds: 0.2)
        }
        XCTAssertLessThan(SystemClock().now().seconds(since: start), 60)
        try await box.end(gateway)
        let ending = try await tap.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }
}
