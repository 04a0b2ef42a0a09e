import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import Serial
import XCTest

/// A gateway that is told to read its configuration again.
final class ReloadTests: XCTestCase {
    private static let sinks = "sinks: { store: \"sqlite\", lines: \"stdout\" }"

    private func source(_ name: String, _ port: PseudoTerminal, _ preset: String = "steps")
        -> String
    {
        """
        \(name): { use: "serial", port: { path: "\(port.slavePath)" },
          protocol: { use: "lines", preset: "\(preset)" } }
        """
    }

    private func stop(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testUnchangedSource_keepsItsLink_andAChangedOneRestarts() async throws {
        let home = try Home()
        let (left, right, new) = (
            try PseudoTerminal(), try PseudoTerminal(), try PseudoTerminal()
        )
        try home.configure(
            "{ sources: { \(source("left", left)), \(source("right", right)) }, \(Self.sinks) }")
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "left: connected", on: .error)
        try await gateway.waitForLines(with: "right: connected", on: .error)
        try left.write(Array("Steps: 1\n".utf8))

        try home.configure(
            "{ sources: { \(source("left", left)), \(source("new", new)) }, \(Self.sinks) }")
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "new: connected", on: .error)
        try await gateway.waitForLines(with: "reloaded", on: .error)
        let reloaded = await gateway.lines(of: .error, with: "reloaded")
        XCTAssertTrue(
            reloaded.joined().contains(#"sources="left unchanged, new added, right removed""#),
            "\(reloaded)")
        // The total before the reload was the baseline: the link and its counter went on.
        try left.write(Array("Steps: 3\n".utf8))
        try await gateway.waitForLines(with: "stepCount", on: .output)
        try await stop(gateway)

        let steps = try await home.samples(of: .stepCount)
        XCTAssertEqual(steps.map(\.quantity.value), [2])
        let connections = await gateway.lines(of: .error, with: "left: connected")
        XCTAssertEqual(connections.count, 1)
        XCTAssertEqual(try home.ledger().imbalances, [])
    }

    func testBadConfiguration_changesNothing_andIsReported() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let good = "{ sources: { \(source("foot", port)) }, \(Self.sinks) }"
        try home.configure(good)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        var count = 0
        for (bad, reason) in [
            ("{ sources: { foot: { use: \"seriall\" } } }", "sources.foot.use"),
            ("{ sources: ", "line 1"),
            ("{ sources: {}, \(Self.sinks) }", "nothing to read"),
            (
                "{ dataDirectory: \"/tmp/elsewhere\", sources: { \(source("foot", port)) }, \(Self.sinks) }",
                "dataDirectory changed; restart the gateway"
            ),
            (
                "{ journal: { durability: \"powerLoss\" }, sources: { \(source("foot", port)) }, "
                    + "\(Self.sinks) }", "journal changed; restart the gateway"
            ),
        ] {
            try home.configure(bad)
            await gateway.send(SIGHUP)
            count += 1
            try await gateway.waitForLines(count, with: "reload failed", on: .error)
            let lines = await gateway.lines(of: .error, with: "reload failed")
            XCTAssertTrue(lines.last?.contains(reason) ?? false, "\(lines.last ?? "")")
        }
        try port.write(Array("Steps: 1\nSteps: 2\n".utf8))
        try await gateway.waitForLines(with: "stepCount", on: .output)
        let disconnections = await gateway.lines(of: .error, with: "disconnected")
        XCTAssertEqual(disconnections.count, 0)
        // Whoever looks after it still learns how it is doing.
        try home.configure("{ sources: ")
        let status = try await home.run("status", "--json")
        XCTAssertEqual(status.ending, .exited(0), status.error)
        XCTAssertTrue(status.output.contains(#""healthy":true"#), status.output)
        XCTAssertTrue(status.error.contains("line 1"), status.error)
        try await stop(gateway)
    }

    func testSinks_areAddedAndRemoved_andAnUnchangedOneKeepsItsCursor() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        func configuration(_ sinks: String) -> String {
            "{ sources: { \(source("foot", port)) }, sinks: { lines: \"stdout\", \(sinks) } }"
        }
        try home.configure(configuration("a: { use: \"sqlite\", path: \"a.sqlite\" }"))
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try port.write(Array("Steps: 1\nSteps: 2\n".utf8))
        try await gateway.waitForLines(1, with: "stepCount", on: .output)

        try home.configure(
            configuration(
                "a: { use: \"sqlite\", path: \"a.sqlite\" }, "
                    + "b: { use: \"sqlite\", path: \"b.sqlite\" }"))
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "b added", on: .error)
        try port.write(Array("Steps: 3\n".utf8))
        try await gateway.waitForLines(2, with: "stepCount", on: .output)

        try home.configure(configuration("b: { use: \"sqlite\", path: \"b.sqlite\" }"))
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "a removed", on: .error)
        try await gateway.waitUntilClosed("\(home.dataDirectory)/a.sqlite")
        try port.write(Array("Steps: 4\n".utf8))
        try await gateway.waitForLines(3, with: "stepCount", on: .output)
        try await stop(gateway)

        let a = try await Home.samples(of: .stepCount, inStoreAt: "\(home.dataDirectory)/a.sqlite")
        let b = try await Home.samples(of: .stepCount, inStoreAt: "\(home.dataDirectory)/b.sqlite")
        XCTAssertEqual(a.count, 2)
        XCTAssertEqual(b.count, 2)
        XCTAssertEqual(try home.ledger().imbalances, [])
    }

    /// A sink that holds is asked once a minute; this test would take as long.
    func testTokenThatWasFixed_isUsedAfterAReload() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let server = try ScriptedHTTPServer { _, request in
            let isKnown = request["Authorization"] == "Bearer right"
            return .answer(ScriptedAnswer(status: isKnown ? 204 : 401))
        }
        func write(_ token: String) throws {
            try home.folder.write(Array(token.utf8), to: "token")
            XCTAssertEqual(chmod(home.folder.path("token"), 0o600), 0)
        }
        try write("wrong")
        try home.configure(
            """
            { sources: { \(source("foot", port)) }, sinks: {
              repo: { use: "http", url: "\(server.url("/"))",
                token: { file: "\(home.folder.path("token"))" } } } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "status 401", on: .error)
        let waiting = try await home.run("status", "--json")
        XCTAssertTrue(waiting.output.contains("retryInSeconds"), waiting.output)
        try write("right")
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "recovered", on: .error)
        try await stop(gateway)
        XCTAssertEqual(try home.ledger().pending(for: "repo"), 0)
    }

    func testSinkThatIsRemoved_orChangesItsPlugin_isReported() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        func configure(_ sinks: String) throws {
            try home.configure(
                "{ sources: { \(source("foot", port)) }, sinks: { lines: \"stdout\", \(sinks) } }")
        }
        let away = #"use: "http", url: "http://127.0.0.1:1/""#
        try configure("repo: { \(away) }")
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try port.write(Array("Steps: 1\nSteps: 2\n".utf8))
        try await gateway.waitForLines(with: "stepCount", on: .output)

        // While it runs the gateway is asked, and after that its journal.
        for isRunning in [true, false] {
            try configure("other: { \(away), previousName: \"nosuch\" }")
            let check = try await home.run("check")
            XCTAssertTrue(check.output.contains("records are pending for `repo`"), check.output)
            XCTAssertTrue(check.output.contains("unknown sink `nosuch`"), check.output)
            try configure("other: { \(away), previousName: \"repo\" }")
            let renamed = try await home.run("check")
            XCTAssertFalse(renamed.output.contains("note:"), renamed.output)
            if isRunning {
                try configure(#"repo: { use: "sqlite", path: "a.sqlite" }"#)
                await gateway.send(SIGHUP)
                try await gateway.waitForLines(with: "uses another plugin", on: .error)
                try configure("repo: { \(away) }")
                await gateway.send(SIGHUP)
                try await gateway.waitForLines(2, with: "uses another plugin", on: .error)
                try port.write(Array("Steps: 3\n".utf8))
                try await gateway.waitForLines(2, with: "stepCount", on: .output)
                try await stop(gateway)
            }
        }
    }

    func testAdoptAndForget_reachTheRunningGatewayImmediately() async throws {
        let home = try Home()
        try home.configure("{ \(Self.sinks) }")
        let (old, new) = (try PseudoTerminal(), try PseudoTerminal())
        let steps = #"{ use: "lines", preset: "steps" }"#
        _ = try await home.run("adopt", old.slavePath, "--protocol", steps)
        let gateway = try home.start("run")
        try await gateway.waitForLines(1, with: ": connected", on: .error)

        let named = try await home.run("adopt", old.slavePath, "--name", "second")
        XCTAssertTrue(named.error.contains("has applied this"), named.error)
        let list = try await home.run("status", "--json")
        XCTAssertTrue(list.output.contains(#""name":"second""#), list.output)
        let adopted = try await home.run("adopt", new.slavePath, "--protocol", steps)
        XCTAssertTrue(adopted.error.contains("has applied this"), adopted.error)
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        // The last device that was adopted is let go too: then there is nothing to read.
        for port in [new, old] {
            let forgotten = try await home.run("forget", port.slavePath)
            XCTAssertTrue(forgotten.error.contains("has applied this"), forgotten.error)
        }
        try await gateway.waitForLines(2, with: ": disconnected", on: .error)
        let status = try await home.run("status", "--json")
        XCTAssertTrue(status.output.contains(#""devices":[]"#), status.output)
        try await stop(gateway)
        XCTAssertEqual(try home.ledger().imbalances, [])
    }
}
