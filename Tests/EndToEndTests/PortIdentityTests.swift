import Foundation
import GatewayTesting
import Glibc
import HealthModel
import Serial
import XCTest

/// Ports that are named by what they are, found by libudev on devices that umockdev plays.
final class PortIdentityTests: XCTestCase {
    private let first = MockedPort()
    private let second = MockedPort(node: "ttyUSB1", socket: "2-2")

    func testPort_thatComesBackUnderAnotherName_isTheSameDevice() async throws {
        let home = try Home()
        let (before, after) = (try PseudoTerminal(), try PseudoTerminal())
        try configure(home, port: #"vendor: "10C4", product: "ea60", serial: "0001""#)
        let gateway = try start(
            home, [first, second], nodes: ["ttyUSB0": before, "ttyUSB1": after],
            hidden: ["ttyUSB1"])
        try await gateway.waitForLines(
            with: "foot: connected device=usb:10c4:ea60:0001", on: .error)
        try count(before, [1, 3])
        try await gateway.waitForLines(1, with: "stepCount", on: .output)

        let sysfs = try mockedFolder(home) + "/sys/class/tty"
        XCTAssertEqual(rename("\(sysfs)/ttyUSB0", "\(sysfs)/../ttyUSB0"), 0)
        before.close()
        try await gateway.waitForLines(with: "no port matches vendor 10c4", on: .error)
        XCTAssertEqual(rename("\(sysfs)/../ttyUSB1", "\(sysfs)/ttyUSB1"), 0)
        try await gateway.waitForLines(2, with: "foot: connected", on: .error)
        try count(after, [5])
        try await gateway.waitForLines(2, with: "stepCount", on: .output)
        try await assertEndsWell(gateway)

        let steps = try await home.samples(of: .stepCount)
        XCTAssertEqual(steps.map(\.quantity.value), [2, 2])
        XCTAssertEqual(Set(steps.map(\.device?.localIdentifier)), ["usb:10c4:ea60:0001"])
        XCTAssertEqual(Set(steps.map(\.device?.name)), ["Foot"])
        XCTAssertEqual(Set(steps.map(\.person)), ["ada"])
    }

    func testPort_whenTwoAreMeant_reportsWhatToAdd() async throws {
        let home = try Home()
        try configure(home, port: #"vendor: "10c4", product: "ea60", serial: "0001""#)
        let gateway = try start(home, [first, second], nodes: [:])
        try await gateway.waitForLines(
            with: "/dev/ttyUSB0 and /dev/ttyUSB1 match vendor 10c4, product ea60, serial 0001; "
                + "add to `port` `idPath`: \\\"\(first.idPath)\\\" (/dev/ttyUSB0) or",
            on: .error)
        try await assertEndsWell(gateway)
    }

    func testPort_whereNoUdevRuns_isFoundByWhatItSays() async throws {
        let home = try Home()
        let terminal = try PseudoTerminal()
        try configure(home, port: #"vendor: "10c4", serial: "0001""#)
        var unknown = first
        unknown.isKnownToUdev = false
        let gateway = try start(home, [unknown], nodes: ["ttyUSB0": terminal])
        try await gateway.waitForLines(with: "foot: connected device=usb:10c4:*:0001", on: .error)
        try await assertEndsWell(gateway)
    }

    // MARK: -

    private func configure(_ home: Home, port: String) throws {
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { \(port) },
              protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite", lines: "stdout" }, people: { ada: {}, bob: {} },
              devices: { "usb:10c4:ea60:0001": { person: "ada", name: "Foot" } } }
            """)
    }

    /// Runs the gateway where these ports are, with pseudo-terminals behind their nodes.
    ///
    /// A hidden port is known to the kernel only later.
    private func start(
        _ home: Home, _ ports: [MockedPort], nodes: [String: PseudoTerminal],
        hidden: [String] = []
    ) throws -> RunningCommand {
        var script = "cd \"$UMOCKDEV_DIR\"; echo \"$UMOCKDEV_DIR\" > \"$0\"\n"
        for (node, terminal) in nodes {
            script += "rm dev/\(node); ln -s \(terminal.slavePath) dev/\(node)\n"
        }
        for node in hidden { script += "mv sys/class/tty/\(node) sys/class/\(node)\n" }
        script += "cd /; exec \"$@\"\n"
        return try home.start(
            "run",
            prefix: try MockedPort.words(ports, in: home)
                + ["/bin/sh", "-euc", script, home.folder.path("mocked")])
    }

    /// Where umockdev keeps what it shows.
    private func mockedFolder(_ home: Home) throws -> String {
        let text = try String(contentsOfFile: home.folder.path("mocked"), encoding: .utf8)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func count(_ terminal: PseudoTerminal, _ totals: [Int]) throws {
        for total in totals { try terminal.write(Array("Steps: \(total)\n".utf8)) }
    }

    private func assertEndsWell(
        _ gateway: RunningCommand, file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0), file: file, line: line)
    }
}
