import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import Serial
import XCTest

/// `pulsegate secret` at a terminal, in a pipe, and beside a gateway that uses the secret.
final class SecretCommandTests: XCTestCase {
    private static let value = "hunter2-s3cret"

    /// The words that give a command a file as its standard input.
    private func input(_ text: String, _ home: Home) throws -> [String] {
        let path = try home.folder.write(Array(text.utf8), to: "input")
        return ["/bin/sh", "-c", "exec \"$@\" < '\(path)'", "sh"]
    }

    private func stored(_ home: Home, _ name: String) -> String? {
        try? String(
            contentsOfFile: "\(home.dataDirectory)/secrets/\(name)", encoding: .utf8)
    }

    func testPipe_storesListsReplacesAndRemoves_withoutTheValue() async throws {
        let home = try Home()
        let first = try await home.run(
            "secret", "set", "repo", prefix: input("\(Self.value)\r\n", home))
        XCTAssertEqual(first.ending, .exited(0), first.error)
        XCTAssertEqual(first.output, "repo: stored\n")
        XCTAssertEqual(stored(home, "repo"), "\(Self.value)\n")
        let second = try await home.run("secret", "set", "repo", prefix: input("other", home))
        XCTAssertEqual(second.output, "repo: replaced\n")
        let list = try await home.run("secret", "list")
        XCTAssertTrue(list.output.contains(/repo +20[0-9-]+ [0-9:.]+/), list.output)
        XCTAssertFalse(list.output.contains("other"))
        let wrong = try await home.run("secret", "remove", "repp")
        XCTAssertEqual(wrong.ending, .exited(64))
        XCTAssertTrue(wrong.error.contains("`repo`"), wrong.error)
        let removed = try await home.run("secret", "remove", "repo")
        XCTAssertEqual(removed.output, "repo: removed\n")
        XCTAssertNil(stored(home, "repo"))
    }

    func testWrongInput_changesNothing_andIsNotRepeated() async throws {
        let home = try Home()
        _ = try await home.run("secret", "set", "repo", prefix: input("kept", home))
        let wrong = [
            "", "\n", "\(Self.value)\nmore", " \(Self.value)", "\(Self.value)\0",
            String(repeating: Self.value, count: 400),
            String(repeating: Self.value, count: 1_000_000),
        ]
        for text in wrong {
            let outcome = try await home.run("secret", "set", "repo", prefix: input(text, home))
            XCTAssertEqual(outcome.ending, .exited(64), outcome.error)
            XCTAssertFalse(outcome.error.contains(Self.value), outcome.error)
            XCTAssertEqual(stored(home, "repo"), "kept\n")
        }
        let argument = try await home.run("secret", "set", "repo", Self.value)
        XCTAssertEqual(argument.ending, .exited(64))
        XCTAssertFalse(argument.error.contains(Self.value), argument.error)
        for name in ["../x", "", ".x", "a b", String(repeating: "a", count: 65)] {
            let outcome = try await home.run("secret", "set", name, prefix: input("x", home))
            XCTAssertEqual(outcome.ending, .exited(64), name)
        }
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: "\(home.dataDirectory)/secrets"),
            ["repo"])
    }

    func testTerminal_doesNotShowTheSecret_andControlCRestoresTheTerminal() async throws {
        let home = try Home()
        let pane = try await TerminalPane(home, columns: 100, rows: 20)
        try await pane.run("pulsegate secret set repo")
        try await pane.waitForText("not shown")
        // A mistake is corrected with Backspace.
        try await pane.type("\(Self.value)x")
        try await pane.press("BSpace")
        try await pane.press("Enter")
        let screen = try await pane.waitForText("repo: stored")
        XCTAssertFalse(screen.joined().contains("hunter2"), "\(screen)")
        XCTAssertEqual(stored(home, "repo"), "\(Self.value)\n")

        try await pane.run("pulsegate secret set other")
        try await pane.waitForText("secret other (not shown)")
        try await pane.type("another")
        try await pane.press("C-c")
        try await pane.waitForText("cancelled; nothing has changed")
        XCTAssertNil(stored(home, "other"))
        // The terminal shows what is typed again.
        try await pane.waitForPrompt()
        try await pane.type("echo visible")
        try await pane.waitForText("echo visible")
    }

    func testSignal_atThePrompt_restoresTheTerminal() async throws {
        let home = try Home()
        let pane = try await TerminalPane(home, columns: 100, rows: 40)
        let file = home.folder.path("process")
        for (number, name) in [(SIGTERM, "TERM"), (SIGINT, "INT"), (SIGHUP, "HUP")] {
            try await pane.run(
                "sh -c 'echo $$ > \(file); exec pulsegate secret set \(name)'")
            try await pane.waitForText("secret \(name) (not shown)")
            try await pane.type(Self.value)
            let process = try String(contentsOfFile: file, encoding: .utf8)
            let identifier = try XCTUnwrap(pid_t(process.trimmingCharacters(in: .newlines)))
            XCTAssertEqual(kill(identifier, number), 0)
            // The status tells the shell which signal it was.
            try await pane.run("echo status $?")
            try await pane.waitForText("status \(128 + number)")
            try await pane.waitForPrompt()
            try await pane.type("echo after \(name)")
            let screen = try await pane.waitForText("echo after \(name)")
            XCTAssertFalse(screen.joined().contains("hunter2"), "\(screen)")
            XCTAssertNil(stored(home, name))
            try await pane.press("Enter")
        }
    }

    func testGateway_usesTheSecret_andAReplacedOneAtOnce() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let server = try ScriptedHTTPServer { _, request in
            .answer(
                ScriptedAnswer(
                    status: request["Authorization"] == "Bearer \(Self.value)" ? 204 : 500))
        }
        try server.start()
        defer { server.stop() }
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite", repository: { use: "http", url: "\(server.url())",
                token: { secret: "repo" } } } }
            """)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78))
        XCTAssertTrue(
            check.error.contains(
                "sinks.repository.token.secret: there is no secret repo; "
                    + "set it: `pulsegate secret set repo`"), check.error)

        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try port.write(Array("Steps: 1\nSteps: 3\n".utf8))
        try await gateway.waitForLines(with: "pulsegate secret set repo", on: .error)
        let set = try await home.run(
            "secret", "set", "repo", prefix: input("first-\(Self.value)", home))
        XCTAssertTrue(set.error.contains("has applied this"), set.error)
        try await server.wait { $0.requests >= 1 }
        let again = try await home.run("secret", "set", "repo", prefix: input(Self.value, home))
        XCTAssertTrue(again.error.contains("has applied this"), again.error)
        try await gateway.waitForLines(with: "repository changed", on: .error)
        var count = server.counts.requests
        while !server.requests.contains(where: { $0["Authorization"] == "Bearer \(Self.value)" }) {
            count += 1
            try await server.wait { [count] in $0.requests >= count }
        }
        let status = try await home.run("status", "--json")
        XCTAssertFalse(status.output.contains("hunter2"))
        // SIGHUP does the same, when the file was replaced by hand.
        let path = "\(home.dataDirectory)/secrets/repo"
        try home.folder.write(Array("by-hand".utf8), to: "by-hand")
        XCTAssertEqual(chmod(home.folder.path("by-hand"), 0o600), 0)
        XCTAssertEqual(rename(home.folder.path("by-hand"), path), 0)
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(3, with: "repository changed", on: .error)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("hunter2"), log)
    }
}
