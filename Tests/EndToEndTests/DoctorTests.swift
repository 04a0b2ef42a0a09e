import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import Platform
import Serial
import XCTest

/// `pulsegate doctor`, the built command: what it finds, its status, and that it ends in time.
final class DoctorTests: XCTestCase {
    private struct Report {
        var outcome: Home.Outcome
        var findings: [[String: Any]]

        var kinds: [String] { findings.compactMap { $0["id"] as? String } }
        var problems: [String] {
            findings.filter { $0["severity"] as? String == "problem" }.compactMap {
                $0["id"] as? String
            }
        }

        func command(of kind: String) -> String? {
            findings.first { $0["id"] as? String == kind }?["command"] as? String
        }
    }

    private func examine(_ home: Home, prefix: [String] = []) async throws -> Report {
        let outcome = try await home.run("doctor", "--json", prefix: prefix)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let fields = try XCTUnwrap(object as? [String: Any], outcome.output + outcome.error)
        let report = Report(
            outcome: outcome,
            findings: try XCTUnwrap(fields["findings"] as? [[String: Any]]))
        XCTAssertEqual(fields["dataFlows"] as? Bool, report.problems.isEmpty)
        return report
    }

    /// A home whose system bus does not exist, whatever the machine has.
    private func makeHome() throws -> Home {
        var home = try Home()
        home.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(home.folder.path("no-bus"))"
        return home
    }

    func testNewcomer_getsTheNextStep_andNothingIsCreated() async throws {
        let home = try makeHome()
        let outcome = try await home.run("doctor")
        XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
        XCTAssertEqual(outcome.error, "")
        let lines = outcome.output.split(separator: "\n")
        XCTAssertEqual(
            lines.first,
            "✗ nothing-to-read: no source is configured and no device is adopted; "
                + "fix: pulsegate devices  # then pulsegate adopt ADDRESS|PORT")
        XCTAssertTrue(
            lines.contains("! gateway-not-running: no gateway is running; fix: pulsegate run"))
        XCTAssertTrue(lines.contains("✓ configuration: no file, using defaults"))
        XCTAssertFalse(FileManager.default.fileExists(atPath: home.dataDirectory))
        XCTAssertFalse(outcome.output.contains("\u{1b}"))
    }

    func testArguments_andAWrongConfiguration_haveTheirStatus() async throws {
        let home = try makeHome()
        let unknown = try await home.run("doctor", "--jsn")
        XCTAssertEqual(unknown.ending, .exited(64))
        try home.configure("{ sourcs: {} }")
        let wrong = try await home.run("doctor")
        XCTAssertEqual(wrong.ending, .exited(78))
        XCTAssertTrue(wrong.output.contains("✗ configuration-invalid: "), wrong.output)
        // The rest was examined.
        XCTAssertTrue(wrong.output.contains("gateway-not-running"), wrong.output)
    }

    func testReaderThatStops_isNoFailure() async throws {
        let home = try makeHome()
        try home.configure(#"{ sources: { s: { use: "simulator" } } }"#)
        let words = ["/bin/bash", "-c", #"set -o pipefail; "$0" doctor | head -n 1"#]
        let command = try RunningCommand(
            words + [Home.commandPath()], in: home.folder, environment: home.environment,
            output: .pipe)
        let ending = try await command.waitForEnd()
        let error = await command.text(of: .error)
        XCTAssertEqual(ending, .exited(0), error)
    }

    func testGatewayThatStoresRecords_isWell_untilItsAdapterIsOff() async throws {
        let box = try await BluetoothBox()
        await box.wear(BluetoothBox.ada)
        try box.configure(#"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)"] }"#)
        let gateway = try box.home.start("run")
        await box.waitUntilHeard(BluetoothBox.ada)
        await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat)
        try await gateway.waitForLines(with: "\"heartRate\"", on: .output)
        let well = try await box.home.run("doctor")
        XCTAssertEqual(well.ending, .exited(0), well.output)
        XCTAssertTrue(
            well.output.contains("✓ gateway: process \(gateway.processID), running for "),
            well.output)
        XCTAssertTrue(well.output.contains("devices that send: 1 of 1\n"), well.output)
        // As a number of its own: a process and the name of a folder can have these digits, too.
        let other = well.output.replacingOccurrences(
            of: "process \(gateway.processID)", with: "process")
        XCTAssertFalse(other.contains(/\b240\b/), "a heart rate: \(other)")

        await box.bluez.setPowered(false)
        try await gateway.waitForLines(with: "hci0 is powered off", on: .error)
        let off = try await examine(box.home)
        XCTAssertEqual(off.problems, ["adapter-off"])
        XCTAssertEqual(off.command(of: "adapter-off"), "bluetoothctl power on")
        XCTAssertEqual(off.outcome.ending, .exited(1))

        await box.bluez.setPowered(true)
        await box.waitUntilHeard(BluetoothBox.ada, count: 2)
        let again = try await examine(box.home)
        XCTAssertEqual(again.problems, [])
        try await box.end(gateway)
    }

    func testBluetoothd_thatIsNotRunning_isAProblemOfAnAdoptedStrap() async throws {
        let box = try await BluetoothBox(startsDaemon: false)
        let adopted = try await box.home.run("adopt", BluetoothBox.ada)
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let report = try await examine(box.home)
        let names = ["bluetoothd-not-running", "bluetoothd-not-installed"]
        XCTAssertTrue(report.problems.contains(where: names.contains), report.outcome.output)
        try await box.bluez.start()
        let running = try await examine(box.home)
        XCTAssertEqual(running.problems, [])
    }

    func testStrap_thatNeedsPairing_isFoundWithTheCommand() async throws {
        let box = try await BluetoothBox()
        var strap = FakeStrap(address: BluetoothBox.ada).device
        strap.behaviour.security = FakeSecurity(.justWorks)
        await box.bluez.appear(strap)
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        let gateway = try box.home.start("run")
        try await gateway.waitForLines(with: "needs pairing: ", on: .error)
        let report = try await examine(box.home)
        XCTAssertEqual(
            report.command(of: "pairing-needed"), "pulsegate pair \(BluetoothBox.ada)")
        XCTAssertEqual(report.outcome.ending, .exited(1))
        try await box.end(gateway)
    }

    func testAdapter_withoutAFreeConnection_isFound() async throws {
        let box = try await BluetoothBox(adapters: [FakeAdapter(linkLimit: 1)])
        await box.wear(BluetoothBox.ada)
        await box.wear(BluetoothBox.bob)
        try box.configure(
            #"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)", "\#(BluetoothBox.bob)"] }"#)
        let gateway = try box.home.start("run")
        try await gateway.waitForLines(with: "is full with 1 link", on: .error)
        let report = try await examine(box.home)
        XCTAssertTrue(report.problems.contains("adapter-full"), report.outcome.output)
        try await box.end(gateway)
    }

    private func configure(_ home: Home, _ path: String, sinks: String = #"store: "sqlite""#) throws
    {
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(path)" },
                protocol: { use: "lines", preset: "steps" } } }, sinks: { \(sinks) } }
            """)
    }

    func testPort_thatIsMissing_isOneFinding_withAndWithoutAGateway() async throws {
        let home = try makeHome()
        try configure(home, "/dev/ttyPulsegate9")
        let before = try await examine(home)
        XCTAssertEqual(before.problems, ["port-missing"])
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "no such port", on: .error)
        let running = try await examine(home)
        XCTAssertEqual(running.problems, ["port-missing"])
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testPort_thatAnotherProgramHasOpen_isFound() async throws {
        let home = try makeHome()
        let port = try PseudoTerminal()
        try configure(home, port.slavePath)
        let descriptor = open(port.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(descriptor) }
        let report = try await examine(home)
        XCTAssertEqual(report.command(of: "port-busy"), "kill \(getpid())")
    }

    func testUSBPort_withoutUdevRules_isFound() async throws {
        let home = try makeHome()
        guard FileManager.default.fileExists(atPath: "/usr/lib/udev/rules.d") else {
            throw XCTSkip("needs udev")
        }
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { vendor: "10c4", product: "ea60" },
                protocol: { use: "lines", preset: "steps" } } } }
            """)
        let missing = try await examine(home)
        XCTAssertEqual(missing.problems, ["port-missing"])
        let present = try await examine(
            home, prefix: try MockedPort.words([MockedPort()], in: home))
        XCTAssertTrue(present.kinds.contains("udev-rules-missing"), present.outcome.output)
        XCTAssertTrue(missing.outcome.output.contains("no port matches"), missing.outcome.output)
        XCTAssertFalse(present.outcome.output.contains("no port matches"), present.outcome.output)
    }

    /// The words that run a command as another user.
    private func otherUser() throws -> [String] {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        else { throw XCTSkip("needs root and setpriv") }
        return [
            "/usr/bin/setpriv", "--reuid=\(Home.nobody)", "--regid=\(Home.nobody)",
            "--clear-groups", "--",
        ]
    }

    func testOtherUser_isToldTheGroups_andWhoseDataItIs() async throws {
        var home = try makeHome()
        let other = try otherUser()
        try home.folder.makeFolder("run")
        try home.folder.makeFolder("data/pulsegate")
        home.environment["RUNTIME_DIRECTORY"] = home.folder.path("run")
        let port = try PseudoTerminal()
        try configure(home, port.slavePath)
        for path in ["", "run", "config", "config/pulsegate", "data"] {
            chmod(home.folder.path(path), 0o755)
        }
        chmod(home.dataDirectory, 0o700)
        chmod(home.configurationPath, 0o644)
        chmod(port.slavePath, 0o660)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let report = try await examine(home, prefix: other)
        for kind in ["not-in-group", "data-of-another-user"] {
            XCTAssertTrue(report.kinds.contains(kind), "\(kind): \(report.outcome.output)")
        }
        XCTAssertTrue(
            report.kinds.contains("port-denied") || report.kinds.contains("group-not-active"),
            report.outcome.output)
        XCTAssertEqual(report.command(of: "not-in-group"), "sudo usermod -aG root $USER")
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testRoot_examinesTheDirectoryOfAnotherUser() async throws {
        _ = try otherUser()
        let home = try makeHome()
        try home.folder.makeFolder("data/pulsegate")
        let lock = try home.folder.write([], to: "data/pulsegate/lock")
        for path in [home.dataDirectory, lock] {
            XCTAssertEqual(chown(path, Home.nobody, Home.nobody), 0)
        }
        chmod(home.dataDirectory, 0o700)
        try configure(home, "/dev/ttyPulsegate9")
        let report = try await examine(home)
        XCTAssertEqual(report.problems, ["port-missing"], report.outcome.output)
        let names = try FileManager.default.contentsOfDirectory(atPath: home.dataDirectory)
        XCTAssertEqual(names, ["lock"])
    }

    func testGateway_thatDoesNotAnswer_isFoundInTime() async throws {
        let home = try makeHome()
        try configure(home, "/dev/ttyPulsegate9")
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "no such port", on: .error)
        await gateway.send(SIGSTOP)
        let clock = SystemClock()
        let start = clock.now()
        let report = try await examine(home)
        XCTAssertTrue(report.problems.contains("gateway-silent"), report.outcome.output)
        XCTAssertLessThan(clock.now().seconds(since: start), 20)
        await gateway.send(SIGCONT)
        let again = try await examine(home)
        XCTAssertFalse(again.problems.contains("gateway-silent"), again.outcome.output)
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testRepository_thatRejectsTheToken_isOneFinding_whileTheGatewayRuns() async throws {
        let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(status: 401)) }
        let home = try makeHome()
        let port = try PseudoTerminal()
        let sink =
            #"repository: { use: "http", url: "\#(server.url())", token: { env: "TOKEN" } }"#
        try configure(home, port.slavePath, sinks: sink)
        var own = home
        own.environment["TOKEN"] = "s3cret"
        let gateway = try own.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for count in 1...3 { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await gateway.waitForLines(with: "status 401", on: .error)
        let report = try await examine(own)
        XCTAssertTrue(report.problems.contains("repository-rejecting"), report.outcome.output)
        XCTAssertFalse(report.problems.contains("sink-failing"), report.outcome.output)
        XCTAssertFalse(report.outcome.output.contains("s3cret"))
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testDisk_thatIsFull_isFound_untilThereIsSpace() async throws {
        let home = try makeHome()
        try home.folder.makeFolder("data/pulsegate")
        let disk = try SmallDisk("tmpfs", at: home.dataDirectory, kibibytes: 300 << 10)
        let free = try await examine(home)
        XCTAssertFalse(free.kinds.contains { $0.hasPrefix("disk-") }, free.outcome.output)
        try disk.fill()
        let full = try await examine(home)
        XCTAssertTrue(full.problems.contains("disk-full"), full.outcome.output)
        withExtendedLifetime(disk) {}
    }

    func testAtATerminal_problemsComeFirst() async throws {
        let home = try makeHome()
        let pane = try await TerminalPane(home, columns: 120, rows: 20)
        try await pane.run("pulsegate doctor")
        let screen = try await pane.waitForText("configuration: no file")
        let lines = screen.filter { !$0.hasPrefix("$") }
        XCTAssertEqual(lines.first?.hasPrefix("✗ nothing-to-read: "), true, "\(screen)")
    }
}
