import Foundation
import GatewayTesting
import Glibc
import XCTest

/// The file for node_exporter, written by the command of the unit in the manual.
final class MetricsFileTests: XCTestCase {
    /// The units of the manual, by the name of their file.
    private static func units() throws -> [String: String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/pulsegate/Manual/operation.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var units: [String: String] = [:]
        for block in text.matches(of: /```ini\n# \/etc\/systemd\/system\/(\S+)\n((?s).+?)```/) {
            units[String(block.1)] = String(block.2)
        }
        return units
    }

    /// Runs the command of the service in a folder.
    private func runService(_ home: Home, in folder: String) async throws {
        let unit = try XCTUnwrap(Self.units()["pulsegate-metrics.service"])
        let line = try XCTUnwrap(unit.firstMatch(of: /ExecStart=\/bin\/sh -c '(.+)'/)?.1)
        var environment = home.environment
        let command = try Home.commandPath()
        environment["PATH"] = "\((command as NSString).deletingLastPathComponent):/usr/bin:/bin"
        let service = try InteractiveProgram(
            ["/bin/sh", "-c", "cd \"$0\" && { \(line); }", folder], environment: environment)
        try await service.waitForEnd()
    }

    func testFile_isTheMetrics_andIsRemovedWithoutAGateway() async throws {
        let home = try Home()
        try home.configure(
            #"{ sources: { sim: { use: "simulator" } }, sinks: { store: "sqlite" } }"#)
        let folder = try TemporaryFolder()
        let gateway = try home.start("run")
        try await gateway.waitForLines(2, with: "connected", on: .error)

        try await runService(home, in: folder.path)

        let written = FileManager.default.contents(atPath: folder.path("pulsegate.prom"))
        let text = String(decoding: try XCTUnwrap(written), as: UTF8.self)
        XCTAssertTrue(text.hasPrefix("# HELP pulsegate_build_info "), text)
        XCTAssertTrue(text.contains(#"pulsegate_sink_healthy{sink="store"} 1"#), text)
        XCTAssertEqual(try names(in: folder), ["pulsegate.prom"])
        await gateway.send(SIGTERM)
        try await gateway.waitForEnd(within: 10)

        try await runService(home, in: folder.path)

        XCTAssertEqual(try names(in: folder), [])
    }

    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    func testUnits_areValid() async throws {
        let units = try Self.units()
        XCTAssertEqual(
            units.keys.sorted(), ["pulsegate-metrics.service", "pulsegate-metrics.timer"])
        let analyze = "/usr/bin/systemd-analyze"
        guard FileManager.default.isExecutableFile(atPath: analyze) else {
            throw XCTSkip("systemd-analyze is missing; apt-get install systemd")
        }
        let folder = try TemporaryFolder()
        for (name, text) in units { try folder.write(Array(text.utf8), to: name) }
        let check = try InteractiveProgram(
            [
                "/bin/sh", "-c", "\(analyze) verify \"$0\" 2>&1; echo $?",
                folder.path("pulsegate-metrics.timer"),
            ],
            environment: ["PATH": "/usr/bin:/bin"])
        let answer = try await check.waitForEnd()
        XCTAssertFalse(answer.contains("pulsegate-metrics"), answer)
        XCTAssertTrue(answer.hasSuffix("0\n"), answer)
    }
}
