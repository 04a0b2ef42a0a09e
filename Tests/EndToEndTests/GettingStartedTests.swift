import Foundation
import GatewayTesting
import Glibc
import Serial
import XCTest

/// The manual page Getting started: its commands, in their order, lead to stored samples of the first devices.
final class GettingStartedTests: XCTestCase {
    /// The first command of a section of the page that begins so.
    private func command(_ beginning: String, in section: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Sources/pulsegate/Manual/getting-started.md"),
            encoding: .utf8)
        let parts = page.components(separatedBy: "\n## \(section)\n")
        let text = try XCTUnwrap(parts.dropFirst().first, section)
            .components(separatedBy: "\n## ")[0]
        let start = try XCTUnwrap(text.range(of: "pulsegate \(beginning)"), beginning)
        return String(text[start.lowerBound...].prefix { $0 != "\n" && $0 != "`" })
    }

    /// Starts a line of the page in a shell that finds the built command.
    private func start(_ line: String, _ home: Home) throws -> RunningCommand {
        let script = #"pulsegate() { "$PULSEGATE" "$@"; }; "# + line
        var environment = home.environment
        environment["PULSEGATE"] = try Home.commandPath()
        return try RunningCommand(
            ["/bin/bash", "-c", script], in: home.folder, environment: environment, output: .pipe)
    }

    private func run(_ line: String, _ home: Home) async throws -> String {
        let command = try start(line, home)
        let ending = try await command.waitForEnd(within: 30)
        let error = await command.text(of: .error)
        XCTAssertEqual(ending, .exited(0), "\(line): \(error)")
        return await command.text(of: .output)
    }

    /// Runs a query until it prints this: what was received is stored soon.
    private func query(_ line: String, _ home: Home, until text: String) async throws {
        var stored = ""
        for _ in 0..<100 where !stored.contains(text) { stored = try await run(line, home) }
        XCTAssertTrue(stored.contains(text), stored)
    }

    func testStrap_isReadAsThePageSays() async throws {
        func line(_ beginning: String) throws -> String {
            try command(beginning, in: "Read a Bluetooth strap")
        }
        let box = try await BluetoothBox()
        let strap = await BeatingStrap(box, BluetoothBox.ada, rate: 72)
        let devices = try await run("\(line("devices")) --for 2", box.home)
        XCTAssertTrue(devices.contains(strap.address), devices)
        _ = try await run(line("adopt"), box.home)
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(strap.address)
        let words = try line("tap").dropFirst("pulsegate ".count)
        let tap = try start("exec \"$PULSEGATE\" \(words)", box.home)
        try await tap.waitForLines(
            with: "Ada's strap           heartRate               72 count/min", on: .output)
        await tap.send(SIGTERM)
        _ = try await tap.waitForEnd()
        try await query(line("query"), box.home, until: " 72 count/min  me      Ada's strap")
        let status = try await run(line("status"), box.home)
        XCTAssertTrue(status.contains("live"), status)
        try await box.end(gateway)
    }

    func testPedometer_isReadAsThePageSays() async throws {
        func line(_ beginning: String) throws -> String {
            try command(beginning, in: "Read a serial pedometer")
        }
        let home = try Home.withoutBus()
        let port = try PseudoTerminal()
        let adopted = try await run(
            line("adopt").replacing("/dev/ttyUSB0", with: port.slavePath), home)
        XCTAssertTrue(adopted.hasPrefix("adopted \(port.slavePath): "), adopted)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: ": connected", on: .error)
        for count in [100, 107] { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await query(line("query"), home, until: " 7 count")
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }

    func testSimulation_isRunAndReadAsThePageSays() async throws {
        func line(_ beginning: String) throws -> String {
            try command(beginning, in: "Run the simulation")
        }
        let home = try Home.withoutBus()
        XCTAssertEqual(try line("run"), "pulsegate run --simulate")
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(2, with: "\"heartRate\"", on: .output)
        try await query(line("query"), home, until: " count/min  me      Simulated Strap")
        await gateway.send(SIGINT)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }
}
