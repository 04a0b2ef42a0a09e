import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import Serial
import XCTest

final class SerialSourceConformanceTests: XCTestCase {
    private struct Counter: SerialProtocol {
        let lineSettings = LineSettings(baud: .baud115200)
        let device = Device()

        func makeAdapter() -> any DeviceAdapter { CountingAdapter() }
    }

    private struct CountingAdapter: DeviceAdapter {
        private var total = 0.0

        mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
            guard case .received(let bytes, _) = event.kind else { return [] }
            total += Double(bytes.count)
            return [.reading(.counter(CounterReading(.stepCount, value: total, unit: .count)))]
        }
    }

    func testSource_keepsTheContract() async throws {
        let port = try PseudoTerminal()
        let factory = SerialSource.factory(protocols: [
            SerialProtocolFactory(use: "counter") { _ in Counter() }
        ])
        let context = ComponentContext(
            name: "foot", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/")
        let settings = """
            { use: "serial", port: { path: "\(port.slavePath)" }, protocol: "counter" }
            """
        let source = try factory.make(try ConfigurationNode(json5: settings), context)
        let findings = await SourceConformance.findings(
            for: source, devices: [port.slavePath], types: [.stepCount],
            stimulate: { try port.write([1, 2, 3]) })
        XCTAssertEqual(findings, [])
    }
}
