import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import SQLite
import XCTest

@testable import SQLiteSink

/// Tests of a corrupt store: nothing is written or lost, and the sink continues after a repair.
final class CorruptStoreTests: StoreSinkTestCase {
    /// Makes a store of 1,000 samples with a corrupt page that no gateway has open.
    private func makeDamagedStore() async throws {
        do {
            let sink = try makeSink()
            try await sink.write(records(0..<1_000))
        }
        // The file is closed when the sink's queue has released it.
        _ = try SQLiteConnection(path: path, access: .readWrite).pragma("wal_checkpoint(TRUNCATE)")
        try flipPage(of: "sample_type_start")
    }

    func testStart_withACorruptStore_holdsAndLeavesItAlone() async throws {
        try await makeDamagedStore()
        let before = try fileBytes()
        let sink = try makeSink()
        let reason = try await holdReason(sink, records(1_000..<1_010))
        XCTAssertTrue(reason.hasPrefix("\(path): quick_check: "), reason)
        XCTAssertTrue(reason.contains("sqlite3 \(path) .recover"), reason)
        XCTAssertTrue(reason.contains("-wal"), reason)
        clock.advance(seconds: 60)
        let again = try await holdReason(sink, records(1_000..<1_010))
        XCTAssertEqual(again, reason, "the same is said once")
        XCTAssertEqual(try fileBytes(), before)
    }

    func testStart_withACorruptStore_continuesWhenItWasRepaired() async throws {
        try await makeDamagedStore()
        let sink = try makeSink()
        _ = try await holdReason(sink, records(1_000..<1_010))
        try flipPage(try rootPage())
        try await sink.write(records(1_000..<1_010))
        let count = try await count()
        XCTAssertEqual(count, 1_010)
    }

    private func rootPage() throws -> Int {
        let statement = try SQLiteConnection(path: path, access: .readOnly)
            .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'sample_type_start'")
        XCTAssertTrue(try statement.step())
        return Int(statement.integer(at: 0))
    }

    func testStart_withACorruptStore_continuesInANewOneWhenItWasMovedAway() async throws {
        try await makeDamagedStore()
        let before = try fileBytes()
        let sink = try makeSink()
        _ = try await holdReason(sink, records(1_000..<1_010))
        rename(path, "\(folder)/away.sqlite")
        try await sink.write(records(1_000..<1_010))
        let count = try await count()
        XCTAssertEqual(count, 10)
        let away = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/away.sqlite"))
        XCTAssertEqual([UInt8](away), before)
    }

    func testWrite_thatfindsCorruption_holdsAndContinuesWhenItWasRepaired() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<1_000))
        try damageBehindItsBack()
        let before = try fileBytes()
        for _ in 0..<3 {
            let reason = try await holdReason(sink, records(1_000..<1_010))
            XCTAssertTrue(reason.hasPrefix("\(path): "), reason)
            XCTAssertTrue(reason.contains(".recover"), reason)
            clock.advance(seconds: 60)
        }
        XCTAssertEqual(try fileBytes(), before)
        try flipPage(of: "sample")
        try await sink.write(records(1_000..<1_010))
        let count = try await count()
        XCTAssertEqual(count, 1_010)
    }

    func testWrite_thatfindsCorruption_continuesInARepairedFileThatIsPutInItsPlace() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<1_000))
        try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/copy.sqlite")
        try damageBehindItsBack()
        _ = try await holdReason(sink, records(1_000..<1_010))
        rename("\(folder)/copy.sqlite", path)
        try await sink.write(records(1_000..<1_010))
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        XCTAssertEqual(try connection.pragma("integrity_check"), "ok")
    }

    /// Checkpoints and corrupts the file, and makes the sink read it again by an external change.
    private func damageBehindItsBack() throws {
        let other = try SQLiteConnection(path: path, access: .readWrite)
        _ = try other.pragma("wal_checkpoint(TRUNCATE)")
        try other.execute("UPDATE type SET longest_ns = longest_ns")
        try flipPage(of: "sample")
    }

    func testStore_thatIsCutWhileOpen_getsNoMore_andNothingCountsAsStored() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<1_000))
        let other = try SQLiteConnection(path: path, access: .readWrite)
        _ = try other.pragma("wal_checkpoint(TRUNCATE)")
        try await sink.write(records(1_000..<1_010))
        XCTAssertEqual(truncate(path, off_t(try fileBytes().count / 2)), 0)
        let reason = try await holdReason(sink, records(1_010..<1_020))
        XCTAssertTrue(reason.contains("the file was cut from"), reason)
        // In a new file the sink continues with the batch that was not stored.
        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, "\(folder)/away\(suffix)") }
        try await sink.write(records(1_010..<1_020))
        let count = try await count()
        XCTAssertEqual(count, 10)
    }

    /// An empty file is a new store only when it is opened.
    func testStore_thatIsEmptiedWhileOpen_getsNoMore_andNothingCountsAsStored() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<10))
        let other = try SQLiteConnection(path: path, access: .readWrite)
        _ = try other.pragma("wal_checkpoint(TRUNCATE)")
        try await sink.write(records(10..<20))
        XCTAssertEqual(truncate(path, 0), 0)
        for _ in 0..<2 {
            let reason = try await holdReason(sink, records(20..<30))
            XCTAssertTrue(reason.contains("the file was cut from"), reason)
        }
        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, "\(folder)/away\(suffix)") }
        try await sink.write(records(20..<30))
        let count = try await count()
        XCTAssertEqual(count, 10)
    }

    func testStore_thatIsVacuumedByAnotherProgram_isNotTakenForACutOne() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<2_000))
        let other = try SQLiteConnection(path: path, access: .readWrite)
        _ = try other.pragma("wal_checkpoint(TRUNCATE)")
        try await sink.write(records(2_000..<2_010))
        let before = try fileBytes().count
        try other.execute("DELETE FROM sample WHERE sequence < 1900; VACUUM")
        _ = try other.pragma("wal_checkpoint(TRUNCATE)")
        XCTAssertLessThan(try fileBytes().count, before)
        // More pages than the file has are in the log meanwhile.
        try other.execute("CREATE TABLE other AS SELECT * FROM sample")
        try await sink.write(records(2_010..<2_020))
    }

    func testStore_withAnOverwrittenPage_isFoundWhileOpen() async throws {
        let sink = try makeSink()
        try await sink.write(records(0..<20_000))
        _ = try SQLiteConnection(path: path, access: .readWrite)
            .pragma("wal_checkpoint(TRUNCATE)")
        try overwriteALeaf()
        for batch in 0..<30 {
            clock.advance(seconds: 10)
            let first = 20_000 + batch * 10
            do { try await sink.write(records(first..<first + 10)) } catch {
                return XCTAssertTrue("\(error)".contains(path), "\(error)")
            }
        }
        XCTFail("the damage was not found in five minutes")
    }

    /// Overwrites a page in the middle of the table, which the open connection has in its memory.
    private func overwriteALeaf() throws {
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        let statement = try connection.prepare(
            "SELECT pageno FROM dbstat WHERE name = 'sample' AND pagetype = 'leaf' LIMIT 1 OFFSET 20"
        )
        XCTAssertTrue(try statement.step())
        try flipPage(Int(statement.integer(at: 0)))
    }

    func testCheck_tellsOfDamage_withTheKeyPath() async throws {
        let sink = try makeSink()
        try sink.check()
        try await makeDamagedStore()
        XCTAssertThrowsError(try makeSink().check()) { error in
            XCTAssertEqual((error as? ConfigurationError)?.path, "sinks.store.path")
            XCTAssertTrue("\(error)".contains("quick_check"), "\(error)")
        }
    }

    /// The commands of README.md.
    func testRepair_ofTheReadme_makesAStoreOfWhatCanBeRead() async throws {
        guard access("/usr/bin/sqlite3", X_OK) == 0 else {
            throw XCTSkip("needs the command sqlite3: apt-get install sqlite3")
        }
        try await makeDamagedStore()
        let sink = try makeSink()
        _ = try await holdReason(sink, records(1_000..<1_010))
        let readme = try String(
            contentsOfFile: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("README.md").path,
            encoding: .utf8)
        let section = try XCTUnwrap(readme.range(of: "## Corrupt store"))
        let commands = readme[section.upperBound...].split(separator: "\n")
            .drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }
        try shell("cd '\(folder)'\n" + commands.joined(separator: "\n"))
        try await sink.write(records(1_000..<1_010))
        // The table of the samples was not corrupt.
        let count = try await count()
        XCTAssertEqual(count, 1_010)
        XCTAssertTrue(FileManager.default.fileExists(atPath: "\(folder)/corrupt/health.sqlite"))
    }
}
