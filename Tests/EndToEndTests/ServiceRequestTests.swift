import Foundation
import GatewayTesting
import SQLite
import Serial
import XCTest

/// Requests that change devices and people, through the control socket of a running gateway.
final class ServiceRequestTests: XCTestCase {
    private static let steps = #"{"use":"lines","preset":"steps"}"#

    /// A running gateway that reads an adopted port.
    private func start(
        _ home: Home, configuration: String = "{ people: { ada: {}, bob: {} } }"
    ) async throws -> (RunningCommand, PseudoTerminal) {
        try home.configure(configuration)
        let port = try PseudoTerminal()
        _ = try await home.run("adopt", port.slavePath, "--protocol", Self.steps)
        let gateway = try home.start("run")
        try await gateway.waitForLines(1, with: ": connected", on: .error)
        return (gateway, port)
    }

    private func stop(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testAdoptAndForget_byAProgram() async throws {
        let home = try Home()
        let (gateway, old) = try await start(home)
        let new = try PseudoTerminal()
        let adopted = ControlClient.ask(
            #"{"request":"adopt","device":"\#(new.slavePath)","protocol":\#(Self.steps),"#
                + #""person":"bob"}"#, in: home.dataDirectory)
        XCTAssertTrue(adopted?.hasSuffix(#""change":"adopted","notes":[],"applied":true}"#) == true)
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        let devices = ControlClient.ask(#"{"request":"devices"}"#, in: home.dataDirectory) ?? ""
        for port in [old, new] { XCTAssertTrue(devices.contains(port.slavePath), devices) }
        let forgotten = ControlClient.ask(
            #"{"request":"forget","device":"\#(new.slavePath)"}"#, in: home.dataDirectory)
        XCTAssertEqual(
            forgotten, #"{"forgotten":{"device":"\#(new.slavePath)"},"notes":[],"applied":true}"#)
        try await gateway.waitForLines(1, with: ": disconnected", on: .error)
        try await stop(gateway)
    }

    func testPeople_byAProgram_andByTheCommand() async throws {
        let home = try Home()
        let (gateway, _) = try await start(home)
        let set = ControlClient.ask(
            #"{"request":"setPerson","name":"eve","sex":"female"}"#, in: home.dataDirectory)
        XCTAssertEqual(set, #"{"name":"eve","changed":true,"applied":true}"#)
        let command = try await home.run("people", "set", "eve", "--move-mode", "activeEnergy")
        XCTAssertEqual(command.output, "eve: set\n", command.error)
        XCTAssertEqual(
            command.error,
            "pulsegate: note: the running gateway (process \(gateway.processID)) has applied this\n"
        )
        let again = try await home.run("people", "set", "eve", "--sex", "female")
        XCTAssertEqual(again.output, "eve: nothing has changed\n", again.error)
        let people = ControlClient.ask(#"{"request":"people"}"#, in: home.dataDirectory) ?? ""
        XCTAssertTrue(
            people.contains(
                #"{"name":"eve","sex":"female","moveMode":"activeEnergy","units":{}}"#), people)
        try await stop(gateway)
    }

    /// The rules are those of the gateway; the command reports an error as it does without one.
    func testErrorsOfTheGateway_haveTheExitStatusOfTheCommand() async throws {
        let home = try Home()
        let (gateway, port) = try await start(
            home, configuration: "{ people: { ada: { sex: \"female\" }, bob: {} } }")
        let cases: [(words: [String], status: Int32, expected: String)] = [
            (["adopt", "x"], 64, "pulsegate: expected an address such as"),
            (["adopt", "/dev/tty-x"], 64, "pulsegate: --protocol: is required for /dev/tty-x"),
            (
                ["adopt", "/dev/tty-x", "--protocol", #"{ use: "lines", preset: "stepz" }"#], 64,
                "pulsegate: --protocol: preset: unknown value `stepz`; did you mean `steps`?"
            ),
            (
                ["adopt", port.slavePath, "--person", "bobb"], 64,
                "pulsegate: --person: unknown person `bobb`; did you mean `bob`?"
            ),
            (["forget", "x"], 64, "pulsegate: expected an address such as"),
            (["forget", "/dev/tty-x"], 1, "/dev/tty-x is not adopted; "),
            (
                ["people", "set", "bob", "--birth-date", "9000-01-01"], 64,
                "pulsegate: --birth-date: must not be in the future"
            ),
            (["people", "set", "b b"], 64, "pulsegate: a person's name must be"),
            (
                ["people", "set", "ada", "--sex", "male"], 1,
                "the configuration wins: people.ada.sex in \(home.configurationPath)"
            ),
        ]
        for (words, status, expected) in cases {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(status), "\(words): \(outcome.error)")
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
            XCTAssertEqual(outcome.output, "", "\(words)")
        }
        try await stop(gateway)
    }

    func testWithoutTheSocket_theCommandMakesTheChange_andReportsIt() async throws {
        let home = try Home()
        let (gateway, _) = try await start(home)
        try FileManager.default.removeItem(atPath: "\(home.dataDirectory)/control.sock")
        let adopted = try await home.run("adopt", "/dev/tty-x", "--protocol", "hxm")
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        XCTAssertEqual(adopted.output, "adopted /dev/tty-x: protocol hxm\n")
        XCTAssertTrue(
            adopted.error.contains(
                "a gateway is running (process \(gateway.processID)) and applies this when it is "
                    + "restarted; "), adopted.error)
        try await stop(gateway)
    }

    func testQuery_byAProgram() async throws {
        let home = try Home()
        let (gateway, _) = try await start(home)
        for (value, person) in [("80", "ada"), ("90", "bob"), ("81", "ada")] {
            let added = try await home.run("add", "bodyMass", value, "kg", "--person", person)
            XCTAssertEqual(added.ending, .exited(0), added.error)
        }
        let lines = ControlClient.lines(
            #"{"request":"query","type":"bodyMass","person":"ada"}"#, in: home.dataDirectory
        ) { $0.hasPrefix(#"{"query":"#) || $0.hasPrefix(#"{"error":"#) }
        XCTAssertEqual(lines?.last, #"{"query":{"records":2}}"#)
        let command = try await home.run(
            "query", "bodyMass", "--person", "ada", "--format", "ndjson")
        XCTAssertEqual(
            lines?.dropLast().map { $0 }, command.output.split(separator: "\n").map(String.init))
        try await stop(gateway)
    }

    /// Whoever waits for a store that cannot be written gets an answer, and a command does not wait for it.
    func testRefresh_whileTheStoreCannotBeWritten_isAnswered() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        symlink("/nonexistent/health.sqlite", "\(home.dataDirectory)/health.sqlite")
        let (gateway, port) = try await start(home)
        for steps in [1, 3] { try port.write(Array("Steps: \(steps)\n".utf8)) }
        let answer = { ControlClient.ask(#"{"request":"refresh"}"#, in: home.dataDirectory) }
        // The first one may come before the first write.
        XCTAssertNotNil(answer())
        try await gateway.waitForLines(with: "cannot write; retrying", on: .error)
        XCTAssertEqual(answer(), #"{"refreshed":false}"#)
        let query = try await home.run("query", "stepCount")
        XCTAssertEqual(query.ending, .exited(1), query.output)
        XCTAssertTrue(query.error.contains("cannot store the newest records now"), query.error)
        try await stop(gateway)
    }

    /// Old records without a word would look like the newest ones.
    func testQuery_whileTheStoreIsLocked_saysThatItLacksTheNewest() async throws {
        let home = try Home()
        let (gateway, port) = try await start(home)
        for steps in [1, 3] { try port.write(Array("Steps: \(steps)\n".utf8)) }
        try await waitForPublished(2, in: home)
        let fresh = try await home.run("query", "stepCount")
        XCTAssertEqual(fresh.error, "")

        let other = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        try port.write(Array("Steps: 7\n".utf8))
        try await waitForPublished(3, in: home)
        let query = try await home.run("query", "stepCount")

        XCTAssertEqual(query.ending, .exited(0))
        XCTAssertEqual(query.output, fresh.output)
        XCTAssertEqual(
            query.error,
            "pulsegate: note: the gateway is still storing records, and the store lacks the newest "
                + "ones, up to 1; `pulsegate status` shows the sink\n")
        try other.execute("ROLLBACK")
        try await stop(gateway)
    }

    /// The connection of the device is a record too.
    private func waitForPublished(_ count: Int64, in home: Home) async throws {
        while (ControlClient.published(in: home.dataDirectory) ?? 0) < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
