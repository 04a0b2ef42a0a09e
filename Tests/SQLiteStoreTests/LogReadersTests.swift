import Glibc
import SQLite
import XCTest

@testable import SQLiteStore

final class LogReadersTests: StoreTestCase {
    func testProcesses_areThoseWithAReadersLockOnTheFile() {
        let list = """
            1: POSIX  ADVISORY  READ  812 08:01:131 124 124
            2: POSIX  ADVISORY  READ  812 08:01:131 128 128
            3: POSIX  ADVISORY  READ  900 00:2a:131 123 123
            3: -> POSIX  ADVISORY  WRITE 901 00:2a:131 124 124
            4: POSIX  ADVISORY  READ  902 08:01:132 124 124
            5: FLOCK  ADVISORY  WRITE 903 08:01:131 0 EOF
            6: POSIX  ADVISORY  WRITE 904 08:01:131 124 124
            7: POSIX  ADVISORY  READ  -1 08:01:131 125 125
            8: POSIX  ADVISORY  READ  905 08:01:131 0 EOF
            9: POSIX  ADVISORY  READ  812 08:01:131 125 125
            nonsense

            """
        XCTAssertEqual(LogReaders.processes(in: list, inode: 131), [812, 900])
        XCTAssertEqual(LogReaders.processes(in: "", inode: 131), [])
    }

    func testTruncateLog_whileAnotherProcessReads_failsAndNamesIt() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<100))
        let reader = try SQLiteConnection(path: path, access: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM sample")
        _ = try await store.save(heartRates(100..<200))
        let isCut = try await store.truncateLog()
        XCTAssertFalse(isCut)
        let readers = await store.logReaders()
        XCTAssertTrue(readers.contains { $0.hasSuffix("(\(getpid()))") }, "\(readers)")
        try reader.execute("ROLLBACK")
        let isCutNow = try await store.truncateLog()
        XCTAssertTrue(isCutNow)
        let noReaders = await store.logReaders()
        XCTAssertEqual(noReaders, [])
        var status = stat()
        XCTAssertEqual(stat("\(path)-wal", &status), 0)
        XCTAssertEqual(status.st_size, 0)
    }
}
