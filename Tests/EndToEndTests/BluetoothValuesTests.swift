import BluetoothTesting
import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// What a strap says arrives exactly.
final class BluetoothValuesTests: XCTestCase {
    /// Runs a gateway while a strap says all this.
    private func run(
        _ values: [[UInt8]], profile: String = #""heartRate""#
    ) async throws -> (box: BluetoothBox, status: [String: Any]) {
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: "any", profiles: [\#(profile)] }"#)
        await box.wear(BluetoothBox.ada)
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        for value in values { await box.bluez.notify(BluetoothBox.ada, value) }
        // The last one says 99, which nothing before it does.
        await box.bluez.notify(BluetoothBox.ada, [0x06, 99])
        try await gateway.waitForLines(with: "\"value\":99", on: .output)
        let status = try await box.home.run("status", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8))
        try await box.end(gateway)
        return (box, try XCTUnwrap(object as? [String: Any]))
    }

    private func heartRates(_ box: BluetoothBox) async throws -> [Double] {
        try await box.home.samples(of: .heartRate).map(\.quantity.value).filter { $0 != 99 }
    }

    func testWideHeartRate() async throws {
        let (box, _) = try await run([[0x07, 0x2C, 0x01]])
        let rates = try await heartRates(box)
        XCTAssertEqual(rates, [300])
    }

    func testWithoutContact_thereIsNoHeartRate() async throws {
        let (box, _) = try await run([[0x06, 70], [0x04, 71], [0x06, 72]])
        let rates = try await heartRates(box)
        XCTAssertEqual(rates, [70, 72])
        let contacts = try await box.home.events().compactMap(\.state.contact)
        XCTAssertEqual(contacts, [true, false, true])
    }

    func testNineIntervalsInOnePacket_addUp() async throws {
        let nine: [UInt8] = [0x16, 240] + Array(repeating: [0x00, 0x01], count: 9).flatMap { $0 }
        let (box, _) = try await run([SteadyHeart.beat, nine])
        let intervals = try await box.home.samples(of: .rrInterval).map(\.quantity.value)
        XCTAssertEqual(intervals, Array(repeating: 250, count: 9))
    }

    func testEnergy_continuesAfterTheFullCounterWasReset() async throws {
        let (box, _) = try await run([
            [0x0E, 70, 0xF5, 0xFF], [0x0E, 70, 0xFF, 0xFF], [0x0E, 70, 0x00, 0x00],
            [0x0E, 70, 0x07, 0x00],
        ])
        let energy = try await box.home.samples(of: .activeEnergyBurned)
        XCTAssertEqual(energy.map(\.quantity.value).reduce(0, +), 10 + 7)
        let writes = await box.bluez.writes
        XCTAssertEqual(writes.map { $0.uuid.prefix(8) }, ["00002a39"])
        XCTAssertEqual(writes.map(\.value), [[0x01]])
    }

    func testEnergyCanBeSwitchedOff() async throws {
        let (box, _) = try await run(
            [[0x0E, 70, 0x01, 0x00], [0x0E, 70, 0x09, 0x00]],
            profile: #"{ use: "heartRate", energy: false }"#)
        let energy = try await box.home.samples(of: .activeEnergyBurned)
        XCTAssertEqual(energy, [])
    }

    func testMalformedPackets_areCounted() async throws {
        let (box, status) = try await run([
            [], [0x00], [0x01, 72], [0x08, 72, 0x10], [0x10, 72, 0x00], [0x00, 72, 0xFF],
        ])
        let rates = try await heartRates(box)
        XCTAssertEqual(rates, [72])
        let devices = try XCTUnwrap(status["devices"] as? [[String: Any]])
        let discarded = try XCTUnwrap(devices.first?["discarded"] as? [String: Int])
        XCTAssertEqual(discarded, ["damaged": 5])
    }
}
