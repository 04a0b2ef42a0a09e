import GatewayCore
import GatewayTesting
import JSON
import Platform
import Readings
import Serial
import XCTest

@testable import HxM

/// The recording, played as a device on a real pseudo-terminal.
final class HxMSourceTests: XCTestCase {
    func testRun_readsTheRecordingWhole() async throws {
        let terminal = try PseudoTerminal()
        let stream = try fixture("hxm-40-packets.dat")
        var adapter = HxMAdapter()
        let expected = adapter.handle(
            AdapterEvent(.received(stream, on: .stream), at: BootInstant(nanoseconds: 0)))
        let inlet = RecordingInlet()
        let source = try makeSource(terminal.slavePath)
        let running = Task { try await source.run(into: inlet) }
        try await terminal.send(stream)
        var readings: [Reading] = []
        for await report in inlet.reports {
            guard case .readings(let timed) = report.content else { continue }
            readings += timed.map(\.reading)
            if readings.count >= expected.count { break }
        }
        XCTAssertEqual(readings.map { .reading($0) }, expected)
        running.cancel()
        _ = await running.result
    }

    private func makeSource(_ path: String) throws -> any Source {
        let value = JSONValue.object([
            "use": .string("serial"), "port": .object(["path": .string(path)]),
            "protocol": .string("hxm"),
        ])
        let context = ComponentContext(
            name: "chest", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nowhere")
        return try SerialSource.factory(protocols: [HxMProtocol.factory]).make(
            ConfigurationNode(path: "sources.chest", value: value), context)
    }
}
