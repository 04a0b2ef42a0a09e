import BluetoothTesting
import GatewayTesting
import JSON
import PulsegateBuiltIn
import Serial
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

/// Every kind of source has a probe for the watchdog, and answers it.
final class SourceProbeTests: XCTestCase {
    private func source(
        _ factory: SourceFactory, _ settings: String, _ probes: ProgressProbes
    ) throws -> any Source {
        var context = ComponentContext(
            name: factory.use, clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/", environment: ["PATH": "/usr/bin:/bin"])
        context.probes = probes
        let node = ConfigurationNode(
            path: "sources.\(factory.use)", value: try JSONValue(json5: settings))
        return try factory.make(node, context)
    }

    func testEveryKindOfSource_answers() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let port = try PseudoTerminal()
        let settings = [
            "bluetooth": #"{ use: "bluetooth", devices: ["D0:11:22:33:44:55"] }"#,
            "advertisements": #"{ use: "advertisements", devices: "any" }"#,
            "serial":
                #"{ use: "serial", port: { path: "\#(port.slavePath)" }, protocol: "hxm" }"#,
            "exec": #"{ use: "exec", command: ["cat"] }"#,
            "simulator": #"{ use: "simulator", devices: { heartRateStrap: 1 } }"#,
        ]
        for factory in builtIn.makeSourceFactories(busAddress: bus.address)
        // It is the source of a serial port, and its radio cannot be simulated.
        where factory.use != "rfcomm" {
            let text = try XCTUnwrap(settings[factory.use], "no settings for \(factory.use)")
            let probes = ProgressProbes()
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            probes.observe { answered.yield() }
            let source = try source(factory, text, probes)
            let (ends, ended) = AsyncStream.makeStream(of: Void.self)
            let run = Task {
                try? await source.run(into: RecordingInlet())
                ended.yield()
            }
            let hasProbe = await Self.waits { probes.loops == [.source(factory.use)] }
            XCTAssertTrue(hasProbe, "\(factory.use) has no probe")
            guard hasProbe else { continue }
            probes.ask()
            for await _ in answers { break }
            XCTAssertEqual(probes.pending, [])
            run.cancel()
            for await _ in ends { break }
            XCTAssertEqual(probes.loops, [], factory.use)
        }
    }

    /// Looks for 10 seconds whether something becomes true.
    private static func waits(until isTrue: () -> Bool) async -> Bool {
        let deadline = SystemTime.boot().adding(seconds: 10)
        while !isTrue() {
            guard SystemTime.boot() < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}
