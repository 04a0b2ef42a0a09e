import Foundation
import GatewayTesting
import Glibc
import XCTest

/// `pulsegate install` and `uninstall`, without changing this machine.
final class InstallCommandTests: XCTestCase {
    func testDryRun_printsFilesAndCommands_andChangesNothing() async throws {
        let home = try Home()
        let user = try await home.run("install", "--user", "--dry-run")
        XCTAssertEqual(user.ending, .exited(0), user.error)
        let unit = "create: \(home.folder.path("config"))/systemd/user/pulsegate.service\n"
        XCTAssertTrue(user.output.contains(unit), user.output)
        XCTAssertTrue(
            user.output.contains("run: systemctl --user enable pulsegate.service\n"), user.output)
        XCTAssertTrue(user.output.hasSuffix("dry run: nothing was changed\n"), user.output)
        let removal = try await home.run("uninstall", "--user", "--dry-run")
        XCTAssertEqual(removal.ending, .exited(0), removal.error)
        XCTAssertTrue(removal.output.contains("absent: "), removal.output)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: home.folder.path), [])
    }

    func testScope_isRequired() async throws {
        let home = try Home()
        for words in [["install"], ["uninstall"], ["install", "--system", "--user"]] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(64))
            XCTAssertTrue(outcome.error.contains("set either --system or --user"), outcome.error)
        }
    }

    func testLogFormat_isJSONOnEveryLine_orRefused() async throws {
        let home = try Home()
        try home.configure(
            #"{ sources: { foot: { use: "serial", port: { path: "/nonexistent" }, protocol: "hxm" } } }"#
        )
        let gateway = try home.start("run", "--log-format", "json")
        try await gateway.waitForLines(with: #""message":"failed; retrying""#, on: .error)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let lines = await gateway.text(of: .error).split(separator: "\n")
        XCTAssertGreaterThan(lines.count, 1)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            XCTAssertEqual(
                Set(try XCTUnwrap(object).keys),
                ["time", "level", "component", "message", "fields"])
        }
        let outcome = try await home.run("run", "--log-format", "jason")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("did you mean `json`?"), outcome.error)
    }
}
