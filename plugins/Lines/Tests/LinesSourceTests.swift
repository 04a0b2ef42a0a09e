import GatewayCore
import GatewayTesting
import JSON
import Platform
import Readings
import Serial
import XCTest

@testable import Lines

/// Tests a text pedometer on a pseudo-terminal.
final class LinesSourceTests: XCTestCase {
    func testRun_readsLinesAndCountsTheOthers() async throws {
        let terminal = try PseudoTerminal()
        let inlet = RecordingInlet()
        let source = try makeSource(terminal.slavePath)
        let running = Task { try await source.run(into: inlet) }
        try terminal.write(Array("Pedometer Started\r\nStep Detected! Total Steps: 7\r\n".utf8))
        try terminal.write(Array("Step Detected! Total Steps: 8\r\n".utf8))
        var counts: [Double] = []
        var drops: [DropReason: Int] = [:]
        for await report in inlet.reports {
            switch report.content {
            case .readings(let timed):
                counts += timed.compactMap { reading in
                    guard case .counter(let counter) = reading.reading else { return nil }
                    return counter.value
                }
            case .dropped(let found): drops.merge(found, uniquingKeysWith: +)
            default: break
            }
            if counts.count == 2, !drops.isEmpty { break }
        }
        XCTAssertEqual(counts, [7, 8])
        XCTAssertEqual(drops, [.unknown: 1])
        running.cancel()
        _ = await running.result
    }

    private func makeSource(_ path: String) throws -> any Source {
        let value = JSONValue.object([
            "use": .string("serial"), "port": .object(["path": .string(path)]),
            "protocol": .object(["use": .string("lines"), "preset": .string("total-steps")]),
        ])
        let context = ComponentContext(
            name: "foot", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nowhere")
        return try SerialSource.factory(protocols: [LinesProtocol.factory]).make(
            ConfigurationNode(path: "sources.foot", value: value), context)
    }
}
