import Foundation
import GatewayTesting
import XCTest

/// The rules that are shipped: how they are written, and what udev makes of them.
final class UdevRulesTests: XCTestCase {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let rules = root.appendingPathComponent("udev-rules/70-pulsegate.rules")
    private static let udevadm = "/usr/bin/udevadm"
    private static let mountFailed: Int32 = 99

    func testRules_areWellWritten() throws {
        let text = try String(contentsOf: Self.rules, encoding: .utf8)
        let lint = UdevRulesLint(name: Self.rules.lastPathComponent, text: text)
        XCTAssertEqual(lint.findings, [])
    }

    func testLint_findsWhatWouldBeReadWithoutAWord() {
        let mistakes: [(name: String, text: String)] = [
            ("99-a.rules", #"TAG+="uaccess""#),
            ("60-a.rules", #"TAG+="uaccess""#),
            ("70-a.rules", #"ENV{ID_VENDOR_ID}==“10c4”, TAG+="uaccess""#),
            ("70-a.rules", #"SUBSYTEM=="tty", TAG+="uaccess""#),
            ("70-a.rules", #"GROUP=="dialout""#),
            ("70-a.rules", #"KERNEL="ttyUSB0""#),
            ("70-a.rules", #"ENV{ID_VENDOR_ID}=="10C4", TAG+="uaccess""#),
            ("70-a.rules", #"ATTRS{idVendor}=="10c4", ATTRS{bInterfaceNumber}=="00", MODE="0660""#),
            ("70-a.rules", #"SUBSYSTEM=="tty" MODE="0660""#),
            ("70-a.rules", #"GOTO="end""#),
            ("70-a.rules", "LABEL=\"end\"\nGOTO=\"end\""),
        ]
        for (name, text) in mistakes {
            XCTAssertFalse(UdevRulesLint(name: name, text: text).findings.isEmpty, text)
        }
        let right = "# A comment\n\nSUBSYSTEM==\"tty\", \\\n  TAG+=\"uaccess\"\n"
        XCTAssertEqual(UdevRulesLint(name: "70-a.rules", text: right).findings, [])
    }

    func testRules_passUdevadmVerify() async throws {
        let home = try Home()
        guard FileManager.default.isExecutableFile(atPath: Self.udevadm),
            try await run(["verify", "--help"], in: home).ending == .exited(0)
        else { throw XCTSkip("needs udevadm verify, of systemd 254 or later") }
        let outcome = try await run(
            ["verify", "--resolve-names=never", Self.rules.path], in: home)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.output + outcome.error)
    }

    func testRules_giveEveryPortItsAccessAndItsNames() async throws {
        let kinds: [(vendor: String, products: [String], kind: String)] = [
            ("0fcf", ["1003", "1004", "1006", "1008", "1009"], "ant"),
            ("10c4", ["ea60", "ea70"], "cp210x"), ("0403", ["6001", "6015"], "ftdi"),
            ("1a86", ["7522", "7523", "5523"], "ch341"), ("1a86", ["55d3"], "ch343"),
            ("067b", ["2303"], "pl2303"), ("2341", ["0043", "8036"], "arduino"),
            ("303a", ["1001"], "esp32"),
        ]
        for (vendor, products, kind) in kinds {
            for product in products {
                let port = MockedPort(
                    vendor: vendor, product: product, serial: "A9", isKnownToUdev: false)
                let text = try await testOutput(of: port)
                XCTAssertEqual(
                    links(in: text),
                    [
                        "/dev/pulsegate/\(kind)-A9",
                        "/dev/pulsegate/\(kind)-pci-0000_00_14_0-usb-0_1_1_0",
                    ])
                for expected in [
                    " GROUP ", " MODE 0660", ":uaccess:", "ID_MM_PORT_IGNORE=1",
                    "run: 'uaccess'",
                ] {
                    XCTAssertTrue(
                        text.contains(expected), "\(vendor):\(product) \(expected): \(text)")
                }
            }
        }
    }

    func testRules_withoutASerialNumber_nameTheSocketOnly() async throws {
        let port = MockedPort(
            vendor: "1a86", product: "7523", serial: nil, isKnownToUdev: false)
        let text = try await testOutput(of: port)
        XCTAssertEqual(links(in: text), ["/dev/pulsegate/ch341-pci-0000_00_14_0-usb-0_1_1_0"])
    }

    func testRules_leaveOtherPortsAlone() async throws {
        let modem = MockedPort(vendor: "12d1", product: "1506", isKnownToUdev: false)
        let text = try await testOutput(of: modem)
        XCTAssertTrue(text.contains("ID_VENDOR_ID=12d1"), text)
        XCTAssertFalse(text.contains("pulsegate.rules:"), text)
        XCTAssertFalse(text.contains("ID_MM_PORT_IGNORE"), text)
    }

    // MARK: -

    /// The links of ours, in alphabetical order.
    private func links(in text: String) -> [Substring] {
        let line = text.split(separator: "\n").first { $0.hasPrefix("DEVLINKS=") } ?? ""
        return line.split { $0 == " " || $0 == "=" }.filter { $0.contains("/pulsegate/") }.sorted()
    }

    private func run(_ words: [String], in home: Home) async throws -> Home.Outcome {
        let command = try RunningCommand(
            [Self.udevadm] + words, in: home.folder, environment: home.environment, output: .pipe)
        let ending = try await command.waitForEnd()
        return Home.Outcome(
            ending: ending, output: await command.text(of: .output),
            error: await command.text(of: .error))
    }

    /// What `udevadm test` says of a port, with the machine's own rules and ours.
    ///
    /// Everything that it writes goes into a folder of this test's that lies over /run/udev.
    private func testOutput(of port: MockedPort) async throws -> String {
        let home = try Home()
        let unshare = "/usr/bin/unshare"
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: Self.udevadm),
            FileManager.default.fileExists(atPath: "/usr/lib/udev/rules.d/60-serial.rules")
        else { throw XCTSkip("needs root and udevadm with its rules: apt-get install udev") }
        let words = try MockedPort.words([port], in: home)
        try home.folder.makeFolder("udev/rules.d")
        try home.folder.write(
            Array(try Data(contentsOf: Self.rules)), to: "udev/rules.d/70-pulsegate.rules")
        let script = """
            mkdir -p /run/udev && mount --bind "$0" /run/udev || exit \(Self.mountFailed)
            exec "$@"
            """
        let all =
            [unshare, "--mount", "/bin/sh", "-c", script, home.folder.path("udev")]
            + words + [Self.udevadm, "test", "/sys\(port.path)"]
        let command = try RunningCommand(
            all, in: home.folder, environment: home.environment, output: .pipe)
        let ending = try await command.waitForEnd()
        let text = await command.text(of: .output) + command.text(of: .error)
        if ending == .exited(Self.mountFailed) || text.contains("unshare:") {
            throw XCTSkip("may not mount anything here, so udev's rules cannot be tried: \(text)")
        }
        XCTAssertEqual(ending, .exited(0), text)
        return text
    }
}
