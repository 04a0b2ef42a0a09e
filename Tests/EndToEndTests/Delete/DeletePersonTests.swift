import Foundation
import GatewayTesting
import HealthModel
import SQLite
import XCTest

/// `pulsegate delete person`: a person with all records.
final class DeletePersonTests: XCTestCase {
    private func filledHome() async throws -> Home {
        let home = try Home()
        let set = try await home.run("people", "set", "bob", "--sex", "male")
        XCTAssertEqual(set.ending, .exited(0), set.error)
        try await home.fill(
            (0..<3).map { try Home.heartRate($0) }
                + (3..<7).map { try Home.heartRate($0, person: "bob") }
                + [Home.bloodPressure(8, person: "bob")])
        return home
    }

    private func assertKeepsBob(_ home: Home, line: UInt = #line) async throws {
        let people = try await home.run("people", "show", "bob")
        XCTAssertEqual(people.ending, .exited(0), people.error, line: line)
        let count = try await home.count("heartRate", "--person", "bob")
        XCTAssertEqual(count, 4, line: line)
    }

    func testPerson_isGone_andNoCommandAsksForOneAnyMore() async throws {
        let home = try await filledHome()
        let asked = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(asked.ending, .exited(64), "there are two people")
        let dryRun = try await home.run("delete", "person", "bob", "--dry-run", "--json")
        XCTAssertTrue(
            dryRun.output.hasPrefix(#"{"deleted":false,"person":"bob","count":7,"#), dryRun.output)
        try await assertKeepsBob(home)
        let deleted = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        XCTAssertTrue(deleted.output.hasSuffix("\n7 records deleted\n"), deleted.output)
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        let people = try await home.run("people", "list")
        XCTAssertFalse(people.output.contains("bob"), people.output)
        let rest = try await home.count("heartRate")
        XCTAssertEqual(rest, 3)
        let again = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(again.ending, .exited(64))
        XCTAssertTrue(again.error.contains("unknown person `bob`; known: me"), again.error)
        let store = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readOnly)
        let names = try store.prepare("SELECT count(*) FROM person WHERE name = 'bob'")
        XCTAssertTrue(try names.step())
        XCTAssertEqual(names.integer(at: 0), 0, "the store has forgotten the name")
    }

    func testPersonWithoutAnEntry_canBeDeleted() async throws {
        let home = try await filledHome()
        _ = try await home.run("people", "remove", "bob")
        let deleted = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        let count = try await home.count("heartRate")
        XCTAssertEqual(count, 3)
        // The person of a home without people remains, without records.
        let own = try await home.run("delete", "person", "me", "--yes")
        XCTAssertEqual(own.ending, .exited(0), own.error)
        let none = try await home.run("delete", "person", "me", "--yes")
        XCTAssertEqual(none.ending, .exited(0), none.error)
        XCTAssertEqual(none.error, "pulsegate: no records of me found\n")
    }

    func testPersonWithoutRecords_isRemoved() async throws {
        let home = try Home()
        _ = try await home.run("people", "set", "ada")
        let outcome = try await home.run("delete", "person", "ada", "--yes", "--json")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(
            outcome.output, #"{"deleted":true,"person":"ada","count":0,"records":[]}"# + "\n")
        let people = try await home.run("people", "list")
        XCTAssertFalse(people.output.contains("ada"), people.output)
    }

    func testPersonOfTheConfiguration_orWithADevice_isRefused() async throws {
        let home = try await filledHome()
        _ = try await home.run("adopt", "D0:11:22:33:44:55", "--person", "bob")
        let adopted = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(adopted.ending, .exited(1))
        XCTAssertTrue(
            adopted.error.contains("`pulsegate forget D0:11:22:33:44:55`"), adopted.error)
        try await assertKeepsBob(home)
        _ = try await home.run("forget", "D0:11:22:33:44:55")
        try home.configure("{ people: { bob: {} } }")
        let configured = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(configured.ending, .exited(1))
        XCTAssertTrue(configured.error.contains("people.bob"), configured.error)
        XCTAssertTrue(configured.error.contains("remove it there first"), configured.error)
        try await assertKeepsBob(home)
    }

    func testPersonDuringAWorkout_isRefused_untilItHasEnded() async throws {
        let home = try await filledHome()
        let gateway = try await home.startIdleGateway()
        let start = try await home.run(
            "workout", "start", "--activity", "running", "--person", "bob")
        XCTAssertEqual(start.ending, .exited(0), start.error)
        let refused = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(refused.ending, .exited(1), refused.output)
        XCTAssertTrue(
            refused.error.contains("`pulsegate workout stop --person bob`"), refused.error)
        try await assertKeepsBob(home)
        _ = try await home.run("workout", "discard", "--person", "bob")
        let deleted = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        XCTAssertTrue(deleted.error.contains("has applied this"), deleted.error)
        // The running gateway knows nothing of bob.
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }

    func testInterruptedWorkout_isDeletedToo() async throws {
        let home = try await filledHome()
        let gateway = try await home.startIdleGateway()
        _ = try await home.run("workout", "start", "--activity", "running", "--person", "bob")
        await gateway.send(SIGKILL)
        try await gateway.waitForEnd()
        let deleted = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        XCTAssertTrue(
            deleted.error.contains("bob has an interrupted workout, which is deleted too"),
            deleted.error)
        let next = try await home.startIdleGateway()
        let status = try await home.workoutStatus()
        XCTAssertEqual(status.count, 0)
        await next.send(SIGTERM)
        try await next.waitForEnd()
    }
}
