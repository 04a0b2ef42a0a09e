import Foundation
import GatewayTesting
import HealthModel
import SQLite
import XCTest

/// `delete person`: what was accepted before the deletion is not stored after it.
final class DeletePersonAcceptedTests: XCTestCase {
    private func filledHome() async throws -> Home {
        let home = try Home()
        let set = try await home.run("people", "set", "bob", "--sex", "male")
        XCTAssertEqual(set.ending, .exited(0), set.error)
        try await home.fill(
            [Home.heartRate(0), Home.heartRate(1, person: "bob"), Home.heartRate(2, person: "bob")])
        return home
    }

    /// Adds a body mass that stays in the journal, because another program locks the store.
    private func addToJournal(_ home: Home) async throws {
        let store = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readWrite)
        try store.execute("BEGIN IMMEDIATE")
        let added = try await home.run("add", "bodyMass", "70", "kg", "--person", "bob")
        XCTAssertTrue(added.error.contains("not delivered to store yet"), added.error)
        try store.execute("ROLLBACK")
    }

    private func count(_ home: Home) async throws -> Int {
        try await home.samples(of: .bodyMass).count
    }

    func testRecordsInTheJournal_areDeletedToo() async throws {
        for isRunning in [false, true] {
            let home = try await filledHome()
            try await addToJournal(home)
            let before = try await count(home)
            XCTAssertEqual(before, 0)
            let running = isRunning ? try await home.startIdleGateway() : nil
            let deleted = try await home.run("delete", "person", "bob", "--yes")
            XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
            XCTAssertTrue(deleted.output.hasSuffix("\n3 records deleted\n"), deleted.output)
            let gateway = if let running { running } else { try await home.startIdleGateway() }
            // The store has all that was accepted.
            let added = try await home.run("add", "bodyMass", "70", "kg")
            XCTAssertEqual(added.ending, .exited(0), added.error)
            await gateway.send(SIGTERM)
            _ = try await gateway.waitForEnd()
            let people = Set(try await home.samples(of: .bodyMass).compactMap(\.person))
            XCTAssertEqual(people, ["me"])
        }
    }

    func testAStoreThatCannotBeWritten_isReported_andTheCommandRunAgain() async throws {
        let home = try await filledHome()
        try await addToJournal(home)
        let store = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readWrite)
        try store.execute("BEGIN IMMEDIATE")
        let failed = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(failed.ending, .exited(1), failed.error)
        XCTAssertTrue(failed.error.contains("run the command again"), failed.error)
        try store.execute("ROLLBACK")
        let deleted = try await home.run("delete", "person", "bob", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        let rest = try await count(home)
        XCTAssertEqual(rest, 0)
    }

    private static let workout = """
        <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-11-20T08:00:00Z</Id>
        <Lap StartTime="2026-11-20T08:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds><Track>
        <Trackpoint><Time>2026-11-20T08:00:30Z</Time><HeartRateBpm><Value>120</Value></HeartRateBpm>
        </Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>
        """

    /// An import that has waited for another one names the person only if it still exists.
    func testAnImportThatWaits_whileThePersonIsRemoved_storesNothing() async throws {
        let home = try await filledHome()
        try home.folder.write(Array(Self.workout.utf8), to: "run.tcx")
        try home.folder.makeFolder("data/pulsegate/imports")
        let descriptor = open("\(home.dataDirectory)/imports", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        XCTAssertEqual(flock(descriptor, LOCK_EX), 0)
        let command = try home.start(
            "import", home.folder.path("run.tcx"), "--person", "bob")
        var status = stat()
        XCTAssertEqual(fstat(descriptor, &status), 0)
        for _ in 0..<1_000 where !isWaitedFor(status.st_ino) {
            await command.letRun(seconds: 0.01)
        }
        let removed = try await home.run("people", "remove", "bob")
        XCTAssertEqual(removed.ending, .exited(0), removed.error)
        close(descriptor)
        let ending = try await command.waitForEnd()
        let error = await command.text(of: .error)
        XCTAssertEqual(ending, .exited(1))
        XCTAssertTrue(error.contains("unknown person `bob`; known: me"), error)
        let workouts = try await home.workouts()
        XCTAssertEqual(workouts, [])
    }

    /// Whether a process waits for the lock of a file.
    private func isWaitedFor(_ inode: ino_t) -> Bool {
        let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
        return locks.split(separator: "\n").contains {
            $0.contains("-> FLOCK") && $0.contains(":\(inode) ")
        }
    }
}
