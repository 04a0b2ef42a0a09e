import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Platform
import Serial
import XCTest

/// `pulsegate doctor`, the built command: what it finds, its status, and that it ends in time.
final class DoctorTests: XCTestCase {
    func testNewcomer_getsTheNextStep_andNothingIsCreated() async throws {
        let home = try Home.withoutBus()
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
        // Most sensors need Bluetooth; a configuration that names no source needs none.
        XCTAssertTrue(lines.contains { $0.hasPrefix("! ") && $0.contains("bus") }, outcome.output)
        try home.configure("{ sources: {} }")
        let without = try await home.run("doctor")
        XCTAssertTrue(without.output.contains("is empty"), without.output)
        XCTAssertNil(without.output.firstMatch(of: /(?i)bluetooth|bus/), without.output)
    }

    func testArguments_andAWrongConfiguration_haveTheirStatus() async throws {
        let home = try Home.withoutBus()
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
        let home = try Home.withoutBus()
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
        let off = try await box.home.examine()
        XCTAssertEqual(off.problems, ["adapter-off"])
        XCTAssertEqual(off.command(of: "adapter-off"), "bluetoothctl power on")
        XCTAssertEqual(off.outcome.ending, .exited(1))

        await box.bluez.setPowered(true)
        await box.waitUntilHeard(BluetoothBox.ada, count: 2)
        let again = try await box.home.examine()
        XCTAssertEqual(again.problems, [])
        try await box.end(gateway)
    }

    func testBluetoothd_thatIsNotRunning_isAProblemOfAnAdoptedStrap() async throws {
        let box = try await BluetoothBox(startsDaemon: false)
        let adopted = try await box.home.run("adopt", BluetoothBox.ada)
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let report = try await box.home.examine()
        let names = ["bluetoothd-not-running", "bluetoothd-not-installed"]
        XCTAssertTrue(report.problems.contains(where: names.contains), report.outcome.output)
        try await box.bluez.start()
        let running = try await box.home.examine()
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
        let report = try await box.home.examine()
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
        let report = try await box.home.examine()
        XCTAssertTrue(report.problems.contains("adapter-full"), report.outcome.output)
        try await box.end(gateway)
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
        var home = try Home.withoutBus()
        let other = try otherUser()
        try home.folder.makeFolder("run")
        try home.folder.makeFolder("data/pulsegate")
        home.environment["RUNTIME_DIRECTORY"] = home.folder.path("run")
        let port = try PseudoTerminal()
        try home.configurePedometer(port.slavePath)
        for path in ["", "run", "config", "config/pulsegate", "data"] {
            chmod(home.folder.path(path), 0o755)
        }
        chmod(home.dataDirectory, 0o700)
        chmod(home.configurationPath, 0o644)
        chmod(port.slavePath, 0o660)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let report = try await home.examine(prefix: other)
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
        let home = try Home.withoutBus()
        try home.folder.makeFolder("data/pulsegate")
        let lock = try home.folder.write([], to: "data/pulsegate/lock")
        for path in [home.dataDirectory, lock] {
            XCTAssertEqual(chown(path, Home.nobody, Home.nobody), 0)
        }
        chmod(home.dataDirectory, 0o700)
        try home.configurePedometer("/dev/ttyPulsegate9")
        let report = try await home.examine()
        XCTAssertEqual(report.problems, ["port-missing"], report.outcome.output)
        let names = try FileManager.default.contentsOfDirectory(atPath: home.dataDirectory)
        XCTAssertEqual(names, ["lock"])
    }

    func testGateway_thatDoesNotAnswer_isFoundInTime() async throws {
        let home = try Home.withoutBus()
        try home.configurePedometer("/dev/ttyPulsegate9")
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "no such port", on: .error)
        await gateway.send(SIGSTOP)
        let clock = SystemClock()
        let start = clock.now()
        let report = try await home.examine()
        XCTAssertTrue(report.problems.contains("gateway-silent"), report.outcome.output)
        XCTAssertLessThan(clock.now().seconds(since: start), 20)
        await gateway.send(SIGCONT)
        let again = try await home.examine()
        XCTAssertFalse(again.problems.contains("gateway-silent"), again.outcome.output)
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd()
    }

    func testDisk_thatIsFull_isFound_untilThereIsSpace() async throws {
        let home = try Home.withoutBus()
        try home.folder.makeFolder("data/pulsegate")
        let disk = try SmallDisk("tmpfs", at: home.dataDirectory, kibibytes: 300 << 10)
        let free = try await home.examine()
        XCTAssertFalse(free.kinds.contains { $0.hasPrefix("disk-") }, free.outcome.output)
        try disk.fill()
        let full = try await home.examine()
        XCTAssertTrue(full.problems.contains("disk-full"), full.outcome.output)
        withExtendedLifetime(disk) {}
    }

    func testAtATerminal_problemsComeFirst() async throws {
        let home = try Home.withoutBus()
        let pane = try await TerminalPane(home, columns: 120, rows: 20)
        try await pane.run("pulsegate doctor")
        let screen = try await pane.waitForText("configuration: no file")
        let lines = screen.filter { !$0.hasPrefix("$") }
        XCTAssertEqual(lines.first?.hasPrefix("✗ nothing-to-read: "), true, "\(screen)")
    }
}
