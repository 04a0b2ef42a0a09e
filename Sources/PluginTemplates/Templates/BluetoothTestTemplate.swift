/// The tests and the fixture of a Bluetooth adapter.
struct BluetoothTestTemplate {
    let plugin: NewPlugin

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
    }

    private var type: String { plugin.type }

    var tests: String {
        """
        import Bluetooth
        import BluetoothTesting
        import ByteDecoding
        import GatewayTesting
        import HealthModel
        import Readings
        import XCTest

        @testable import \(plugin.name.module)

        final class \(plugin.name.module)Tests: XCTestCase {
            private let measurement = \(type).measurement
            /// 36.60 degrees with contact, 24.00 without.
            private let values: [[UInt8]] = [[0x01, 0x4C, 0x0E], [0x00, 0x60, 0x09]]

            private func decode(_ value: [UInt8]) throws -> GATTDecoding {
                try \(type)().decode(value, of: measurement, from: Device())
            }

            func testDecode_withContact_isATemperature() throws {
                let temperature = Reading.instant(.bodyTemperature, try Quantity(36.6, .degreeCelsius))
                XCTAssertEqual(
                    try decode(values[0]), GATTDecoding([.state(.contact(true)), temperature]))
            }

            func testDecode_withoutContact_isNoTemperature() throws {
                XCTAssertEqual(try decode(values[1]), GATTDecoding([.state(.contact(false))]))
            }

            func testDecode_whenCutShort_throws() {
                for length in 0..<3 {
                    XCTAssertThrowsError(try decode(Array(values[0].prefix(length))), "\\(length)") {
                        XCTAssertEqual($0 as? ByteDecodingError, .truncated)
                    }
                }
            }

            func testProfile_keepsTheContract() {
                let findings = GATTProfileConformance.findings(
                    for: \(type)(), values: [measurement: values])
                XCTAssertEqual(findings, [])
            }

            func testFactory_keepsTheContract() {
                let findings = GATTProfileConformance.findings(for: \(type).factory)
                XCTAssertEqual(findings, [])
            }

            /// Through a private D-Bus with a fake BlueZ and a whole gateway.
            func testValues_becomeSamplesInTheStore() async throws {
                let harness: BluetoothHarness
                do {
                    harness = try await BluetoothHarness(\(type)())
                } catch let failure as PrivateBus.Failure { throw XCTSkip("\\(failure)") }
                for value in values { await harness.notify(value, of: measurement) }
                let samples = try await harness.samples(of: .bodyTemperature)
                XCTAssertEqual(samples.map(\\.quantity.value), [36.6])
                try await harness.gateway.stop()
            }
        }

        """
    }

    /// Three temperatures, a lost contact, a value that is cut short, a reconnection.
    var capture: String {
        let channel = "5b760002-b423-491b-aeca-4a168ab3e1eb"
        let lines = [
            (102, "014c0e"), (103, "014d0e"), (104, "014d"), (105, "006009"), (106, "01500e"),
        ].map { second, bytes in
            #"{"received":1,"at":\#(second)000000000,"channel":"\#(channel)","bytes":"\#(bytes)"}"#
        }
        return """
            {"capture":1,"at":100000000000,"clock":"1795000000000000000","version":"0.1.0","earliest":"1970-01-01T00:00:00Z","utcOffset":0}
            {"note":"made by hand: a value that is cut short, a lost contact; replace it by a recording of a device"}
            {"device":1,"source":"skin","localIdentifier":"D0:11:22:33:44:55"}
            {"opened":1,"at":101000000000,"adapter":{"profiles":["\(plugin.name.use)"]}}
            \(lines.joined(separator: "\n"))
            {"closed":1,"at":107000000000,"reason":"link lost"}

            """
    }

    /// The records of the capture; they do not depend on the name of the plugin.
    static let expected = """
        {"kind":"event","id":"01a1ee57-e888-8000-b9f5-a042fd30b07a","event":"device","at":"2026-11-18T11:08:21.000Z","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"},"state":{"connection":"connected"}}
        {"kind":"event","id":"01a1ee57-ec70-8000-bf39-5be15acb43be","event":"device","at":"2026-11-18T11:08:22.000Z","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"},"state":{"contact":true}}
        {"id":"01a1ee57-ec70-8000-9bfa-03450e330cb0","type":"bodyTemperature","start":"2026-11-18T11:08:22.000000001Z","end":"2026-11-18T11:08:22.000000001Z","value":36.6,"unit":"degC","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"}}
        {"id":"01a1ee57-f058-8000-a864-79400d6ffea3","type":"bodyTemperature","start":"2026-11-18T11:08:23.000000001Z","end":"2026-11-18T11:08:23.000000001Z","value":36.61,"unit":"degC","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"}}
        {"kind":"event","id":"01a1ee57-f828-8000-9586-e0329bf486aa","event":"device","at":"2026-11-18T11:08:25.000Z","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"},"state":{"contact":false}}
        {"kind":"event","id":"01a1ee57-fc10-8000-8a62-ba7c63e5d183","event":"device","at":"2026-11-18T11:08:26.000Z","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"},"state":{"contact":true}}
        {"id":"01a1ee57-fc10-8000-92ff-88f82c778eac","type":"bodyTemperature","start":"2026-11-18T11:08:26.000000001Z","end":"2026-11-18T11:08:26.000000001Z","value":36.64,"unit":"degC","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"}}
        {"kind":"event","id":"01a1ee57-fff8-8000-9a71-f09a61807009","event":"device","at":"2026-11-18T11:08:27.000Z","person":"me","device":{"localIdentifier":"D0:11:22:33:44:55"},"source":{"name":"skin","version":"0.1.0"},"state":{"connection":"disconnected"},"reason":"link lost"}

        """
}
