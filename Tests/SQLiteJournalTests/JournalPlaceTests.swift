import Foundation
import GatewayTesting
import Synchronization
import XCTest

@testable import GatewayCore
@testable import Platform
@testable import SQLiteJournal

/// A journal that is removed, moved, replaced or emptied: no record is lost silently.
final class JournalPlaceTests: DatabaseTestCase {
    private let clock = ManualClock()
    private let fileManager = FileManager.default

    private func makeFile(
        prepareFolder: @escaping @Sendable () throws -> Void = {}
    ) throws -> SQLiteJournalFile {
        try SQLiteJournalFile(
            path: path, durability: .crash, clock: clock, prepareFolder: prepareFolder)
    }

    /// A journal with ten batches of ten records, all pending for `store`.
    private func makeJournal(
        prepareFolder: @escaping @Sendable () throws -> Void = {}
    ) throws -> SQLiteJournalFile {
        let file = try makeFile(prepareFolder: prepareFolder)
        try file.register([JournalSink("store")])
        for _ in 0..<10 { try append(to: file) }
        return file
    }

    private func append(to file: SQLiteJournalFile) throws {
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (10, 10)
        let text = String(repeating: "a line\n", count: 10)
        try file.append(RecordLines(Array(text.utf8)), addition: addition, at: file.end())
    }

    /// Repairs the file as the journal does when a call fails.
    private func appendRepairing(_ file: SQLiteJournalFile) throws -> JournalDamage? {
        do {
            try append(to: file)
            return nil
        } catch {
            guard case .damaged = file.fault(of: error) else { throw error }
            let damage = try file.repair(keeping: file.ledger())
            try append(to: file)
            return damage
        }
    }

    private func removeAll() throws {
        for name in try fileManager.contentsOfDirectory(atPath: folder) {
            try fileManager.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private func assertHolds(_ records: Int64, line: UInt = #line) throws {
        let file = try makeFile()
        XCTAssertNil(file.damageAtOpening, line: line)
        let slice = try file.read(after: 0, limit: JournalReadLimit(count: .max))
        XCTAssertEqual(slice?.count, records, line: line)
        XCTAssertEqual(try file.ledger().pending(for: "store"), records, line: line)
        XCTAssertEqual(try file.ledger().imbalances, [], line: line)
    }

    func testRemoved_continuesInANewFile() throws {
        var file: SQLiteJournalFile? = try makeJournal()
        try removeAll()
        clock.advance(seconds: 2)
        let damage = try XCTUnwrap(try file.flatMap(appendRepairing))
        XCTAssertEqual(damage.kept, 100)
        XCTAssertEqual(damage.missing, 0)
        XCTAssertNil(damage.movedTo)
        XCTAssertTrue(damage.description.contains("removed"), damage.description)
        let permissions = try fileManager.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(permissions as? Int, 0o600)
        file = nil
        try assertHolds(110)
    }

    func testLogRemoved_continuesInANewFile() throws {
        var file: SQLiteJournalFile? = try makeJournal()
        try fileManager.removeItem(atPath: "\(path)-wal")
        clock.advance(seconds: 2)
        XCTAssertNotNil(try file.flatMap(appendRepairing))
        file = nil
        try assertHolds(110)
    }

    /// The leftover log belongs to the old file: it must not be applied to the new one.
    func testRemovedWithoutItsLog_continuesInANewFile() throws {
        var file: SQLiteJournalFile? = try makeJournal()
        try fileManager.removeItem(atPath: path)
        clock.advance(seconds: 2)
        XCTAssertNotNil(try file.flatMap(appendRepairing))
        file = nil
        try assertHolds(110)
    }

    func testReplaced_theForeignFileIsMovedAway() throws {
        var file: SQLiteJournalFile? = try makeJournal()
        let other = "somebody else's file"
        try removeAll()
        try write(Array(other.utf8))
        clock.advance(seconds: 2)
        let damage = try XCTUnwrap(try file.flatMap(appendRepairing))
        let backupPath = try XCTUnwrap(damage.movedTo)
        XCTAssertEqual(try String(contentsOfFile: backupPath, encoding: .utf8), other)
        file = nil
        try assertHolds(110)
    }

    func testRemoved_whileTheFolderBelongsToAnotherUser_isRefused() throws {
        struct Taken: Error {}
        let taken = LockedFlag()
        var file: SQLiteJournalFile? = try makeJournal { if taken.isSet { throw Taken() } }
        try removeAll()
        taken.isSet = true
        clock.advance(seconds: 2)
        XCTAssertThrowsError(try file.flatMap(appendRepairing)) { XCTAssertTrue($0 is Taken) }
        // A file without a path accepts nothing, also when retried immediately.
        XCTAssertThrowsError(try file.map(append))
        XCTAssertFalse(fileManager.fileExists(atPath: path))
        taken.isSet = false
        clock.advance(seconds: 2)
        XCTAssertEqual(try file.flatMap(appendRepairing)?.kept, 100)
        file = nil
        try assertHolds(110)
    }

    private func makeGatewayJournal(
        prepareFolder: @escaping @Sendable () throws -> Void = {}
    ) throws -> Journal {
        try Journal(
            file: SQLiteJournalFile(
                path: path, durability: .crash, clock: clock, prepareFolder: prepareFolder),
            sinks: ["store"], clock: clock, log: Logger(component: "test") { _ in })
    }

    private func commitTen(to journal: Journal) async {
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (10, 10)
        let lines = RecordLines(Array(String(repeating: "a line\n", count: 10).utf8))
        await journal.append(lines, addition: addition)
        await journal.commit()
    }

    /// A removed file leaves no backup, so the restoration can be repeated immediately.
    func testRemovedAgainSoon_andTheEnd_losesNothing() async throws {
        func run() async throws {
            let journal = try makeGatewayJournal()
            for _ in 0..<3 {
                await commitTen(to: journal)
                try removeAll()
                clock.advance(seconds: 2)
            }
            await journal.close()
            await journal.finish()
        }
        try await run()
        try assertHolds(30)
    }

    /// Each attempt writes the complete journal, as far as there is space.
    func testRemoved_whenRepairFails_isRetriedOnceAMinute_andAtTheEnd() async throws {
        struct Taken: Error {}
        let taken = LockedFlag()
        let tries = Mutex(0)
        func run() async throws {
            let journal = try makeGatewayJournal {
                tries.withLock { $0 += 1 }
                if taken.isSet { throw Taken() }
            }
            await commitTen(to: journal)
            try removeAll()
            taken.isSet = true
            for seconds in [2.0, 1, 1, 1, 60, 1] {
                clock.advance(seconds: seconds)
                await commitTen(to: journal)
                let failure = await journal.status.failure
                XCTAssertEqual(failure, "\(Taken())")
            }
            XCTAssertEqual(tries.withLock { $0 }, 2)
            taken.isSet = false
            await journal.close()
            await journal.finish()
        }
        try await run()
        try assertHolds(70)
    }

    func testInPlace_isCheckedPeriodically_andAtTheEnd() throws {
        let file = try makeJournal()
        XCTAssertNoThrow(try file.checkLocation())
        try removeAll()
        // Within the same second there is no check.
        XCTAssertNil(try appendRepairing(file))
        XCTAssertThrowsError(try file.checkLocation())
    }

    func testEmptied_isReported_andTheNumberOfLostRecordsIsUnknown() throws {
        _ = try makeJournal()
        try write([])
        let damage = try XCTUnwrap(try makeFile().damageAtOpening)
        XCTAssertNil(damage.missing)
        XCTAssertFalse(damage.keepsLedger)
        let words = damage.description
        XCTAssertTrue(words.contains("the file is empty"), words)
        XCTAssertTrue(words.contains("unknown number"), words)
    }

    func testNew_isNotMistakenForAnEmptiedOne_whereverItsCreationWasInterrupted() throws {
        try Data().write(to: URL(fileURLWithPath: "\(path).new"))
        XCTAssertNil(try makeFile().damageAtOpening)
        XCTAssertNil(try makeFile().damageAtOpening)
        XCTAssertFalse(fileManager.fileExists(atPath: "\(path).new"))
    }

    func testInspector_readsTheLedger_andChangesNoFile() throws {
        _ = try makeJournal()
        let before = try fileManager.contentsOfDirectory(atPath: folder)
        XCTAssertEqual(JournalInspector.ledger(at: path)?.pending(for: "store"), 100)
        XCTAssertEqual(try fileManager.contentsOfDirectory(atPath: folder), before)
        XCTAssertNil(JournalInspector.ledger(at: "\(path).none"))
        try write(Array("no journal".utf8))
        XCTAssertNil(JournalInspector.ledger(at: path))
    }
}
