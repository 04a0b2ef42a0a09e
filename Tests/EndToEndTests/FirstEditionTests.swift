import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import Readings
import XCTest

/// A gateway continues with the data directory of a gateway of the first edition that was killed.
final class FirstEditionTests: XCTestCase {
    /// The configuration of every gateway here: the two sinks of the first edition, and a device that is
    /// not there, so that nothing is measured.
    private static func configuration(_ server: ScriptedHTTPServer) -> String {
        """
        { sources: { foot: { use: "serial", port: { path: "/dev/pulsegate-missing" },
            protocol: "hxm" } },
          sinks: { store: "sqlite",
            repository: { use: "http", url: "\(server.url())", format: "ndjson" } } }
        """
    }

    private func start(_ old: FirstEdition) async throws -> RunningCommand {
        let gateway = try old.home.start("run")
        try await gateway.waitForLines(with: "running", on: .error)
        return gateway
    }

    private func stop(_ gateway: RunningCommand, line: UInt = #line) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0), line: line)
    }

    /// The lines that a server has received so far, in their order.
    private static func lines(_ server: ScriptedHTTPServer) -> [Substring] {
        server.requests.flatMap { String(decoding: $0.body, as: UTF8.self).split(separator: "\n") }
    }

    private var now: Instant {
        let clock = SystemClock()
        return clock.epoch().instant(at: clock.now())
    }

    func testStart_reportsThatTheStoreIsUpdated() async throws {
        let old = try FirstEdition(in: Home())
        let gateway = try await start(old)
        try await gateway.waitForLines(
            with: "updating the store of an earlier version", on: .error)
        try await gateway.waitForLines(with: "store updated", on: .error)
        try await stop(gateway)
    }

    // MARK: The journal

    func testCheck_countsTheWaitingRecords() async throws {
        let old = try FirstEdition(in: Home())
        let waiting = try FirstEdition.expectedLines("waiting.ndjson").count
        let check = try await old.output("check")
        XCTAssertTrue(check.contains("\(waiting) records are pending for `repository`"), check)
    }

    func testWaitingRecords_areDeliveredOnceInTheirOrder_andTheLedgerBalances() async throws {
        let old = try FirstEdition(in: Home())
        // The workout in progress continues, so there is no record of it.
        try old.noteWorkoutSeen(at: now)
        let server = try ScriptedHTTPServer()
        try old.home.configure(Self.configuration(server))
        let waiting = try FirstEdition.expectedLines("waiting.ndjson")
        let count = waiting.count
        let first = try await start(old)
        let isDelivered = await first.waits(within: RunningCommand.timeoutSeconds) { _ in
            Self.lines(server).count >= count
        }
        let log = await first.text(of: .error)
        XCTAssertTrue(isDelivered, log)
        try await stop(first)
        try await stop(start(old))

        let received = try FirstEdition.lines(Self.lines(server).joined(separator: "\n"))
        XCTAssertEqual(received, waiting)
        try assertLedger(of: old, delivered: count)
        // It was read as a journal, and not repaired like a damaged one.
        let names = try FileManager.default.contentsOfDirectory(atPath: old.home.dataDirectory)
        XCTAssertEqual(names.filter { $0.contains("damaged") }, [])
    }

    /// The counts continue from where the first edition left them.
    private func assertLedger(of old: FirstEdition, delivered: Int) throws {
        let expected = try FirstEdition.expectedObject("ledger.json")
        let intake = try XCTUnwrap(expected["intake"] as? [String: Int64])
        let sinks = try XCTUnwrap(expected["sinks"] as? [String: [String: Any]])
        let ledger = try old.home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.ingest.published, intake["published"])
        XCTAssertEqual(ledger.ingest.converted, intake["converted"])
        XCTAssertEqual(ledger.ingest[.implausible], intake["implausible"])
        for (name, more) in [("store", 0), ("repository", delivered)] {
            let before = try XCTUnwrap(sinks[name]?["delivered"] as? Int)
            XCTAssertEqual(ledger.sinks[name]?.outcome.delivered, Int64(before + more), name)
            XCTAssertEqual(ledger.pending(for: name), 0, name)
        }
    }

    // MARK: The workout in progress

    func testWorkoutInProgress_continues_andStopSavesIt() async throws {
        let old = try FirstEdition(in: Home())
        try old.noteWorkoutSeen(at: now)
        let server = try ScriptedHTTPServer()
        try old.home.configure(Self.configuration(server))
        let expected = try FirstEdition.expectedObject("session.json")
        let gateway = try await start(old)

        let status = try await old.home.workoutStatus()
        XCTAssertEqual(Array(status.keys), ["ada"])
        try FirstEdition.assert(status["ada"], says: expected["status"])
        try FirstEdition.assert(status["ada"]?["step"], says: expected["step"])

        _ = try await old.output("workout", "stop", "--person", "ada")
        try await stop(gateway)
        var saved = try await savedWorkout(old)
        var events = try XCTUnwrap(saved["events"] as? [NSDictionary])
        // The time since then, in which no gateway was running.
        XCTAssertEqual(events.popLast()?["event"] as? String, "segment")
        saved["events"] = events
        try FirstEdition.assert(saved, says: expected["workout"])
        let totals = try XCTUnwrap(saved["totals"] as? [[String: Any]])
        try FirstEdition.assert(
            totals.first { $0["type"] as? String == "heartRate" }, says: expected["heartRate"])
        XCTAssertEqual(try old.home.ledger().imbalances, [])
    }

    func testWorkoutInProgress_afterALongTime_isSavedAsItWasLastSeen() async throws {
        let old = try FirstEdition(in: Home())
        let server = try ScriptedHTTPServer()
        try old.home.configure(Self.configuration(server))
        let expected = try FirstEdition.expectedObject("session.json")
        let workout = try XCTUnwrap(expected["workout"] as? [String: Any])
        let id = try XCTUnwrap(workout["id"] as? String)
        let gateway = try await start(old)
        let isSaved = await gateway.waits(within: RunningCommand.timeoutSeconds) { _ in
            Self.lines(server).contains {
                $0.contains(#""kind":"workout""#) && $0.contains(#""id":"\#(id)""#)
            }
        }
        let log = await gateway.text(of: .error)
        XCTAssertTrue(isSaved, log)
        try await stop(gateway)
        let saved = try await savedWorkout(old)
        try FirstEdition.assert(saved, says: workout)
        XCTAssertEqual(saved["end"] as? String, expected["lastSeen"] as? String)
    }

    /// The newest of two workouts; the older one is as it was.
    private func savedWorkout(_ old: FirstEdition) async throws -> [String: Any] {
        let workouts = try FirstEdition.lines(
            await old.output("workout", "list", "--format", "ndjson"))
        XCTAssertEqual(workouts.count, 2)
        XCTAssertEqual(
            Array(workouts.dropFirst()), try FirstEdition.expectedLines("workouts.ndjson"))
        return try XCTUnwrap(workouts.first as? [String: Any])
    }
}
