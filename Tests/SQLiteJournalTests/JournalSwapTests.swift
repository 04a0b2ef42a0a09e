import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import XCTest

@testable import SQLiteJournal

/// A salvage that is cut off anywhere leaves a journal, and nothing that could be taken for one.
final class JournalSwapTests: JournalDamageTestCase {
    func testSwap_thatWasCutOff_isCompletedAtTheNextStart() throws {
        try makeJournal()
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).mending")
        XCTAssertEqual(try makeFile().ledger().ingest.published, 600)
    }

    func testSwap_thatWasCutOff_isCompletedWithoutTheLogOfTheDamagedFile() throws {
        try makeJournal()
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).mending")
        // What another journal wrote last.
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

    /// The gateway that runs goes on with the draft, and begins no empty journal.
    func testSwap_thatFailedWhileItRuns_isCompletedByTheNextCall() throws {
        try makeJournal()
        let file = try makeFile()
        let ledger = try file.ledger()
        // A folder is in the way of the draft: the salvage fails, and the file stays closed.
        let draft = "\(path).mending"
        try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
        XCTAssertThrowsError(try file.repair(keeping: ledger))
        try FileManager.default.removeItem(atPath: draft)
        try FileManager.default.moveItem(atPath: path, toPath: draft)
        XCTAssertEqual(try file.ledger(), ledger)
        XCTAssertEqual(try drain(file, "slow").lines, 550)
    }

    func testStart_removesWhatIsLeftOfASalvageThatWasKilled() throws {
        try makeJournal()
        try Data("half of a journal".utf8).write(to: URL(fileURLWithPath: "\(path).mending"))
        XCTAssertEqual(try makeFile().ledger().ingest.published, 600)
        XCTAssertNotEqual(access("\(path).mending", F_OK), 0)
    }
}
