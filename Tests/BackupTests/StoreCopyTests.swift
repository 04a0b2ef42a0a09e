import GatewayHost
import GatewayTesting
import Glibc
import HealthModel
import HealthStore
import SQLite
import SQLiteStore
import XCTest

@testable import Backup

/// Tests of the copy of a store that is being written.
final class StoreCopyTests: XCTestCase {
    private static func heartRates(_ numbers: Range<Int>) throws -> [Record] {
        try numbers.map { number in
            let time = Instant(nanosecondsSince1970: Int64(number) * 1_000_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID(high: UInt64(number), low: 1), type: .heartRate, start: time,
                    end: time, quantity: Quantity(Double(60 + number % 90), .countPerMinute),
                    person: "ada", metadata: Metadata(["n": .number(Double(number))])))
        }
    }

    func testCopy_isTheStateAtItsBeginning_whileTheWriterGoesOn() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("health.sqlite")
        let store = try SQLiteStore(path: path)
        _ = try await store.save(try Self.heartRates(0..<30_000))
        let before = try StoreDump.rows(of: path)
        let writer = try SQLiteConnection(path: path, access: .readWrite)
        var commits = 0
        let copy = try StoreCopy(of: path, at: folder.path("copy")) { (_, _) throws(HostError) in
            commits += 1
            // A step of the copy keeps no lock that a writer needs.
            writer.setBusyTimeout(milliseconds: 0)
            do {
                try writer.execute("INSERT INTO person (name) VALUES ('p\(commits)')")
            } catch {
                throw HostError(.failure, "\(error)")
            }
        }
        XCTAssertGreaterThanOrEqual(commits, 2)
        XCTAssertEqual(try StoreDump.rows(of: copy.path), before)
        XCTAssertEqual(copy.records["samples"], 30_000)
        XCTAssertEqual(try StoreDump.rows(of: path)["person"]?.count, 1 + commits)
    }

    func testCopy_isOneFile_thatIsRemovedAtTheEnd() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("health.sqlite")
        let store = try SQLiteStore(path: path)
        _ = try await store.save(try Self.heartRates(0..<10))
        var copy: StoreCopy? = try StoreCopy(of: path, at: folder.path("copy")) { _, _ in }
        let names = try Folder.names(in: folder.path).filter { $0.hasPrefix("copy") }
        XCTAssertEqual(names, ["copy"])
        XCTAssertEqual(try folder.permissions()["copy"], 0o600)
        XCTAssertEqual(copy?.schema ?? 0 > 0, true)
        copy = nil
        XCTAssertFalse(Folder.exists(folder.path("copy")))
    }

    func testInterruptedCopy_leavesNothing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("health.sqlite")
        let store = try SQLiteStore(path: path)
        _ = try await store.save(try Self.heartRates(0..<20_000))
        XCTAssertThrowsError(
            try StoreCopy(of: path, at: folder.path("copy")) { (_, _) throws(HostError) in
                throw HostError(.failure, "interrupted")
            })
        XCTAssertFalse(Folder.exists(folder.path("copy")))
    }

    func testWhatIsNoStore_isRefused() throws {
        let folder = try TemporaryFolder()
        let other = try SQLiteConnection(path: folder.path("other"), access: .readWrite)
        try other.execute("CREATE TABLE t (x)")
        for name in ["other", "missing"] {
            XCTAssertThrowsError(
                try StoreCopy(of: folder.path(name), at: folder.path("copy")) { _, _ in })
        }
        XCTAssertFalse(Folder.exists(folder.path("copy")))
    }

    func testDamagedStore_isNotBackedUp() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("health.sqlite")
        do {
            let store = try SQLiteStore(path: path)
            _ = try await store.save(try Self.heartRates(0..<20_000))
            try await store.checkpoint()
        }
        let descriptor = open(path, O_WRONLY)
        let noise = [UInt8](repeating: 0xA5, count: 4_096)
        for page in 200..<260 { pwrite(descriptor, noise, noise.count, off_t(page) * 4_096) }
        close(descriptor)
        XCTAssertThrowsError(
            try StoreCopy(of: path, at: folder.path("copy")) { _, _ in }
        ) { error in
            XCTAssertTrue("\(error)".contains("damaged store is not written"), "\(error)")
        }
        XCTAssertFalse(Folder.exists(folder.path("copy")))
    }
}
