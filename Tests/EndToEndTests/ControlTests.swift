import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Serial
import XCTest

/// `status` and `tap` ask the running gateway.
final class ControlTests: XCTestCase {
    private func startSimulation(in home: Home) async throws -> RunningCommand {
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "running", on: .error)
        return gateway
    }

    private func end(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    private func object(_ text: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try XCTUnwrap(object as? [String: Any])
    }

    func testWithoutAGateway_exitsWith69_andTheRemedy() async throws {
        let home = try Home()
        for command in ["status", "tap"] {
            let outcome = try await home.run(command)
            XCTAssertEqual(outcome.ending, .exited(69))
            XCTAssertEqual(
                outcome.error,
                "pulsegate: no gateway is running on \(home.dataDirectory); "
                    + "start one with `pulsegate run`\n")
            XCTAssertEqual(outcome.output, "")
            let simulated = try await home.run(command, "--json", "--simulate")
            XCTAssertEqual(simulated.ending, .exited(69))
            XCTAssertTrue(
                simulated.error.contains("with `pulsegate run --simulate`"), simulated.error)
        }
    }

    func testAfterAKill_endsWith69_andTheNextGatewayIsReached() async throws {
        let home = try Home()
        let killed = try await startSimulation(in: home)
        await killed.send(SIGKILL)
        try await killed.waitForEnd()
        let outcome = try await home.run("status", "--simulate")
        XCTAssertEqual(outcome.ending, .exited(69), outcome.error)
        let gateway = try await startSimulation(in: home)
        let next = try await home.run("status", "--simulate")
        XCTAssertEqual(next.ending, .exited(0), next.error)
        try await end(gateway)
    }

    func testStatus_asJSON_isOneObjectWithoutHealthValues() async throws {
        let home = try Home()
        let gateway = try await startSimulation(in: home)
        try await gateway.waitForLines(with: "stepCount", on: .output)
        let outcome = try await home.run("status", "--json", "--simulate")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(outcome.output.split(separator: "\n").count, 1)
        XCTAssertFalse(outcome.output.contains("heartRate"))
        let status = try object(outcome.output)
        XCTAssertEqual(status["v"] as? Int, 1)
        XCTAssertEqual(status["pid"] as? Int, Int(gateway.processID))
        XCTAssertEqual(status["dataDirectory"] as? String, "\(home.dataDirectory)/simulation")
        let devices = try XCTUnwrap(status["devices"] as? [[String: Any]])
        XCTAssertEqual(
            devices.map { $0["name"] as? String }, ["Simulated Pedometer", "Simulated Strap"])
        XCTAssertEqual(devices.map { $0["link"] as? String }, ["live", "live"])
        XCTAssertEqual(devices.compactMap { $0["silentSeconds"] as? Double }.count, 2)
        let sinks = try XCTUnwrap(status["sinks"] as? [[String: Any]])
        XCTAssertEqual(sinks.map { $0["name"] as? String }, ["store", "lines"])
        let ledger = try XCTUnwrap(status["ledger"] as? [String: Any])
        XCTAssertEqual(ledger["balanced"] as? Bool, true)
        XCTAssertGreaterThan(try XCTUnwrap(ledger["published"] as? Int), 0)
        try await end(gateway)
    }

    func testStatus_namesTheFailingSource_andTheRemedy() async throws {
        let home = try Home()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "/dev/pulsegate-missing" },
              protocol: "hxm" } } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "failed; retrying", on: .error)
        let outcome = try await home.run("status")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains(/\nfoot +failing\n/), outcome.output)
        XCTAssertTrue(
            outcome.output.contains("/dev/pulsegate-missing: no such port; plug"), outcome.output)
        XCTAssertFalse(outcome.output.contains("\u{1b}"))
        try await end(gateway)
    }

    func testStatus_atATerminal_isInColours_unlessThereShallBeNone() async throws {
        var home = try Home()
        let gateway = try await startSimulation(in: home)
        let painted = try home.start("status", "--simulate", output: .terminal)
        try await painted.waitForEnd()
        let paintedText = await painted.text(of: .output)
        XCTAssertTrue(paintedText.contains("\u{1b}["), paintedText)
        home.environment["NO_COLOR"] = "1"
        let plain = try home.start("status", "--simulate", output: .terminal)
        try await plain.waitForEnd()
        let plainText = await plain.text(of: .output)
        XCTAssertTrue(plainText.contains("SOURCE"), plainText)
        XCTAssertFalse(plainText.contains("\u{1b}"), plainText)
        try await end(gateway)
    }

    func testTap_twoAtOnce_printTheSameRecords_untilTheGatewayStops() async throws {
        let home = try Home()
        let gateway = try await startSimulation(in: home)
        let taps = try (0..<2).map { _ in try home.start("tap", "--json", "--simulate") }
        for tap in taps { try await tap.waitForLines(3, with: "heartRate", on: .output) }
        try await end(gateway)
        var records: [Set<Record>] = []
        for tap in taps {
            let ending = try await tap.waitForEnd(within: 10)
            XCTAssertEqual(ending, .exited(0))
            let error = await tap.text(of: .error)
            XCTAssertEqual(error, "pulsegate: the gateway has stopped\n")
            var decoder = RecordDecoder()
            let lines = await tap.text(of: .output).utf8.split(separator: UInt8(ascii: "\n"))
            let decoded = try lines.map { try decoder.decode(Array($0)) }
            XCTAssertEqual(Set(decoded.map(\.id)).count, decoded.count, "each comes once")
            records.append(Set(decoded))
        }
        // One began before the other: what it missed is its beginning.
        XCTAssertTrue(
            records[0].isSubset(of: records[1]) || records[1].isSubset(of: records[0]))
        let stored = try await Home.samples(
            of: .heartRate, inStoreAt: "\(home.dataDirectory)/simulation/health.sqlite")
        let tapped = records[0].filter { $0.typeName == "heartRate" }
        XCTAssertTrue(tapped.isSubset(of: Set(stored.map(Record.sample))))
    }

    func testTap_ofOneType_forPeople() async throws {
        let home = try Home()
        let gateway = try await startSimulation(in: home)
        let tap = try home.start("tap", "--type", "heartRate", "--person=me", "--simulate")
        try await tap.waitForLines(2, with: "count/min", on: .output)
        await tap.send(SIGINT)
        let ending = try await tap.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        for line in await tap.text(of: .output).split(separator: "\n") {
            XCTAssertTrue(
                line.contains(
                    /^[0-9:.]{12}  Simulated Strap +heartRate +[0-9]+ count\/min$/), "\(line)")
        }
        try await end(gateway)
    }

    func testTap_ofAnUnknownPerson_namesTheKnownOnes() async throws {
        let home = try Home()
        let gateway = try await startSimulation(in: home)
        let outcome = try await home.run("tap", "--person", "nobody", "--simulate")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertEqual(outcome.error, "pulsegate: --person: unknown person `nobody`; known: me\n")
        try await end(gateway)
    }

    func testTap_whenTheReaderLeaves_endsEvenWhileNothingComes() async throws {
        let home = try Home()
        let gateway = try await startSimulation(in: home)
        // Nothing measures it: nothing is ever written that could fail.
        let silent = try home.start("tap", "--type", "bodyMass", "--simulate")
        let tap = try home.start("tap", "--json", "--simulate")
        try await tap.waitForLines(with: "heartRate", on: .output)
        for command in [silent, tap] {
            await command.closeOutput()
            let ending = try await command.waitForEnd(within: 10)
            XCTAssertEqual(ending, .exited(0))
            let error = await command.text(of: .error)
            XCTAssertEqual(error, "")
        }
        try await end(gateway)
    }

    func testTap_whoseOutputIsNotRead_isDisconnected_andReportsIt() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { strap: { use: "serial", port: { path: "\(port.slavePath)" },
              protocol: "hxm" } } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "strap: connected", on: .error)
        let tap = try home.start("tap", "--json")
        var connected = 0
        while connected < 2 {
            let status = try object(try await home.run("status", "--json").output)
            let clients = try XCTUnwrap(status["clients"] as? [String: Any])
            connected = try XCTUnwrap(clients["connected"] as? Int)
        }
        let stream = try SerialTests.recordedHxM()
        var cuts: [Substring] = []
        while cuts.isEmpty {
            for _ in 0..<20 { try await port.send(stream) }
            await gateway.letRun(seconds: 0.1)
            cuts = await gateway.lines(of: .error, with: "client disconnected")
        }
        let ending = try await tap.waitForEnd()
        XCTAssertEqual(ending, .exited(1))
        let error = await tap.text(of: .error)
        XCTAssertTrue(error.contains("closed this tap"), error)
        var decoder = RecordDecoder()
        for line in await tap.text(of: .output).utf8.split(separator: UInt8(ascii: "\n")) {
            XCTAssertNoThrow(try decoder.decode(Array(line)))
        }
        try await end(gateway)
        let ledger = try home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.pending(for: "store"), 0)
    }

    func testDataFolder_withALongPath() async throws {
        var home = try Home()
        let deep = Array(repeating: String(repeating: "deep", count: 20), count: 4)
        home.environment["XDG_DATA_HOME"] = home.folder.path(deep.joined(separator: "/"))
        let gateway = try await startSimulation(in: home)
        let outcome = try await home.run("status", "--json", "--simulate")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(try object(outcome.output)["pid"] as? Int, Int(gateway.processID))
        try await end(gateway)
    }

    func testSocket_thatCannotBeMade_isReported_andTheGatewayContinues() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate/simulation/control.sock")
        let outcome = try await home.run("run", "--simulate", "--for", "1")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let lines = outcome.error.split(separator: "\n").filter { $0.contains("control.sock") }
        XCTAssertEqual(lines.count, 1, outcome.error)
        XCTAssertTrue(lines.first?.hasPrefix("warning: control: ") ?? false, outcome.error)
    }
}
