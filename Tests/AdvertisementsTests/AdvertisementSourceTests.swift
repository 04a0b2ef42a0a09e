import Bluetooth
import BluetoothTesting
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import Advertisements

/// The source on a bluetoothd of the test's own.
final class AdvertisementSourceTests: XCTestCase {
    private static let address = "D0:11:22:33:44:55"
    private static let formats = [
        AdvertisementFormatFactory(use: "byte") { _, _ in ByteFormat() }
    ]

    private func make(_ json5: String, bus: String? = nil) throws -> any Source {
        let context = ComponentContext(
            name: "ads", clock: ManualClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nonexistent")
        let node = ConfigurationNode(path: "sources.ads", value: try JSONValue(json5: json5))
        return try AdvertisementSource.factory(formats: Self.formats, busAddress: bus)
            .make(node, context)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    private func sensor(_ value: UInt8) -> FakeDevice {
        var device = FakeDevice(address: Self.address, name: "Sensor", services: [])
        device.manufacturerData = [0xFFFF: [value], 0x004C: [1, 2, 3]]
        return device
    }

    func testSettings_areChecked() throws {
        assertRefused("{ use: \"advertisements\" }", "sources.ads: the key `devices` is missing")
        assertRefused(
            "{ use: \"advertisements\", devices: \"any\", formats: [\"bite\"] }",
            "sources.ads.formats[0]: unknown format `bite`; did you mean `byte`?")
        assertRefused(
            "{ use: \"advertisements\", devices: \"any\", formats: [\"byte\", \"byte\"] }",
            "sources.ads.formats[1]: `byte` is given twice; remove one entry")
        _ = try make(
            "{ use: \"advertisements\", devices: [\"\(Self.address)\"], adapter: \"hci0\" }")
    }

    func testMeasurements_arriveWithoutALink_andAgainAfterARestartOfBluetoothd() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let source = try make("{ use: \"advertisements\", devices: \"any\" }", bus: bus.address)
        let inlet = RecordingInlet()
        let task = Task { [inlet] in try await source.run(into: inlet) }
        var reports = inlet.reports.makeAsyncIterator()

        // The parts of an advertisement have no order, and the one without a measurement is only seen.
        func next() async -> String? {
            while let words = await reports.next(isolation: nil)?.words {
                if words != "55 seen" { return words }
            }
            return nil
        }

        await bluez.appear(sensor(80))
        var words = [await next(), await next()]
        XCTAssertEqual(words, ["55 opened Sensor", "55 readings 1"])
        await bluez.appear(sensor(81))
        words = [await next()]
        XCTAssertEqual(words, ["55 readings 1"])
        await bluez.crash()
        words = [await next(), await next()]
        XCTAssertEqual(
            words, ["55 closed bluetoothd is not running", "55 forgotten"])
        try await bluez.start()
        await bluez.appear(sensor(82))
        words = [await next(), await next()]
        XCTAssertEqual(words, ["55 opened Sensor", "55 readings 1"])

        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        let isConnected = await bluez.isConnected(Self.address)
        XCTAssertFalse(isConnected)
    }
}
