import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Platform
import SQLite
import SQLiteStore
import XCTest

@testable import SQLiteSink

/// Tests of what the sink knows about the records that it has stored.
final class VerificationTests: StoreSinkTestCase {
    private func verify(_ sink: SQLiteSink, isAtEnd: Bool = false) async throws -> StoreState {
        try await sink.verify(isAtEnd: isAtEnd)
    }

    /// Writes to a sink as a runner does.
    @discardableResult
    private func write(_ numbers: Range<Int>, to sink: SQLiteSink) async throws -> StoreState {
        let state = try await verify(sink)
        try await sink.write(records(numbers))
        return state
    }

    func testNewFile_isNew_andAnExistingOneIsNot() async throws {
        let first = try makeSink()
        var state = try await write(0..<10, to: first)
        XCTAssertEqual(state, .opened(.nothing))
        let second = try makeSink()
        state = try await write(10..<20, to: second)
        XCTAssertEqual(state, .opened(.everything))
    }

    func testVerification_ofMuch_isOnceAMinute_andWritesTheLogToTheFile() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        var state = try await write(10..<SQLiteSink.verificationCount, to: sink)
        XCTAssertEqual(state, .verified)
        state = try await write(2_000..<2_010, to: sink)
        XCTAssertEqual(state, .unverified)
        clock.advance(seconds: 60)
        state = try await verify(sink)
        XCTAssertEqual(state, .verified)
        // The file alone has everything.
        for suffix in ["-wal", "-shm"] {
            rename("\(path)\(suffix)", "\(folder)/away\(suffix)")
        }
        let connection = try SQLiteConnection(path: path, access: .immutable)
        let rows = try connection.prepare("SELECT count(*) FROM sample")
        XCTAssertTrue(try rows.step())
        XCTAssertEqual(rows.integer(at: 0), 2_010)
    }

    /// Each verification writes the pages that change all the time.
    func testVerification_ofLittle_isOnceInTenMinutes() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        try await write(10..<20, to: sink)
        var states: [StoreState] = []
        for minute in 1...20 {
            clock.advance(seconds: 60)
            states.append(try await write(minute * 20..<minute * 20 + 10, to: sink))
        }
        XCTAssertEqual(states.indices.filter { states[$0] == .verified }, [9, 19])
    }

    func testNothingNew_isNotReadAgain() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        var state = try await verify(sink, isAtEnd: true)
        XCTAssertEqual(state, .verified)
        state = try await verify(sink, isAtEnd: true)
        XCTAssertEqual(state, .unverified)
    }

    func testEnd_withoutABatch_opensNoFile() async throws {
        let sink = try makeSink()
        let state = try await verify(sink, isAtEnd: true)
        XCTAssertEqual(state, .unverified)
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    func testReaderThatDoesNotEnd_isNoVerification() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        let reader = try SQLiteConnection(path: path, access: .readOnly)
        try reader.execute("BEGIN")
        _ = try reader.prepare("SELECT count(*) FROM sample").step()
        try await sink.write(records(10..<20))
        var state = try await verify(sink)
        XCTAssertEqual(state, .unverified)
        try reader.execute("COMMIT")
        clock.advance(seconds: 60)
        state = try await verify(sink)
        XCTAssertEqual(state, .verified)
    }

    func testOverwrittenPage_ofNewRows_isFoundBeforeTheyCountAsVerified() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        try await write(10..<20_000, to: sink)
        _ = try SQLiteConnection(path: path, access: .readWrite)
            .pragma("wal_checkpoint(TRUNCATE)")
        let pages = try SQLiteConnection(path: path, access: .readOnly).prepare(
            """
            SELECT pageno FROM dbstat WHERE name = 'sample' AND pagetype = 'leaf'
            ORDER BY pageno DESC LIMIT 1 OFFSET 5
            """)
        XCTAssertTrue(try pages.step())
        try flipPage(Int(pages.integer(at: 0)))
        clock.advance(seconds: 60)
        do {
            let state = try await verify(sink)
            XCTFail("\(state)")
        } catch SinkError.blocked(let reason) {
            XCTAssertTrue(reason.hasPrefix(path), reason)
        }
        // It is not written to until it is moved; then it is a new one.
        do {
            _ = try await verify(sink)
            XCTFail("the damage was forgotten")
        } catch SinkError.blocked {}
        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, "\(folder)/away\(suffix)") }
        let state = try await write(20_000..<20_010, to: sink)
        XCTAssertEqual(state, .opened(.nothing))
    }

    func testRowsThatAreMissingInTheFile_areFound() async throws {
        let sink = try makeSink()
        try await write(0..<1_000, to: sink)
        var state = try await write(1_000..<2_000, to: sink)
        XCTAssertEqual(state, .verified)
        _ = try SQLiteConnection(path: path, access: .readWrite)
            .pragma("wal_checkpoint(TRUNCATE)")
        let old = try fileBytes()
        try await sink.write(records(2_000..<3_000))
        _ = try SQLiteConnection(path: path, access: .readWrite)
            .pragma("wal_checkpoint(TRUNCATE)")
        // The file as it was before, in the same place: every page of it is intact.
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.write(contentsOf: old)
        try handle.close()
        clock.advance(seconds: 60)
        do {
            state = try await verify(sink)
            XCTFail("\(state)")
        } catch SinkError.blocked(let reason) {
            XCTAssertTrue(reason.hasPrefix(path), reason)
        }
    }

    func testStoreThatWasMovedRemovedOrReplaced_isOpenedAgain() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        rename(path, "\(folder)/away.sqlite")
        var state = try await write(10..<20, to: sink)
        XCTAssertEqual(state, .opened(.nothing))
        unlink(path)
        state = try await write(20..<30, to: sink)
        XCTAssertEqual(state, .opened(.nothing))
        rename("\(folder)/away.sqlite", path)
        state = try await write(30..<40, to: sink)
        XCTAssertEqual(state, .opened(.earlier(missing: 10)), "it is another store")
        let count = try await count()
        XCTAssertEqual(count, 20)
    }

    /// A store that has more rows than the one in whose place it is has none of its records.
    func testForeignStore_hasNothingOfWhatWasStored() async throws {
        let foreign = "\(folder)/foreign"
        try FileManager.default.createDirectory(
            atPath: foreign, withIntermediateDirectories: false)
        try await makeSink(in: foreign).write(records(0..<30))
        let sink = try makeSink()
        try await write(100..<110, to: sink)
        for suffix in ["", "-wal", "-shm"] { unlink("\(path)\(suffix)") }
        rename("\(foreign)/health.sqlite", path)
        let state = try await write(110..<115, to: sink)
        XCTAssertEqual(state, .opened(.earlier(missing: 10)))
    }

    /// Other programs see nothing of a log whose name is gone, or of one without its index.
    func testLogThatIsRemoved_isWrittenToTheFile_andTheFileOpenedAgain() async throws {
        for (index, suffixes) in [["-wal"], ["-shm"], ["-wal", "-shm"]].enumerated() {
            try setUpWithError()
            let sink = try makeSink()
            try await write(0..<10, to: sink)
            for suffix in suffixes { unlink("\(path)\(suffix)") }
            let state = try await write(10..<20, to: sink)
            XCTAssertEqual(state, .opened(.everything), "\(suffixes)")
            let count = try await count()
            XCTAssertEqual(count, 20, "\(suffixes)")
            XCTAssertEqual(logged.count(of: "log of the store was moved"), index + 1)
        }
    }

    func testEarlierCopy_isNoticed_withTheNumberOfRecordsThatItLacks() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        _ = try SQLiteConnection(path: path, access: .readWrite)
            .pragma("wal_checkpoint(TRUNCATE)")
        try Data(fileBytes()).write(to: URL(fileURLWithPath: "\(folder)/backup.sqlite"))
        try await write(10..<25, to: sink)
        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, "\(folder)/new\(suffix)") }
        rename("\(folder)/backup.sqlite", path)
        var state = try await write(25..<30, to: sink)
        XCTAssertEqual(state, .opened(.earlier(missing: 15)))
        // The newer file has all rows of the copy, by their numbers.
        rename("\(folder)/new", path)
        state = try await write(30..<35, to: sink)
        XCTAssertEqual(state, .opened(.everything))
    }

    /// A file that was made, but got nothing before the process was killed.
    func testFileWithoutRows_isNew() async throws {
        _ = try SQLiteStore(path: path)
        let sink = try makeSink()
        let state = try await write(0..<10, to: sink)
        XCTAssertEqual(state, .opened(.nothing))
    }

    func testFullDisk_isReportedBeforeTheNextAttempt() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        _ = await sink.note(
            SQLiteError(reason: .full, operation: "COMMIT", message: "full", path: path))
        var state = try await write(10..<20, to: sink)
        XCTAssertEqual(state, .full)
        state = try await verify(sink)
        XCTAssertEqual(state, .verified)
    }

    /// The sink notices in `write` that the file was moved after it was asked.
    func testStoreThatIsMovedBetween_isReportedWithTheNextBatch() async throws {
        let sink = try makeSink()
        try await write(0..<10, to: sink)
        _ = try await verify(sink)
        rename(path, "\(folder)/away.sqlite")
        try await sink.write(records(10..<20))
        let state = try await verify(sink)
        XCTAssertEqual(state, .opened(.nothing))
    }

    func testRetention_thatRemovesNewRows_isNoDamage() async throws {
        let sink = try makeSink("retention: { age: \"1h\" }")
        let old = try records(0..<1_000, secondsAgo: 5_000)
        _ = try await verify(sink)
        for _ in 0..<5 {
            try await sink.write(old)
            clock.advance(seconds: 600)
            let state = try await verify(sink)
            XCTAssertEqual(state, .verified)
        }
    }
}
