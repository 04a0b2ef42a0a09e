import BluetoothTesting
import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// Measurements in advertisements, from the radio to the store.
final class AdvertisementTests: XCTestCase {
    /// The device and the key of the example in the specification of BTHome.
    private static let sensor = "54:48:E6:8F:80:A5"
    private static let key = "231d39c1d7cc1ab1aee224cd096db932"
    /// 25.06 °C and 50.55 %, encrypted.
    private static let encrypted = bytes("41 A4 72 66 C9 5F 73 00 11 22 33 78 23 72 14")
    private static let service = "fcd2"

    private static func address(_ number: Int) -> String {
        String(format: "C0:11:22:33:44:%02X", number)
    }

    /// Makes a sensor of Polar send a heart rate with its counter.
    private func broadcast(
        _ heartRate: Int, count: Int, from number: Int, name: String? = nil, _ box: BluetoothBox
    ) async {
        var device = FakeDevice(address: Self.address(number), name: name, services: [])
        let rate = UInt8(heartRate)
        device.manufacturerData = [0x006B: [0x23 | UInt8(count % 8) << 2, 0, rate, rate]]
        await box.bluez.appear(device)
    }

    private func send(_ value: [UInt8], _ box: BluetoothBox) async {
        var device = FakeDevice(address: Self.sensor, name: "Room", services: [])
        device.serviceData = [Self.service: value]
        await box.bluez.appear(device)
    }

    func testAGymWithFortyPeople_isReadWithoutALink() async throws {
        let box = try await BluetoothBox()
        try box.configure(
            #"{ use: "advertisements", devices: "any", formats: ["polarBroadcast"] }"#,
            more: #"people: { ada: {} }, devices: { "\#(Self.address(1))": { person: "ada" } }"#)
        let gateway = try box.home.start("run")
        await box.bluez.waitForCall("StartDiscovery")
        // Somebody's phone, which no format reads.
        await box.wear(BluetoothBox.bob)
        for round in 0..<3 {
            for number in 1...40 {
                // Each value is sent twice.
                for _ in 0..<2 { await broadcast(60 + number, count: round, from: number, box) }
            }
        }
        try await gateway.waitForLines(120, with: #""type":"heartRate""#, on: .output)
        let status = try await box.home.run("status", "--json")
        try await box.end(gateway)

        let samples = try await box.home.samples(of: .heartRate)
        XCTAssertEqual(samples.count, 120)
        for number in 1...40 {
            let own = samples.filter { $0.device?.localIdentifier == Self.address(number) }
            XCTAssertEqual(
                own.map(\.quantity),
                Array(repeating: try Quantity(60 + Double(number), .countPerMinute), count: 3))
            XCTAssertEqual(own.map(\.person), Array(repeating: number == 1 ? "ada" : nil, count: 3))
        }
        let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8))
        let devices = (object as? [String: Any])?["devices"] as? [[String: Any]]
        XCTAssertEqual(devices?.count, 40)
        let connects = await box.bluez.calls(of: "Connect")
        XCTAssertEqual(connects, [])
    }

    func testBluetoothdThatEnds_isFollowed() async throws {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "advertisements", devices: ["\#(Self.address(1))"] }"#)
        let gateway = try box.home.start("run")
        await box.bluez.waitForCall("StartDiscovery")
        await broadcast(70, count: 0, from: 1, box)
        try await gateway.waitForLines(1, with: #""type":"heartRate""#, on: .output)
        await box.bluez.crash()
        try await gateway.waitForLines(with: "bluetoothd is not running", on: .error)
        try await box.bluez.start()
        await broadcast(71, count: 1, from: 1, box)
        try await gateway.waitForLines(2, with: #""type":"heartRate""#, on: .output)
        try await box.end(gateway)
        let events = try await box.home.events()
        XCTAssertEqual(
            events.compactMap(\.state.connection),
            [.connected, .disconnected, .connected, .disconnected])
    }

    func testDevices_namesTheFormats() async throws {
        let box = try await BluetoothBox()
        await broadcast(70, count: 0, from: 1, name: "Polar H10", box)
        await send(Self.encrypted, box)
        let json = try await box.home.run("devices", "--json", "--for", "1")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        let devices = try XCTUnwrap((object as? [String: Any])?["devices"] as? [[String: Any]])
        let formats = devices.map { device in
            [device["address"] as? String ?? ""] + (device["formats"] as? [String] ?? [])
        }
        XCTAssertEqual(
            Set(formats), [[Self.address(1), "polarBroadcast"], [Self.sensor, "bthome"]])
        let table = try await box.home.run("devices", "--for", "1")
        XCTAssertTrue(
            table.output.contains("Polar H10  format polarBroadcast"), table.output)
    }

    func testEncryptedValues_areReadWithTheKey_whichIsNowhereElse() async throws {
        let box = try await BluetoothBox()
        try box.configure(
            """
            { use: "advertisements", devices: ["\(Self.sensor)"],
              formats: [{ use: "bthome", values: { temperature: "bodyTemperature" },
                          keys: { "\(Self.sensor)": { file: "\(box.home.folder.path("key"))" } } }] }
            """)
        let missing = try await box.home.run("check")
        XCTAssertNotEqual(missing.ending, .exited(0))
        XCTAssertTrue(missing.error.contains("formats[0].keys.\(Self.sensor)"), missing.error)
        try box.home.folder.write(Array(Self.key.utf8), to: "key")
        XCTAssertEqual(chmod(box.home.folder.path("key"), 0o600), 0)
        let path = box.home.folder.path("a.capture")
        let gateway = try box.home.start("capture", path)
        await box.bluez.waitForCall("StartDiscovery")
        await send(Self.encrypted, box)
        try await gateway.waitForLines(with: "bodyTemperature", on: .output)
        try await box.end(gateway)

        let samples = try await box.home.samples(of: .bodyTemperature)
        XCTAssertEqual(samples.map(\.quantity), [try Quantity(25.06, .degreeCelsius)])
        let log = await gateway.text(of: .error)
        let capture = try String(contentsOfFile: path, encoding: .utf8)
        for text in [log, capture] {
            XCTAssertFalse(text.contains(Self.key) || text.contains("keys"), text)
        }
        // Without the key nobody reads what was captured.
        let replay = try await box.home.run("replay", path, "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        XCTAssertFalse(replay.output.contains("bodyTemperature"), replay.output)
        XCTAssertTrue(replay.error.contains("encrypted"), replay.error)
    }

    func testReplay_makesTheSameRecords_withANameThatComesLater() async throws {
        let box = try await BluetoothBox()
        try box.home.configure(
            """
            { sources: { gym: { use: "advertisements", devices: "any" } },
              sinks: { lines: "stdout" } }
            """)
        let path = box.home.folder.path("a.capture")
        let gateway = try box.home.start("capture", path)
        await box.bluez.waitForCall("StartDiscovery")
        await broadcast(70, count: 0, from: 1, box)
        try await gateway.waitForLines(1, with: #""type":"heartRate""#, on: .output)
        for count in 1..<3 { await broadcast(71, count: count, from: 1, name: "Late", box) }
        await send(bytes("40 00 01 06 5E 1F"), box)
        try await gateway.waitForLines(with: "bodyMass", on: .output)
        try await gateway.waitForLines(3, with: #""type":"heartRate""#, on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))

        let live = await gateway.text(of: .output)
        XCTAssertTrue(live.contains("Late"), live)
        let replay = try await box.home.run("replay", path, "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        XCTAssertEqual(
            replay.output.split(separator: "\n").sorted(), live.split(separator: "\n").sorted())
    }
}
