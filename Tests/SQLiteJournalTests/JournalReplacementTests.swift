import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import XCTest

@testable import SQLiteJournal

/// A recovery that is interrupted anywhere leaves one journal and no leftovers.
final class JournalReplacementTests: JournalDamageTestCase {
    func testReplacement_thatWasInterrupted_isCompletedAtTheNextStart() throws {
        try makeJournal()
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).mending")
        XCTAssertEqual(try makeFile().ledger().ingest.published, 600)
    }

    func testReplacement_thatWasInterrupted_isCompletedWithoutTheLogOfTheCorruptFile() throws {
        try makeJournal()
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).mending")
        // The last write of another journal.
        let folder = try TemporaryFolder()
        let other = try SQLiteJournalFile(
            path: folder.path("other.sqlite"), durability: .crash, clock: clock)
        try other.register([JournalSink("other")])
        try append(0, to: other)
        try FileManager.default.copyItem(
            atPath: folder.path("other.sqlite-wal"), toPath: "\(path)-wal")
        let ledger = try makeFile().ledger()
        XCTAssertEqual(ledger.ingest.published, 600)
        XCTAssertEqual(Set(ledger.sinks.keys), ["fast", "slow"])
    }

    /// A running gateway continues with the draft and does not create an empty journal.
    func testReplacement_thatFailedWhileRunning_isCompletedByTheNextCall() throws {
        try makeJournal()
        let file = try makeFile()
        let ledger = try file.ledger()
        // A folder at the path of the draft makes the recovery fail, and the file stays closed.
        let draft = "\(path).mending"
        try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
        XCTAssertThrowsError(try file.repair(keeping: ledger))
        try FileManager.default.removeItem(atPath: draft)
        try FileManager.default.moveItem(atPath: path, toPath: draft)
        XCTAssertEqual(try file.ledger(), ledger)
        XCTAssertEqual(try drain(file, "slow").lines, 550)
    }

    func testStart_removesTheLeftoversOfAnInterruptedRecovery() throws {
        try makeJournal()
        try Data("half of a journal".utf8).write(to: URL(fileURLWithPath: "\(path).mending"))
        XCTAssertEqual(try makeFile().ledger().ingest.published, 600)
        XCTAssertNotEqual(access("\(path).mending", F_OK), 0)
    }
}
