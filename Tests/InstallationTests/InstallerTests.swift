import Foundation
import GatewayTesting
import Glibc
import Synchronization
import XCTest

@testable import HostFiles
@testable import Installation

/// Tests of installations in a folder that stands for a machine.
final class InstallerTests: XCTestCase {
    /// A machine in a folder: the programs are only recorded.
    private final class Machine: Sendable {
        let folder: TemporaryFolder
        private let commands = Mutex<[String]>([])
        private let failing = Mutex<String?>(nil)
        private let output = Mutex<[String]>([])

        /// Makes a machine with the program at a path.
        init(program: String = InstallerTests.program) throws {
            folder = try TemporaryFolder()
            try folder.makeFolder(
                String(URL(fileURLWithPath: program).deletingLastPathComponent().path.dropFirst()))
            try folder.write([], to: String(program.dropFirst()))
            chmod(folder.path(String(program.dropFirst())), 0o755)
        }

        /// Lets every call of a command that begins so fail.
        func fail(_ command: String?) { failing.withLock { $0 = command } }

        func takeCommands() -> [String] { take(commands) }
        func takeOutput() -> [String] { take(output) }

        private func take(_ list: borrowing Mutex<[String]>) -> [String] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }

        private func system(_ user: UInt32, _ hasSystemd: Bool) -> InstallationSystem {
            InstallationSystem(root: folder.path, userID: user, hasSystemd: hasSystemd) {
                [self] words in
                let text = words.joined(separator: " ")
                commands.withLock { $0.append(text) }
                return failing.withLock { $0 }.map { text.hasPrefix($0) } == true ? 3 : 0
            }
        }

        func installer(
            _ scope: InstallationScope = .system, program: String = InstallerTests.program,
            isDryRun: Bool = false, user: UInt32 = 0, hasSystemd: Bool = true
        ) -> Installer {
            let plan = InstallationPlan(
                scope, program: program,
                folders: InstallationPlan.UserFolders(
                    configuration: "/home/ada/.config", data: "/home/ada/.local/share/pulsegate"),
                hasUdev: true)
            return Installer(plan, on: system(user, hasSystemd), isDryRun: isDryRun) {
                [self] line in output.withLock { $0.append(line) }
            }
        }

        func text(_ path: String) throws -> String {
            try String(contentsOfFile: folder.path + path, encoding: .utf8)
        }

        /// The files without the program.
        func files() throws -> [String: Int] {
            try folder.permissions().filter { name, _ in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(
                    atPath: folder.path(name), isDirectory: &isFolder)
                return !isFolder.boolValue && name != String(InstallerTests.program.dropFirst())
            }
        }
    }

    private static let program = "/usr/local/bin/pulsegate"
    private static let systemFiles = [
        "etc/pulsegate/pulsegate.json5": 0o640,
        "etc/systemd/system/pulsegate.service": 0o644, "etc/sysusers.d/pulsegate.conf": 0o644,
        "etc/tmpfiles.d/pulsegate.conf": 0o644, "etc/udev/rules.d/70-pulsegate.rules": 0o644,
    ]
    private static let systemCommands = [
        "systemd-sysusers /etc/sysusers.d/pulsegate.conf",
        "systemd-tmpfiles --create /etc/tmpfiles.d/pulsegate.conf", "udevadm control --reload",
        "udevadm trigger --subsystem-match=tty", "systemctl daemon-reload",
        "systemctl enable pulsegate.service",
    ]

    func testSystem_writesItsFiles_thenStartsTheService() throws {
        let machine = try Machine()
        var installer = machine.installer()
        try installer.install()
        XCTAssertEqual(try machine.files(), Self.systemFiles)
        XCTAssertEqual(
            machine.takeCommands(), Self.systemCommands + ["systemctl restart pulsegate.service"])
        let unit = try machine.text("/etc/systemd/system/pulsegate.service")
        XCTAssertTrue(unit.contains("\nExecStart=/usr/local/bin/pulsegate run\n"), unit)
        let output = machine.takeOutput()
        for path in Self.systemFiles.keys { XCTAssertTrue(output.contains("create: /\(path)")) }
        for command in Self.systemCommands { XCTAssertTrue(output.contains("run: \(command)")) }
    }

    func testSecondCall_changesNothing_andDoesNotRestart() throws {
        let machine = try Machine()
        var first = machine.installer()
        try first.install()
        let before = try machine.text("/etc/systemd/system/pulsegate.service")
        _ = (machine.takeCommands(), machine.takeOutput())
        var second = machine.installer()
        try second.install()
        XCTAssertEqual(machine.takeCommands().last, "systemctl start pulsegate.service")
        XCTAssertEqual(machine.takeOutput().count { $0.hasPrefix("unchanged: ") }, 5)
        XCTAssertEqual(try machine.text("/etc/systemd/system/pulsegate.service"), before)
    }

    func testNewVersion_replacesItsFiles_andKeepsThoseOfTheOperator() throws {
        let machine = try Machine()
        var installer = machine.installer()
        try installer.install()
        for name in Self.systemFiles.keys { try machine.folder.write(Array("x".utf8), to: name) }
        var next = machine.installer()
        try next.install()
        XCTAssertEqual(try machine.text("/etc/pulsegate/pulsegate.json5"), "x")
        XCTAssertEqual(try machine.text("/etc/udev/rules.d/70-pulsegate.rules"), "x")
        for name in ["systemd/system/pulsegate.service", "sysusers.d/pulsegate.conf"] {
            XCTAssertNotEqual(try machine.text("/etc/\(name)"), "x")
        }
        XCTAssertEqual(machine.takeCommands().last, "systemctl restart pulsegate.service")
    }

    func testDryRun_printsTheSameSteps_andChangesNothing() throws {
        let machine = try Machine()
        var dry = machine.installer(isDryRun: true, user: 1_000, hasSystemd: false)
        try dry.install()
        XCTAssertEqual(try machine.files(), [:])
        XCTAssertEqual(machine.takeCommands(), [])
        let planned = machine.takeOutput()
        var installer = machine.installer()
        try installer.install()
        XCTAssertEqual(planned, machine.takeOutput() + ["dry run: nothing was changed"])
        _ = machine.takeCommands()
        var removal = machine.installer(isDryRun: true)
        try removal.uninstall()
        XCTAssertEqual(try machine.files(), Self.systemFiles)
        XCTAssertEqual(machine.takeCommands(), [])
    }

    func testUninstall_keepsConfigurationAndData_andSaysWhere() throws {
        let machine = try Machine()
        var installer = machine.installer()
        try installer.install()
        _ = (machine.takeCommands(), machine.takeOutput())
        try machine.folder.makeFolder("var/lib/pulsegate")
        try machine.folder.write([1], to: "var/lib/pulsegate/health.sqlite")
        var removal = machine.installer()
        try removal.uninstall()
        XCTAssertEqual(
            Set(try machine.files().keys),
            ["etc/pulsegate/pulsegate.json5", "var/lib/pulsegate/health.sqlite"])
        XCTAssertEqual(
            machine.takeCommands(),
            [
                "systemctl disable --now pulsegate.service", "systemctl daemon-reload",
                "udevadm control --reload", "udevadm trigger --subsystem-match=tty",
            ])
        let last = try XCTUnwrap(machine.takeOutput().last)
        XCTAssertTrue(last.hasPrefix("kept: the data in /var/lib/pulsegate"), last)

        var again = machine.installer()
        try again.uninstall()
        XCTAssertEqual(machine.takeCommands(), [])
        XCTAssertEqual(machine.takeOutput().count { $0.hasPrefix("absent: ") }, 4)
    }

    func testUninstall_leavesChangedRulesAlone() throws {
        let machine = try Machine()
        var installer = machine.installer()
        try installer.install()
        try machine.folder.write([1], to: "etc/udev/rules.d/70-pulsegate.rules")
        var removal = machine.installer()
        try removal.uninstall()
        XCTAssertEqual(
            Set(try machine.files().keys),
            ["etc/pulsegate/pulsegate.json5", "etc/udev/rules.d/70-pulsegate.rules"])
    }

    func testUser_writesAUnitOfTheUser() throws {
        let machine = try Machine()
        var installer = machine.installer(.user, user: 1_000)
        try installer.install()
        XCTAssertEqual(
            try machine.files(),
            [
                "home/ada/.config/pulsegate/pulsegate.json5": 0o600,
                "home/ada/.config/systemd/user/pulsegate.service": 0o644,
            ])
        XCTAssertEqual(
            machine.takeCommands(),
            [
                "systemctl --user daemon-reload", "systemctl --user enable pulsegate.service",
                "systemctl --user restart pulsegate.service",
            ])
        var removal = machine.installer(.user, user: 1_000)
        try removal.uninstall()
        XCTAssertEqual(
            Array(try machine.files().keys), ["home/ada/.config/pulsegate/pulsegate.json5"])
    }

    func testFailedCommand_endsTheInstallation_andTheNextCallContinues() throws {
        let machine = try Machine()
        machine.fail("systemctl enable")
        var installer = machine.installer()
        XCTAssertThrowsError(try installer.install()) { error in
            XCTAssertTrue("\(error)".contains("`systemctl enable pulsegate.service` failed"))
        }
        machine.fail(nil)
        _ = machine.takeCommands()
        var next = machine.installer()
        try next.install()
        XCTAssertEqual(
            machine.takeCommands(), Self.systemCommands + ["systemctl start pulsegate.service"])
    }

    // MARK: Refusals

    private func assertRefusal(
        _ machine: Machine, _ installer: Installer, _ expected: String,
        line: UInt = #line
    ) {
        var installer = installer
        XCTAssertThrowsError(try installer.install(), line: line) { error in
            XCTAssertTrue("\(error)".contains(expected), "\(error)", line: line)
        }
        XCTAssertEqual(machine.takeCommands(), [], line: line)
        XCTAssertEqual(try machine.files().filter { $0.key.hasPrefix("etc") }, [:], line: line)
    }

    func testWithoutRoot_systemIsRefused_withTheCommand() throws {
        let machine = try Machine()
        assertRefusal(
            machine, machine.installer(user: 1_000),
            "run: sudo /usr/local/bin/pulsegate install --system")
        assertRefusal(machine, machine.installer(.user, user: 0), "not for root")
    }

    func testProgramThatTheServiceCannotExecute_isRefused_withTheFix() throws {
        for program in ["/home/ada/pulsegate/.build/release/pulsegate", "/root/bin/pulsegate"] {
            let machine = try Machine(program: program)
            assertRefusal(
                machine, machine.installer(program: program),
                "sudo install \(program) /usr/local/bin/ && sudo /usr/local/bin/pulsegate install")
        }
        let machine = try Machine(program: "/opt/private/pulsegate")
        chmod(machine.folder.path("opt/private"), 0o700)
        assertRefusal(
            machine, machine.installer(program: "/opt/private/pulsegate"),
            "/opt/private is not for all users")
    }

    func testPackageOrNoSystemd_isRefused() throws {
        let machine = try Machine()
        assertRefusal(machine, machine.installer(hasSystemd: false), "systemd does not run")
        try machine.folder.makeFolder("usr/lib/systemd/system")
        try machine.folder.write([], to: "usr/lib/systemd/system/pulsegate.service")
        assertRefusal(
            machine, machine.installer(),
            "belongs to a package: /usr/lib/systemd/system/pulsegate.service; start it: "
                + "`sudo systemctl enable --now pulsegate`")
        var removal = machine.installer()
        XCTAssertThrowsError(try removal.uninstall()) { error in
            let text = "\(error)"
            XCTAssertTrue(text.hasSuffix("remove that: `sudo apt-get remove pulsegate`"), text)
        }
    }
}
