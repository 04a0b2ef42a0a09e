import BluetoothTesting
import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// Devices that are adopted and read from their advertisements.
final class AdoptedAdvertisementTests: XCTestCase {
    private static let watch = "C0:11:22:33:44:55"

    /// Makes a watch of Polar send a heart rate with its counter.
    private func broadcast(
        _ heartRate: UInt8, count: UInt8, services: [String] = [], _ box: BluetoothBox
    ) async {
        var device = FakeDevice(
            address: Self.watch, name: "Polar Vantage", advertisedUUIDs: services)
        device.manufacturerData = [0x006B: [0x23 | count % 8 << 2, 0, heartRate, heartRate]]
        await box.bluez.appear(device)
    }

    private func makeBox() async throws -> BluetoothBox {
        let box = try await BluetoothBox()
        try box.home.configure(
            #"{ people: { ada: {} }, sinks: { store: "sqlite", lines: "stdout" } }"#)
        return box
    }

    private func adopt(_ box: BluetoothBox, _ options: String...) async throws -> String {
        let adopted = try await box.home.run(["adopt", Self.watch] + options)
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        return adopted.output
    }

    /// The fields of the device in the status of the gateway.
    private func status(_ box: BluetoothBox) async throws -> [String: Any]? {
        let status = try await box.home.run("status", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8))
        let devices = (object as? [String: Any])?["devices"] as? [[String: Any]]
        return devices?.first { $0["device"] as? String == Self.watch }
    }

    private func assertNoConnect(_ box: BluetoothBox) async {
        let connects = await box.bluez.calls(of: "Connect")
        XCTAssertEqual(connects, [])
    }

    func testADeviceInRange_isRecognizedByItsFormat_andReadWithItsPerson() async throws {
        let box = try await makeBox()
        await broadcast(70, count: 0, box)
        let devices = try await box.home.run("devices", "--for", "1")
        XCTAssertTrue(devices.output.contains("format polarBroadcast"), devices.output)

        let adopted = try await adopt(box, "--person", "ada", "--role", "backup", "--name", "Watch")
        XCTAssertEqual(
            adopted,
            "adopted \(Self.watch): person ada, role backup, name Watch, format polarBroadcast\n")
        let check = try await box.home.run("check")
        XCTAssertTrue(
            check.output.contains("advertisements (advertisements) reads \(Self.watch)\n"),
            check.output)
        let gateway = try box.home.start("run")
        await box.bluez.waitForCall("StartDiscovery", count: 2)
        await broadcast(71, count: 1, box)
        try await gateway.waitForLines(with: #""type":"heartRate""#, on: .output)
        let device = try await status(box)
        XCTAssertEqual(device?["person"] as? String, "ada")
        XCTAssertEqual(device?["source"] as? String, "advertisements")

        let forgotten = try await box.home.run("forget", Self.watch)
        XCTAssertEqual(forgotten.ending, .exited(0), forgotten.error)
        let later = try await status(box)
        XCTAssertNil(later)
        try await box.end(gateway)
        let samples = try await box.home.samples(of: .heartRate)
        XCTAssertEqual(samples.map(\.person), ["ada"])
        XCTAssertEqual(samples.map(\.device?.name), ["Watch"])
        await assertNoConnect(box)
    }

    /// What a running gateway is asked for; nothing of the device was received before.
    func testAGivenFormat_isUsedByTheRunningGateway() async throws {
        let box = try await makeBox()
        let port = try await box.home.run("adopt", "/dev/ttyX", "--protocol", "hxm")
        XCTAssertEqual(port.ending, .exited(0), port.error)
        let gateway = try box.home.start("run")
        try await gateway.waitForLines(with: "ttyX", on: .error)
        let adopted = try await adopt(box, "--format", "polarBroadcast", "--person", "ada")
        XCTAssertEqual(adopted, "adopted \(Self.watch): person ada, format polarBroadcast\n")
        await box.bluez.waitForCall("StartDiscovery")
        await broadcast(71, count: 1, box)
        try await gateway.waitForLines(with: #""type":"heartRate""#, on: .output)
        try await box.end(gateway)
        await assertNoConnect(box)
    }

    /// A strap that a profile reads is connected, also when it broadcasts.
    func testAStrapWithAService_isConnected() async throws {
        let box = try await makeBox()
        await broadcast(70, count: 0, services: ["180d"], box)
        _ = try await box.home.run("devices", "--for", "1")
        let adopted = try await adopt(box)
        XCTAssertEqual(adopted, "adopted \(Self.watch)\n")
        let check = try await box.home.run("check")
        XCTAssertTrue(
            check.output.contains("bluetooth (bluetooth) reads \(Self.watch)"), check.output)
    }

    /// Its format was asked for, so it is not connected; a connection would have more.
    func testAStrapWithAService_andAFormat_getsAHint() async throws {
        let box = try await makeBox()
        await broadcast(70, count: 0, services: ["180d"], box)
        _ = try await box.home.run("devices", "--for", "1")
        let adopted = try await box.home.run("adopt", Self.watch, "--format", "polarBroadcast")
        XCTAssertEqual(adopted.output, "adopted \(Self.watch): format polarBroadcast\n")
        XCTAssertTrue(adopted.error.contains("connection heartRate can read it"), adopted.error)
        for command in ["forget", "adopt"] {
            XCTAssertTrue(
                adopted.error.contains("`pulsegate \(command) \(Self.watch)`"), adopted.error)
        }
        let again = try await box.home.run("adopt", Self.watch, "--format", "polarBroadcast")
        XCTAssertEqual(again.error, "", "nothing has changed")
        // The commands of the hint lead to a connection.
        _ = try await box.home.run("forget", Self.watch)
        let connected = try await adopt(box)
        XCTAssertEqual(connected, "adopted \(Self.watch)\n")
        let other = try await box.home.run(
            "adopt", "C0:11:22:33:44:66", "--format", "polarBroadcast")
        XCTAssertEqual(other.error, "", "bluetoothd does not know it")
    }

    func testConfiguredSources_mustReadAdvertisements() async throws {
        let box = try await makeBox()
        try box.home.configure(#"{ sources: { straps: "bluetooth" } }"#)
        let adopted = try await box.home.run("adopt", Self.watch, "--format", "polarBroadcast")
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let source =
            #"{ use: "advertisements", devices: ["\#(Self.watch)"], formats: ["polarBroadcast"] }"#
        XCTAssertTrue(adopted.error.contains("no source in"), adopted.error)
        XCTAssertTrue(adopted.error.contains(source), adopted.error)
        let check = try await box.home.run("check")
        XCTAssertFalse(check.output.contains("reads \(Self.watch) (adopted)"), check.output)
        try box.home.configure("{ sources: { straps: \"bluetooth\", gym: \(source) } }")
        let both = try await box.home.run("check")
        XCTAssertEqual(both.ending, .exited(0), both.error)
        XCTAssertFalse(both.output.contains("note:"), both.output)
    }

    func testFormats_thatCannotBe_areRefused() async throws {
        let box = try await makeBox()
        let cases = [
            (["adopt", Self.watch, "--format", "bthomes"], "did you mean `bthome`"),
            (["adopt", "/dev/ttyX", "--format", "bthome"], "--format: "),
            (
                ["adopt", Self.watch, "--format", "bthome", "--protocol", "hxm"],
                "--format: "
            ),
        ]
        for (words, expected) in cases {
            let refused = try await box.home.run(words)
            XCTAssertNotEqual(refused.ending, .exited(0), "\(words)")
            XCTAssertTrue(refused.error.contains(expected), refused.error)
        }
    }
}
