import Foundation
import XCTest

@testable import Doctor

/// The commands of fixes with paths that a shell would take apart or run.
final class FixPathTests: XCTestCase {
    private static let path = "/tmp/it's $(touch x) `y` \"z\";&|*/pulsegate"

    private var findings: [Finding] {
        var permissions = PermissionFacts()
        permissions.openDirectory = Self.path
        permissions.openSecrets = [Self.path]
        permissions.writableConfiguration = Self.path
        permissions.readableConfiguration = Self.path
        var storage = StorageFacts()
        storage.path = Self.path
        storage.freeBytes = 0
        storage.isOfAnotherUser = true
        storage.owner = "ada"
        storage.serviceDirectory = (Self.path, "pulsegate")
        let sink = SinkFacts(name: "x", outcome: .damaged(path: Self.path, reason: "it is"))
        return permissions.findings + storage.findings + sink.findings
    }

    func testEveryCommand_hasThePathAsOneWord() throws {
        XCTAssertEqual(findings.count, 8)
        for finding in findings {
            let command = try XCTUnwrap(finding.fix.command)
            let words = try words(of: command)
            let isWhole = words.contains { $0 == Self.path || $0 == "STATE_DIRECTORY=\(Self.path)" }
            XCTAssertTrue(isWhole, "\(finding.kind): \(command): \(words)")
        }
    }

    /// The words that the shell gives to the programs of a command.
    private func words(of command: String) throws -> [String] {
        let programs = ["chmod", "sudo", "df", "mkdir", "mv"].map {
            "\($0)() { printf '%s\\n' \"$@\"; }\n"
        }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", programs.joined() + command]
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, command)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
