import Foundation
import GatewayTesting
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog
@testable import Platform

/// A journal that is removed, moved, replaced or emptied: no record is lost silently.
final class LogLocationTests: LogTestCase {
    private let fileManager = FileManager.default

    /// A journal with ten batches of ten records, all pending for `store`.
    private func makeJournal(
        prepareFolder: @escaping @Sendable () throws -> Void = {}
    ) throws -> LogJournalFile {
        let file = try makeFile(prepareFolder: prepareFolder)
        try file.register([JournalSink("store")])
        for _ in 0..<10 { try append(to: file) }
        return file
    }

    private func append(to file: LogJournalFile) throws {
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (10, 10)
        let text = String(repeating: "a line\n", count: 10)
        try file.append(
            RecordLines(Array(text.utf8)), addition: addition, at: file.end(), saving: [:])
    }

    /// Repairs the file as the journal does when a call fails.
    private func appendRepairing(_ file: LogJournalFile) throws -> JournalDamage? {
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
        try fileManager.removeItem(atPath: path)
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
        var file: LogJournalFile? = try makeJournal()
        try removeAll()
        clock.advance(seconds: 2)
        let damage = try XCTUnwrap(try file.flatMap(appendRepairing))
        XCTAssertEqual(damage.kept, 100)
        XCTAssertEqual(damage.missing, 0)
        XCTAssertNil(damage.movedTo)
        XCTAssertTrue(damage.description.contains("removed"), damage.description)
        let permissions = try fileManager.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(permissions as? Int, 0o700)
        file = nil
        try assertHolds(110)
    }

    func testMoved_continuesAtThePath_withEverything() throws {
        var file: LogJournalFile? = try makeJournal()
        try fileManager.moveItem(atPath: path, toPath: "\(path).moved")
        clock.advance(seconds: 2)
        let damage = try XCTUnwrap(try file.flatMap(appendRepairing))
        XCTAssertEqual(damage.kept, 100)
        file = nil
        try assertHolds(110)
    }

    func testNewestSegmentRemoved_isWrittenAgain() throws {
        var file: LogJournalFile? = try makeJournal()
        let name = try XCTUnwrap(segmentNames().last)
        try fileManager.removeItem(atPath: "\(path)/\(name)")
        clock.advance(seconds: 2)
        XCTAssertNotNil(try file.flatMap(appendRepairing))
        file = nil
        try assertHolds(110)
    }

    func testNewestSegmentReplaced_isWrittenAgain() throws {
        var file: LogJournalFile? = try makeJournal()
        let name = try XCTUnwrap(segmentNames().last)
        try fileManager.removeItem(atPath: "\(path)/\(name)")
        try write(Array("somebody else's file".utf8), to: name)
        clock.advance(seconds: 2)
        XCTAssertNotNil(try file.flatMap(appendRepairing))
        file = nil
        try assertHolds(110)
    }

    /// Segments that are not open are gone with their folder: what they had is counted.
    func testRemovedWithOlderSegments_theirRecordsAreCounted() throws {
        let file = try makeFile()
        try file.register([JournalSink("store")])
        for _ in 0..<100 { try append(to: file) }
        for _ in 0..<600 {
            try file.append(String(repeating: "x", count: 1_000) + "\n")
        }
        XCTAssertGreaterThan(try segmentNames().count, OpenSegments.limit)
        try removeAll()
        clock.advance(seconds: 2)
        let damage = try XCTUnwrap(appendRepairing(file))
        let missing = try XCTUnwrap(damage.missing)
        XCTAssertGreaterThan(missing, 0)
        XCTAssertEqual(damage.kept + missing, 1_600)
        let (lines, lost) = try file.drain("store")
        XCTAssertEqual(lost, missing)
        XCTAssertEqual(Int64(lines.count), damage.kept + 10)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }

    func testReplacedByAFile_isRefused() throws {
        let file = try makeJournal()
        try removeAll()
        let folder = try XCTUnwrap(temporary.folder)
        try folder.write(Array("somebody else's file".utf8), to: "journal")
        clock.advance(seconds: 2)
        XCTAssertThrowsError(try appendRepairing(file)) { error in
            XCTAssertEqual((error as? LogError)?.problem, .isNotAFolder)
        }
        try folder.remove("journal")
        clock.advance(seconds: 2)
        XCTAssertEqual(try appendRepairing(file)?.kept, 100)
    }

    func testRemoved_whileTheFolderBelongsToAnotherUser_isRefused() throws {
        struct Taken: Error {}
        let taken = LockedFlag()
        var file: LogJournalFile? = try makeJournal { if taken.isSet { throw Taken() } }
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
            file: LogJournalFile(
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

    /// Somebody's folder has the name of the reserve: the reserve gets another one, and is kept.
    func testFolderWithTheNameOfTheReserve_isLeftAlone() throws {
        for name in ["reserve", "reserve-2"] {
            try fileManager.createDirectory(
                atPath: "\(path)/\(name)/inside", withIntermediateDirectories: true)
        }
        for run in 1...2 {
            let file = try makeFile()
            XCTAssertNil(file.damageAtOpening)
            try file.register([JournalSink("store")])
            try append(to: file)
            XCTAssertEqual(try file.ledger().ingest.published, Int64(run * 10))
            let sizes = try fileManager.attributesOfItem(atPath: "\(path)/reserve-3")
            XCTAssertEqual(sizes[.size] as? Int, Self.smallSizes.reserve)
        }
        XCTAssertTrue(fileManager.fileExists(atPath: "\(path)/reserve/inside"))
        XCTAssertFalse(try fileManager.contentsOfDirectory(atPath: path).contains("reserve-4"))
    }
}
