import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Serial
import XCTest

/// Another user at the socket of a gateway's group, and the commands of the owner.
final class AccessCommandTests: XCTestCase {
    /// The words that run a command as another user in the group of the gateway.
    private func otherUser() throws -> [String] {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        else { throw XCTSkip("needs root and setpriv") }
        return [
            "/usr/bin/setpriv", "--reuid=\(Home.nobody)", "--regid=0", "--clear-groups", "--",
        ]
    }

    /// A home whose command another user can run, and a runtime directory.
    private func makeHome() throws -> Home {
        var home = try Home()
        try home.folder.makeFolder("run")
        home.environment["RUNTIME_DIRECTORY"] = home.folder.path("run")
        for path in [home.folder.path, home.folder.path("run")] {
            XCTAssertEqual(chmod(path, 0o755), 0)
        }
        return home
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    func testSocket_isPrivateInTheDataDirectory_andOfTheGroupUnderSystemd() async throws {
        for isService in [false, true] {
            let home = isService ? try makeHome() : try Home()
            let port = try PseudoTerminal()
            try configure(home, port)
            let gateway = try home.start("run")
            try await gateway.waitForLines(with: "foot: connected", on: .error)
            let socket = isService ? "run/control.sock" : "data/pulsegate/control.sock"
            XCTAssertEqual(mode(home.folder.path(socket)), isService ? 0o660 : 0o600)
            let answer = try await home.run("status")
            XCTAssertEqual(answer.ending, .exited(0), answer.error)
            await gateway.send(SIGTERM)
            _ = try await gateway.waitForEnd(within: 10)
            XCTAssertFalse(FileManager.default.fileExists(atPath: home.folder.path(socket)))
            var status = Glibc.stat()
            XCTAssertEqual(lstat("\(home.dataDirectory)/control.sock", &status), -1)
        }
    }

    private func configure(_ home: Home, _ port: PseudoTerminal) throws {
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } }, sinks: { store: "sqlite" } }
            """)
        for path in ["config", "config/pulsegate"] {
            XCTAssertEqual(chmod(home.folder.path(path), 0o755), 0)
        }
        XCTAssertEqual(chmod(home.configurationPath, 0o644), 0)
    }

    func testOtherUser_getsWhatTheOwnerGrants() async throws {
        let other = try otherUser()
        let home = try makeHome()
        let port = try PseudoTerminal()
        try configure(home, port)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)

        func ask(_ words: String...) async throws -> Home.Outcome {
            try await home.run(words, prefix: other)
        }
        let first = try await ask("tap", "--type", "stepCount")
        guard first.ending != .exited(127), first.ending != .exited(126) else {
            throw XCTSkip("another user cannot run the built command")
        }
        XCTAssertEqual(first.ending, .exited(1), first.error)
        XCTAssertTrue(
            first.error.contains("pulsegate access request --read stepCount"), first.error)
        let denied = try await ask("status")
        XCTAssertTrue(denied.error.contains("no access to read deviceEvent"), denied.error)

        let request = try await ask(
            "access", "request", "--read", "stepCount", "--purpose", "a wall")
        XCTAssertEqual(request.output, "read: undecided stepCount\nshare: nothing\n")
        let list = try await home.run("access", "list")
        XCTAssertTrue(
            list.output.contains(/65534:pulsegate +nobody +- +- +read stepCount +a wall/),
            list.output)
        let grant = try await home.run(
            "access", "grant", "nobody:pulsegate", "--read", "stepCount")
        XCTAssertEqual(grant.ending, .exited(0), grant.error)
        XCTAssertTrue(grant.output.contains("read: granted stepCount"), grant.output)
        XCTAssertTrue(grant.error.contains("has applied this"), grant.error)

        let tap = try home.start("tap", "--json", prefix: other)
        // Nobody knows when a tap has begun, until it prints.
        var steps = 1
        while await tap.lines(of: .output, with: "stepCount").isEmpty {
            guard steps < 600 else { return XCTFail("the tap prints nothing") }
            try port.write(Array("Steps: \(steps)\n".utf8))
            steps += 2
            await tap.letRun(seconds: 0.1)
        }
        let heart = try await ask("tap", "--type", "heartRate")
        XCTAssertTrue(heart.error.contains("no access to read heartRate"), heart.error)

        let revoke = try await home.run("access", "revoke", "nobody:pulsegate")
        XCTAssertTrue(revoke.output.contains("read: denied all"), revoke.output)
        let after = try await ask("tap", "--type", "stepCount")
        XCTAssertTrue(after.error.contains("it was denied to control:65534:pulsegate"), after.error)
        let adopt = try await ask("access", "request")
        XCTAssertTrue(adopt.output.contains("read: denied all"), adopt.output)
        await tap.send(SIGTERM)
        _ = try await tap.waitForEnd(within: 10)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        // The decisions stay.
        let stored = try String(
            contentsOfFile: "\(home.dataDirectory)/access.json", encoding: .utf8)
        XCTAssertTrue(stored.contains(#""others":"denied""#), stored)
        XCTAssertEqual(mode("\(home.dataDirectory)/access.json"), 0o600)
    }

    func testGrantAndRevoke_withoutAGateway_andWrongArguments() async throws {
        let home = try Home()
        let grant = try await home.run(
            "access", "grant", "1001:dash", "--read", "heartRate,bloodPressure", "--share", "all")
        XCTAssertEqual(grant.ending, .exited(0), grant.error)
        XCTAssertEqual(
            grant.output,
            """
            control:1001:dash
              read: granted bloodPressureDiastolic, bloodPressureSystolic, heartRate
              share: granted all

            """)
        let revoke = try await home.run("access", "revoke", "1001:dash", "--share", "bodyMass")
        XCTAssertTrue(revoke.output.contains("denied bodyMass; granted all others"), revoke.output)
        let list = try await home.run("access", "list", "--json")
        XCTAssertTrue(list.output.contains(#""client":"control:1001:dash""#), list.output)
        let wrong: [([String], String)] = [
            (["grant", "dash", "--read", "all"], "alice:dashboard"),
            (["grant", "nobody-at-all:x", "--read", "all"], "unknown user"),
            (["grant", "1001:dash"], "--read or --share is required"),
            (["grant", "1001:dash", "--read", "heartRat"], "heartRate"),
            (["grant", "1001:dash", "--read", ""], "--read"),
            (["grant", "1001:dash", "--read", "food"], "name each of them"),
            (["revoke", "1001:nobody", "--forget"], "there is no client"),
            (["revoke", "1001:dash", "--forget", "--read", "all"], "exclude"),
        ]
        for (words, message) in wrong {
            let outcome = try await home.run(["access"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words) \(outcome.error)")
            XCTAssertTrue(outcome.error.contains(message), "\(words) \(outcome.error)")
        }
        let forget = try await home.run("access", "revoke", "1001:dash", "--forget")
        XCTAssertEqual(forget.output, "control:1001:dash: forgotten\n")
        let empty = try await home.run("access", "list")
        XCTAssertTrue(empty.error.contains("no other user's program"), empty.error)
        try home.folder.write(Array("{".utf8), to: "data/pulsegate/access.json")
        let damaged = try await home.run("access", "list")
        XCTAssertEqual(damaged.ending, .exited(78))
        XCTAssertTrue(damaged.error.contains("access.json"), damaged.error)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78), check.error)
    }
}
