import Foundation
import GatewayTesting
import Glibc
import Serial
import XCTest

/// Other users, and root, beside the data of a service.
extension AccessCommandTests {
    func testOtherUser_managesDevicesAndPeopleThatTheOwnerGrants() async throws {
        let other = try otherUser()
        let home = try makeHome()
        let port = try PseudoTerminal()
        try configure(home, port)
        func ask(_ words: String...) async throws -> Home.Outcome {
            try await home.run(words, prefix: other)
        }
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let strap = "D0:11:22:33:44:55"
        let first = try await ask("adopt", strap)
        guard first.ending != .exited(127), first.ending != .exited(126) else {
            throw XCTSkip("another user cannot run the built command")
        }
        XCTAssertEqual(first.ending, .exited(1), first.error)
        XCTAssertTrue(
            first.error.contains("`pulsegate access request --manage devices`"), first.error)
        let devices = try await ask("devices", "--for", "0.1", "--format", "csv")
        XCTAssertTrue(devices.error.contains("`pulsegate status` shows it"), devices.error)
        XCTAssertFalse(devices.error.contains("Permission denied"), devices.error)
        XCTAssertTrue(devices.output.hasPrefix("kind,"), devices.output)
        let all = try await ask("access", "request", "--read", "all")
        XCTAssertTrue(all.error.contains("--read: name each type"), all.error)
        let request = try await ask("access", "request", "--manage", "devices,people")
        XCTAssertEqual(
            request.output, "read: nothing\nshare: nothing\nmanage: undecided devices, people\n")
        XCTAssertTrue(
            request.error.contains(
                "`sudo pulsegate access grant nobody:pulsegate --manage devices,people`"),
            request.error)

        let grant = try await home.run("access", "grant", "nobody:pulsegate", "--manage", "devices")
        XCTAssertTrue(grant.output.contains("manage: granted devices"), grant.output)
        let adopted = try await ask("adopt", strap, "--name", "Left")
        XCTAssertEqual(adopted.output, "adopted \(strap): name Left\n", adopted.error)
        let program = try await ask(
            "adopt", port.slavePath, "--protocol", #"{ use: "exec", command: ["/bin/true"] }"#)
        XCTAssertEqual(program.ending, .exited(1))
        XCTAssertTrue(
            program.error.contains("only the gateway's user may adopt a device whose"),
            program.error)
        let terminal = try await ask("adopt", "/dev/pts/1", "--protocol", "hxm")
        XCTAssertEqual(terminal.ending, .exited(1))
        XCTAssertTrue(
            terminal.error.contains("only the gateway's user may adopt this path"), terminal.error)
        let undecided = try await ask("people", "list")
        XCTAssertTrue(undecided.error.contains("--manage people"), undecided.error)

        _ = try await home.run("access", "grant", "nobody:pulsegate", "--manage", "all")
        let set = try await ask("people", "set", "ada", "--birth-date", "1986-02-14")
        XCTAssertEqual(set.output, "ada: set\n", set.error)
        for owner in [true, false] {
            let words = ["people", "list", "--format", "csv"]
            let list = try await home.run(words, prefix: owner ? [] : other)
            XCTAssertTrue(list.output.contains("ada,1986-02-14,"), list.output + list.error)
        }
        _ = try await ask("people", "default", "ada")
        let standard = try await ask("people", "default")
        XCTAssertEqual(standard.output, "ada\n", standard.error)

        let forgotten = try await ask("forget", strap)
        XCTAssertEqual(forgotten.output, "\(strap) is no longer adopted\n", forgotten.error)
        _ = try await home.run("access", "revoke", "nobody:pulsegate")
        let after = try await ask("people", "show", "ada")
        XCTAssertEqual(after.ending, .exited(1))
        XCTAssertTrue(after.error.contains("it was denied to"), after.error)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testRoot_writesAsTheUserOfTheData_soThatTheirGatewayCanReadIt() async throws {
        let other = try otherUser()
        let home = try makeHome()
        try FileManager.default.createDirectory(
            atPath: home.dataDirectory, withIntermediateDirectories: true)
        chmod(home.dataDirectory, 0o700)
        XCTAssertEqual(chown(home.dataDirectory, Home.nobody, 0), 0)
        for path in ["", "config", "config/pulsegate", "data"] {
            chmod(home.folder.path(path), 0o755)
        }
        for words in [
            ["people", "set", "ada", "--sex", "female"], ["adopt", "D0:11:22:33:44:55"],
            ["adopt", "D0:11:22:33:44:66"], ["forget", "D0:11:22:33:44:66"],
            ["people", "set", "eve"], ["people", "remove", "eve"],
            ["add", "bodyMass", "70", "kg", "--person", "ada"],
            ["access", "grant", "1:a", "--read", "all"], ["secret", "set", "token", "--random"],
            ["secret", "remove", "token"], ["check"],
        ] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(0), "\(words) \(outcome.error)")
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: home.dataDirectory)
        XCTAssertTrue(names.contains("people.json"), "\(names)")
        for name in names {
            var status = stat()
            XCTAssertEqual(lstat("\(home.dataDirectory)/\(name)", &status), 0)
            XCTAssertEqual(status.st_uid, Home.nobody, name)
        }
        let time = "2026-11-21T07:00:00Z"
        let records =
            #"{"type":"bodyMass","value":71,"unit":"kg","start":"\#(time)","end":"\#(time)"}"#
        let file = try home.folder.write(Array(records.utf8), to: "own.ndjson")
        chmod(file, 0o600)
        let refused = try await home.run("import", file, "--person", "ada")
        XCTAssertEqual(refused.ending, .exited(1), refused.output)
        XCTAssertTrue(
            refused.error.contains("`sudo install -o nobody -m 600 \(file) /var/tmp/`"),
            refused.error)
        XCTAssertEqual(chown(file, Home.nobody, 0), 0)
        let imported = try await home.run("import", file, "--person", "ada")
        XCTAssertEqual(imported.ending, .exited(0), imported.error)
        let query = try await home.run(["query", "bodyMass", "--format", "csv"], prefix: other)
        XCTAssertTrue(query.output.contains(",70,"), query.output + query.error)
    }

    func testRoot_restoresAFileThatOnlyRootCanRead_asTheUserOfTheData() async throws {
        _ = try otherUser()
        let home = try makeHome()
        _ = try await home.run("people", "set", "ada", "--sex", "female")
        let backup = home.folder.path("own.tar")
        let written = try await home.run("backup", backup)
        XCTAssertEqual(written.ending, .exited(0), written.error)
        try FileManager.default.removeItem(atPath: home.dataDirectory)
        try FileManager.default.createDirectory(
            atPath: home.dataDirectory, withIntermediateDirectories: true)
        chmod(home.dataDirectory, 0o700)
        XCTAssertEqual(chown(home.dataDirectory, Home.nobody, 0), 0)
        for path in ["", "config", "data"] { chmod(home.folder.path(path), 0o755) }
        let restored = try await home.run("restore", backup)
        XCTAssertEqual(restored.ending, .exited(0), restored.error)
        var status = stat()
        XCTAssertEqual(lstat("\(home.dataDirectory)/people.json", &status), 0)
        XCTAssertEqual(status.st_uid, Home.nobody)
        let stopped = try await home.run("status")
        XCTAssertTrue(
            stopped.error.contains("start its service: `sudo systemctl start pulsegate`"),
            stopped.error)
    }

    func testOtherUser_isToldHowToUseTheDataOfAService() async throws {
        let other = try otherUser()
        let home = try makeHome()
        try FileManager.default.createDirectory(
            atPath: home.dataDirectory, withIntermediateDirectories: true)
        try home.folder.write(Array("{}".utf8), to: "data/pulsegate/devices.json")
        chmod(home.dataDirectory, 0o700)
        XCTAssertEqual(chown(home.dataDirectory, 4_711, 0), 0)
        for path in ["", "config", "config/pulsegate", "data"] {
            chmod(home.folder.path(path), 0o755)
        }
        for words in [
            ["run"], ["search", "x"], ["access", "list"], ["secret", "list"], ["edit", "x"],
        ] {
            let outcome = try await home.run(words, prefix: other)
            XCTAssertTrue(
                outcome.error.contains(
                    "belongs to user 4711; run this command as root: `sudo pulsegate …`"),
                "\(words) \(outcome.error)")
        }
        let devices = try await home.run(["devices", "--for", "0.1"], prefix: other)
        XCTAssertTrue(devices.error.contains("`pulsegate status` shows it"), devices.error)
        XCTAssertTrue(devices.output.contains("PORT") || devices.output.contains("no "))
    }

    func testOtherUser_simulatesWithTheConfigurationOfAService() async throws {
        let other = try otherUser()
        var home = try makeHome()
        let data = home.dataDirectory
        try home.configure(#"{ dataDirectory: "\#(data)" }"#)
        for path in ["config", "config/pulsegate"] {
            XCTAssertEqual(chmod(home.folder.path(path), 0o755), 0)
        }
        XCTAssertEqual(chmod(home.configurationPath, 0o644), 0)
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        XCTAssertEqual(chmod(data, 0o700), 0)
        XCTAssertEqual(chown(data, 4_711, 0), 0)
        home.environment["XDG_DATA_HOME"] = try home.folder.makeFolder("own")
        XCTAssertEqual(chown(home.folder.path("own"), Home.nobody, 0), 0)

        let check = try await home.run(["check"], prefix: other)
        guard check.ending != .exited(127), check.ending != .exited(126) else {
            throw XCTSkip("another user cannot run the built command")
        }
        XCTAssertTrue(
            check.error.contains("belongs to user 4711; run this command as that user: `sudo"),
            check.error)
        let run = try await home.run(["run", "--simulate", "--for", "4"], prefix: other)
        XCTAssertEqual(run.ending, .exited(0), run.error)
        let query = try await home.run(["query", "heartRate", "--simulate"], prefix: other)
        XCTAssertTrue(query.output.contains("count/min"), query.output + query.error)
        let left = try FileManager.default.contentsOfDirectory(atPath: data)
        XCTAssertEqual(left, [])
    }
}
