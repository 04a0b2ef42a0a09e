/// The tests and the fixture of a serial adapter.
struct SerialTestTemplate {
    let plugin: NewPlugin

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
    }

    private var stem: String { plugin.name.stem }

    var tests: String {
        """
        import GatewayTesting
        import HealthModel
        import Platform
        import Readings
        import XCTest

        @testable import \(plugin.name.module)

        final class \(plugin.name.module)Tests: XCTestCase {
            /// 10, 12 and 15 steps, with 87, 87 and 86 percent.
            private let frames: [[UInt8]] = [
                [0xA5, 0x5A, 0x0A, 0x00, 0x57, 0x25], [0xA5, 0x5A, 0x0C, 0x00, 0x57, 0x58],
                [0xA5, 0x5A, 0x0F, 0x00, 0x56, 0xE2],
            ]

            private func actions(for bytes: [UInt8]) -> [AdapterAction] {
                var adapter = \(stem)Adapter()
                return adapter.handle(
                    AdapterEvent(.received(bytes, on: .stream), at: BootInstant(nanoseconds: 1)))
            }

            private func steps(_ total: Double) -> AdapterAction {
                .reading(
                    .counter(
                        CounterReading(
                            .stepCount, value: total, range: .rollsOver(at: 65_536), unit: .count)))
            }

            func testFrame_isATotalAndABattery() {
                XCTAssertEqual(
                    actions(for: frames[0]), [steps(10), .reading(.state(.battery(0.87)))])
            }

            func testNoise_betweenFrames_isCounted() {
                let actions = actions(for: frames[0] + [0xFF] + frames[1])
                XCTAssertEqual(actions.filter { $0 == .dropped(.damaged) }.count, 1)
            }

            func testFrame_withMoreThan100Percent_isInvalid() {
                XCTAssertEqual(
                    actions(for: [0xA5, 0x5A, 0x07, 0x00, 0x65, 0x2A]), [.dropped(.invalid)])
            }

            func testProtocol_keepsTheContract() {
                let findings = SerialProtocolConformance.findings(
                    for: \(stem)Protocol(), stream: frames.flatMap { $0 },
                    hasChecksum: true)
                XCTAssertEqual(findings, [])
            }

            func testFactory_keepsTheContract() {
                let findings = SerialProtocolConformance.findings(
                    for: \(stem)Protocol.factory)
                XCTAssertEqual(findings, [])
            }

            /// Through a pseudo-terminal and a whole gateway; the first total is the baseline.
            func testFrames_becomeSamplesInTheStore() async throws {
                let harness = try await SerialHarness(\(stem)Protocol())
                try await harness.send(frames.flatMap { $0 })
                let samples = try await harness.samples(of: .stepCount, count: 2)
                XCTAssertEqual(samples.map(\\.quantity.value), [2, 3])
                try await harness.gateway.stop()
            }
        }

        """
    }

    /// Totals of 1200 to 1210, with a frame in two pieces, noise and a wrong checksum.
    var capture: String {
        """
        {"capture":1,"at":100000000000,"clock":"1795000000000000000","version":"0.1.0","earliest":"1970-01-01T00:00:00Z","utcOffset":0}
        {"note":"made by hand: a frame in two pieces, noise, a wrong checksum; replace it by a recording of a device"}
        {"device":1,"source":"foot","localIdentifier":"/dev/ttyUSB0"}
        {"opened":1,"at":101000000000,"adapter":{"protocol":"\(plugin.name.use)"}}
        {"received":1,"at":102000000000,"channel":"stream","bytes":"a55ab004571c"}
        {"received":1,"at":103000000000,"channel":"stream","bytes":"a55ab3"}
        {"received":1,"at":103010000000,"channel":"stream","bytes":"0457a1"}
        {"received":1,"at":104000000000,"channel":"stream","bytes":"00a55ab704560d"}
        {"received":1,"at":105000000000,"channel":"stream","bytes":"a55aba045600"}
        {"received":1,"at":106000000000,"channel":"stream","bytes":"a55aba04569c"}
        {"closed":1,"at":107000000000,"reason":"the port disappeared"}

        """
    }

    /// The records of the capture; they do not depend on the name of the plugin.
    static let expected = """
        {"kind":"event","id":"01a1ee57-e888-8000-bd07-c86d3ad69849","event":"device","at":"2026-11-18T11:08:21.000Z","person":"me","device":{"localIdentifier":"/dev/ttyUSB0"},"source":{"name":"foot","version":"0.1.0"},"state":{"connection":"connected"}}
        {"kind":"event","id":"01a1ee57-ec70-8000-bd9f-3bc6142e7204","event":"device","at":"2026-11-18T11:08:22.000000001Z","person":"me","device":{"localIdentifier":"/dev/ttyUSB0"},"source":{"name":"foot","version":"0.1.0"},"state":{"battery":0.87}}
        {"id":"01a1ee57-ec70-8000-92bd-18d5c90caea2","type":"stepCount","start":"2026-11-18T11:08:22.000Z","end":"2026-11-18T11:08:23.010Z","value":3,"unit":"count","person":"me","device":{"localIdentifier":"/dev/ttyUSB0"},"source":{"name":"foot","version":"0.1.0"}}
        {"id":"01a1ee57-f062-8000-9ba2-5d85f81d20bb","type":"stepCount","start":"2026-11-18T11:08:23.010Z","end":"2026-11-18T11:08:24.000Z","value":4,"unit":"count","person":"me","device":{"localIdentifier":"/dev/ttyUSB0"},"source":{"name":"foot","version":"0.1.0"}}
        {"kind":"event","id":"01a1ee57-f440-8000-bd41-f8bcbbd02386","event":"device","at":"2026-11-18T11:08:24.000000001Z","person":"me","device":{"localIdentifier":"/dev/ttyUSB0"},"source":{"name":"foot","version":"0.1.0"},"state":{"battery":0.86}}
        {"id":"01a1ee57-f440-8000-ad5b-b7b7b9537624","type":"stepCount","start":"2026-11-18T11:08:24.000Z","end":"2026-11-18T11:08:26.000Z","value":3,"unit":"count","person":"me","device":{"localIdentifier":"/dev/ttyUSB0"},"source":{"name":"foot","version":"0.1.0"}}
        {"kind":"event","id":"01a1ee57-fff8-8000-a01b-bf3ef4e6563a","event":"device","at":"2026-11-18T11:08:27.000Z","person":"me","device":{"localIdentifier":"/dev/ttyUSB0"},"source":{"name":"foot","version":"0.1.0"},"state":{"connection":"disconnected"},"reason":"the port disappeared"}

        """
}
