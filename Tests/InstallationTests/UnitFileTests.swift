import Foundation
import GatewayTesting
import Glibc
import HealthModel
import JSON
import XCTest

@testable import GatewayCore
@testable import Installation

/// Tests of the files of the service with the tools that read them.
final class UnitFileTests: XCTestCase {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a tool; skips the test where it is missing.
    private func run(
        _ words: [String], in folder: TemporaryFolder
    ) async throws -> (status: RunningCommand.Ending, text: String) {
        guard FileManager.default.isExecutableFile(atPath: words[0]) else {
            throw XCTSkip("needs \(words[0]) of systemd")
        }
        let command = try RunningCommand(
            words, in: folder,
            environment: ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path],
            output: .pipe)
        let ending = try await command.waitForEnd()
        return (ending, await command.text(of: .output) + command.text(of: .error))
    }

    private func write(_ unit: String, in folder: TemporaryFolder) throws -> String {
        let text = InstallationFiles.unit(unit, running: "/bin/true")
        return try folder.write(Array(text.utf8), to: "pulsegate.service")
    }

    func testUnits_passSystemdAnalyzeVerify() async throws {
        for (unit, words) in [
            (InstallationFiles.systemUnit, []), (InstallationFiles.userUnit, ["--user"]),
        ] {
            let folder = try TemporaryFolder()
            let path = try write(unit, in: folder)
            // The manual page is there only when it has been installed.
            let outcome = try await run(
                ["/usr/bin/systemd-analyze"] + words + ["verify", "--man=no", path], in: folder)
            XCTAssertEqual(outcome.status, .exited(0), outcome.text)
            XCTAssertEqual(outcome.text, "")
        }
    }

    func testSystemUnit_hasAnExposureOfAtMostTwo_andTheManualExplainsTheRest() async throws {
        let folder = try TemporaryFolder()
        let path = try write(InstallationFiles.systemUnit, in: folder)
        let outcome = try await run(
            ["/usr/bin/systemd-analyze", "security", "--offline=true", "--threshold=20", path],
            in: folder)
        XCTAssertEqual(outcome.status, .exited(0), outcome.text)
        let manual = try String(
            contentsOf: Self.root.appendingPathComponent(
                "Sources/pulsegate/Manual/installation.md"), encoding: .utf8)
        let left = outcome.text.split(separator: "\n").filter { $0.contains("✗") }
            .compactMap { $0.split(separator: " ").first { $0.contains("=") } }
        XCTAssertGreaterThan(left.count, 3, outcome.text)
        for name in left {
            let family = name.split(separator: "~").dropFirst().first
            let word = family.map { $0.prefix { $0 != "(" } } ?? name.prefix { $0 != "=" } + "="
            XCTAssertTrue(manual.contains("`\(word)") || manual.contains("~\(word)`"), "\(name)")
        }
    }

    /// systemd looks up the name of a driver when the service starts, and denies the device of a driver
    /// that is loaded later.
    func testSystemUnit_allowsDevicesByNumber() {
        let rules = InstallationFiles.systemUnit.split(separator: "\n")
            .filter { $0.hasPrefix("DeviceAllow=") }
        XCTAssertEqual(
            rules, [4, 166, 188, 204, 216].map { "DeviceAllow=char-\($0) rw" })
    }

    func testUsersAndPermissions_areMadeBySystemd() async throws {
        guard getuid() == 0 else { throw XCTSkip("needs root") }
        let folder = try TemporaryFolder()
        for name in ["etc/sysusers.d", "etc/tmpfiles.d", "etc/pulsegate"] {
            try folder.makeFolder(name)
        }
        let users = try folder.write(
            Array(InstallationFiles.users.utf8), to: "etc/sysusers.d/pulsegate.conf")
        let permissions = try folder.write(
            Array(InstallationFiles.permissions.utf8), to: "etc/tmpfiles.d/pulsegate.conf")
        try folder.write(Array("{}".utf8), to: "etc/pulsegate/pulsegate.json5")
        let made = try await run(
            ["/usr/bin/systemd-sysusers", "--root=\(folder.path)", users], in: folder)
        XCTAssertEqual(made.status, .exited(0), made.text)
        let passwd = try String(contentsOfFile: folder.path("etc/passwd"), encoding: .utf8)
        XCTAssertTrue(passwd.contains(":/var/lib/pulsegate:"), passwd)
        let groups = try String(contentsOfFile: folder.path("etc/group"), encoding: .utf8)
        for group in ["dialout", "bluetooth"] {
            let line = groups.split(separator: "\n").first { $0.hasPrefix("\(group):") }
            XCTAssertEqual(line?.hasSuffix(":pulsegate"), true, groups)
        }
        let changed = try await run(
            ["/usr/bin/systemd-tmpfiles", "--create", "--root=\(folder.path)", permissions],
            in: folder)
        XCTAssertEqual(changed.status, .exited(0), changed.text)
        let modes = try folder.permissions()
        XCTAssertEqual(modes["etc/pulsegate"], 0o750)
        XCTAssertEqual(modes["etc/pulsegate/pulsegate.json5"], 0o640)
    }

    func testPortRules_areThoseOfTheRepository() throws {
        let rules = Self.root.appendingPathComponent("udev-rules/70-pulsegate.rules")
        XCTAssertEqual(
            InstallationFiles.portRules, try String(contentsOf: rules, encoding: .utf8),
            "copy udev-rules/70-pulsegate.rules to Sources/Installation/Files/serial-ports.rules")
    }

    func testExamples_areValidConfigurations_alsoWithoutTheirComments() throws {
        let open = InstallationFiles.example.split(separator: "\n").map { line in
            let text = line.drop { $0 == " " || $0 == "/" }
            let isSetting =
                line.hasPrefix("  // ")
                && (line.hasPrefix("  //  ") || text.first == "}"
                    || text.prefix { $0.isLetter }.endIndex < text.endIndex
                        && text[text.prefix { $0.isLetter }.endIndex] == ":")
            return isSetting ? String(line.dropFirst(5)) : String(line)
        }.joined(separator: "\n")
        for text in [InstallationFiles.example, InstallationFiles.systemExample, open] {
            let root = try ConfigurationNode(json5: text, types: .standard)
            _ = try GatewayConfiguration(root)
        }
        let configuration = try GatewayConfiguration(
            ConfigurationNode(json5: InstallationFiles.systemExample, types: .standard))
        XCTAssertEqual(configuration.dataDirectory, "/var/lib/pulsegate")
        let all = try GatewayConfiguration(ConfigurationNode(json5: open, types: .standard))
        XCTAssertEqual(all.sinks?.count, 2)
        XCTAssertEqual(all.sources?.count, 1)
    }

    func testUnit_quotesThePathOfTheProgram() {
        for (path, word) in [
            ("/opt/p/pulsegate", "/opt/p/pulsegate"), ("/opt/a b/p", "\"/opt/a b/p\""),
            ("/opt/50%/p", "/opt/50%%/p"), ("/opt/$x/p", "/opt/$$x/p"),
            ("/opt/\"q\"/p", "\"/opt/\\\"q\\\"/p\""),
        ] {
            let unit = InstallationFiles.unit(InstallationFiles.userUnit, running: path)
            XCTAssertTrue(unit.contains("\nExecStart=\(word) run\n"), path)
        }
    }
}
