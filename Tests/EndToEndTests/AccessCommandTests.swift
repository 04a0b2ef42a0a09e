import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Serial
import XCTest

/// Another user at the socket of a gateway's group, and the commands of the owner.
final class AccessCommandTests: XCTestCase {
    /// The words that run a command as another user in the group of the gateway.
    func otherUser() throws -> [String] {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        else { throw XCTSkip("needs root and setpriv") }
        return [
            "/usr/bin/setpriv", "--reuid=\(Home.nobody)", "--regid=0", "--clear-groups", "--",
        ]
    }

    /// A home whose command another user can run, and a runtime directory.
    func makeHome() throws -> Home {
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

    func configure(_ home: Home, _ port: PseudoTerminal) throws {
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
        XCTAssertEqual(
            request.output, "read: undecided stepCount\nshare: nothing\nmanage: nothing\n")
        let list = try await home.run("access", "list")
        XCTAssertTrue(
            list.output.contains(/65534:pulsegate +nobody +- +- +- +read stepCount +a wall/),
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

    func testOtherUser_controlsAWorkoutThatTheOwnerGrants() async throws {
        let other = try otherUser()
        let home = try makeHome()
        let port = try PseudoTerminal()
        try configure(home, port)
        func ask(_ words: String...) async throws -> Home.Outcome {
            try await home.run(words, prefix: other)
        }
        _ = try await home.run("people", "set", "me", "--sex", "female")
        let alone = try await ask("workout", "start", "--activity", "running")
        guard alone.ending != .exited(127), alone.ending != .exited(126) else {
            throw XCTSkip("another user cannot run the built command")
        }
        XCTAssertEqual(alone.ending, .exited(69), alone.error)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let notAsked = try await ask("workout", "start", "--activity", "running")
        XCTAssertEqual(notAsked.ending, .exited(1), notAsked.error)
        XCTAssertTrue(notAsked.error.contains("access request --read"), notAsked.error)
        _ = try await home.run("access", "grant", "nobody:pulsegate", "--read", "all")
        let readOnly = try await ask("workout", "start", "--activity", "running")
        XCTAssertTrue(readOnly.error.contains("access request --share workout"), readOnly.error)
        _ = try await home.run("access", "grant", "nobody:pulsegate", "--share", "workout")
        let started = try await ask("workout", "start", "--activity", "running")
        XCTAssertEqual(started.output, "me: running started\n", started.error)
        let status = try await ask("workout", "status")
        XCTAssertTrue(status.output.contains("running"), status.output + status.error)
        let watch = try home.start("workout", "watch", "--json", prefix: other)
        try await watch.waitForLines(with: #""live""#, on: .output)
        for (action, word) in [("pause", "paused"), ("resume", "resumed"), ("lap", "lap 2")] {
            let outcome = try await ask("workout", action)
            XCTAssertTrue(outcome.output.contains(word), outcome.output + outcome.error)
        }
        let stopped = try await ask("workout", "stop")
        XCTAssertTrue(stopped.output.contains("stopped after"), stopped.output + stopped.error)
        try await watch.waitForLines(with: #""ended""#, on: .output)
        _ = try await watch.waitForEnd(within: 10)
        let list = try await home.run("workout", "list")
        XCTAssertTrue(list.output.contains("running"), list.output)
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd(within: 10)
    }

    func testOtherUser_queriesAndAddsThroughTheGateway() async throws {
        let other = try otherUser()
        let home = try makeHome()
        let port = try PseudoTerminal()
        try configure(home, port)
        func ask(_ words: String...) async throws -> Home.Outcome {
            try await home.run(words, prefix: other)
        }
        func own(_ words: String...) async throws -> Home.Outcome {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(0), "\(words) \(outcome.error)")
            return outcome
        }
        for person in ["ada", "bartholomew"] {
            _ = try await own("people", "set", person, "--sex", "female")
        }
        _ = try await own("add", "bodyMass", "81", "kg", "--person", "ada")
        _ = try await own("add", "height", "1.8", "m", "--person", "ada")
        let alone = try await ask("query", "bodyMass")
        guard alone.ending != .exited(127), alone.ending != .exited(126) else {
            throw XCTSkip("another user cannot run the built command")
        }
        XCTAssertEqual(alone.ending, .exited(69), alone.error)
        XCTAssertTrue(
            alone.error.contains("no gateway that other users can reach"), alone.error)
        let aloneAdd = try await ask("add", "bodyMass", "80", "kg", "--person", "ada")
        XCTAssertEqual(aloneAdd.ending, .exited(69), aloneAdd.error)

        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let notAsked = try await ask("query", "bodyMass")
        XCTAssertEqual(notAsked.ending, .exited(1), notAsked.error)
        XCTAssertTrue(
            notAsked.error.contains("pulsegate access request --read bodyMass"), notAsked.error)
        _ = try await own(
            "access", "grant", "nobody:pulsegate", "--read", "bodyMass,height", "--share",
            "bodyMass")
        for format in ["table", "csv", "json", "ndjson"] {
            let query = ["query", "bodyMass", "--person", "ada", "--format", format]
            let granted = try await home.run(query, prefix: other)
            XCTAssertEqual(granted.ending, .exited(0), granted.error)
            let stored = try await home.run(query)
            XCTAssertEqual(granted.output, stored.output)
            XCTAssertTrue(granted.output.contains("81"), granted.output)
        }
        let nothing = try await ask("query", "bodyMass", "--to", "2020-01-01")
        XCTAssertEqual(nothing.ending, .exited(0))
        XCTAssertTrue(nothing.error.contains("no bodyMass samples found"), nothing.error)
        let limit = try await ask("query", "bodyMass", "--limit", "20000")
        XCTAssertEqual(limit.ending, .exited(64), limit.error)
        XCTAssertTrue(limit.error.contains("--limit"), limit.error)

        let added = try await ask("add", "bodyMass", "80", "kg", "--person", "ada")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        XCTAssertEqual(added.error, "")
        let latest = try await own("query", "bodyMass", "--latest", "--format", "ndjson")
        XCTAssertTrue(latest.output.contains(#""value":80,"#), latest.output)
        let index = try await ask("add", "bodyMassIndex", "--person", "ada")
        XCTAssertTrue(
            index.error.contains("access request --share bodyMassIndex"), index.error)
        _ = try await own("access", "grant", "nobody:pulsegate", "--share", "bodyMassIndex")
        let calculated = try await ask("add", "bodyMassIndex", "--person", "ada")
        XCTAssertTrue(calculated.output.contains("24.69"), calculated.output + calculated.error)
        let unknown = try await ask("add", "bodyMass", "80", "kg", "--person", "eve")
        XCTAssertTrue(unknown.error.contains("unknown person `eve`"), unknown.error)
        XCTAssertFalse(unknown.error.contains("bartholomew"), unknown.error)
        for words in [["statistics", "bodyMass"], ["workout", "list"]] {
            let refused = try await home.run(words, prefix: other)
            XCTAssertEqual(refused.ending, .exited(1), refused.output)
            XCTAssertTrue(refused.error.contains("belongs to another user"), refused.error)
        }

        _ = try await own("access", "revoke", "nobody:pulsegate", "--read", "bodyMass")
        let revoked = try await ask("query", "bodyMass")
        XCTAssertTrue(revoked.error.contains("it was denied"), revoked.error)
        XCTAssertEqual(revoked.output, "")
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd(within: 10)
    }

    /// A program that is a sink gets what the table does not deny, and needs no grant.
    func testProgramOfASink_getsWhatIsNotDenied() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let received = home.folder.path("received")
        let program = """
            n=0
            while read -r line; do
                n=$((n + 1)); echo "$line" >> '\(received)'; echo "{\\"ack\\":$n}"
            done
            """
        try home.folder.write(Array(program.utf8), to: "sink.sh")
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite", mine: { use: "exec", types: ["stepCount"],
                command: ["/bin/sh", "\(home.folder.path("sink.sh"))"] } } }
            """)
        func own(_ words: String...) async throws -> Home.Outcome {
            let outcome = try await home.run(["access"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), "\(words) \(outcome.error)")
            return outcome
        }
        let list = try await own("list")
        XCTAssertTrue(
            list.output.contains(/exec:-:mine +- +all +- +- +- +sink mine of the configuration/),
            list.output)

        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        var steps = 1
        func add() async throws {
            steps += 1
            let outcome = try await home.run("add", "stepCount", "\(steps)", "count")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        /// Waits until the sink has passed all records, and returns what the program has got.
        func values() async throws -> Set<String> {
            let isIdle = /"name":"mine","healthy":true,"cursor":\d+,"pending":0,/
            for attempt in 0... {
                let status = try await home.run("status", "--json")
                if status.output.contains(isIdle) { break }
                guard attempt < 300 else {
                    throw RunningCommand.Failure(description: "records wait: \(status.output)")
                }
                await gateway.letRun(seconds: 0.1)
            }
            let text = (try? String(contentsOfFile: received, encoding: .utf8)) ?? ""
            return Set(text.matches(of: /"value":(\d+),/).map { String($0.output.1) })
        }
        try await add()
        var got = try await values()
        XCTAssertEqual(got, ["2"])
        let revoked = try await own("revoke", "exec:-:mine", "--read", "stepCount")
        XCTAssertTrue(
            revoked.output.contains("read: denied stepCount; granted all others"), revoked.output)
        try await add()
        got = try await values()
        XCTAssertEqual(got, ["2"])
        _ = try await own("grant", "exec:-:mine", "--read", "stepCount")
        try await add()
        got = try await values()
        XCTAssertEqual(got, ["2", "4"])
        let nothing = try await own("revoke", "exec:-:mine")
        XCTAssertTrue(nothing.output.contains("read: denied all"), nothing.output)
        try await add()
        got = try await values()
        XCTAssertEqual(got, ["2", "4"])
        let status = try await home.run("status", "--json")
        // What was denied is filtered, as are the events that the sink does not take.
        XCTAssertTrue(
            status.output.contains(/"name":"mine",[^}]*"filtered":[1-9]\d*,"delivered":2,/),
            status.output)

        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd(within: 10)
        // A command that runs its own gateway keeps to the table.
        try await add()
        let text = try String(contentsOfFile: received, encoding: .utf8)
        XCTAssertFalse(text.contains(#""value":6,"#), text)
        _ = try await own("revoke", "exec:-:mine", "--forget")
        let again = try await own("list")
        XCTAssertTrue(again.output.contains(/exec:-:mine +- +all +-/), again.output)
        for (words, message) in [
            (["revoke", "exec:-:mien"], "there is no sink with the program exec:-:mien"),
            (["grant", "exec:-:mine", "--share", "all"], "--share: a sink stores nothing"),
            (["revoke", "exec:-:mine", "--forget"], "there is no client"),
        ] {
            let wrong = try await home.run(["access"] + words)
            XCTAssertEqual(wrong.ending, .exited(64), wrong.error)
            XCTAssertTrue(wrong.error.contains(message), wrong.error)
        }
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
              manage: nothing

            """)
        let revoke = try await home.run("access", "revoke", "1001:dash", "--share", "bodyMass")
        XCTAssertTrue(revoke.output.contains("denied bodyMass; granted all others"), revoke.output)
        let list = try await home.run("access", "list", "--json")
        XCTAssertTrue(list.output.contains(#""client":"control:1001:dash""#), list.output)
        let wrong: [([String], String)] = [
            (["grant", "dash", "--read", "all"], "alice:dashboard"),
            (["grant", "nobody-at-all:x", "--read", "all"], "unknown user"),
            (["grant", "1001:dash"], "--read, --share or --manage is required"),
            (["grant", "1001:dash", "--read", "heartRat"], "heartRate"),
            (["grant", "1001:dash", "--read", ""], "--read"),
            (
                ["grant", "1001:dash", "--share", "all,metrics"],
                "--share: `all` cannot be in a list"
            ),
            (
                ["grant", "1001:dash", "--share", "heartRate,all"],
                "--share: `all` cannot be in a list"
            ),
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
