import Foundation
import HealthModel
import SQLite
import XCTest

@testable import SQLiteStore

final class StoreCheckTests: StoreTestCase {
    private let pageSize = 4_096

    /// Makes a store without a write-ahead log and returns its bytes.
    private func makeStore() async throws -> [UInt8] {
        do {
            let store = try SQLiteStore(path: path)
            _ = try await store.save(heartRates(0..<600))
            try await store.checkpoint()
        }
        return try bytes()
    }

    private func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func write(_ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    func testCheck_ofASoundStore_ofNone_andOfAnEmptyFile_findsNothing() async throws {
        try StoreCheck(path: path).run()
        XCTAssertFalse(FileManager.default.fileExists(atPath: path), "it must not make anything")
        try write([])
        try StoreCheck(path: path).run()
        _ = try await makeStore()
        for limit in [StoreCheck.fullCheckBytes, 0] {
            try StoreCheck(path: path, fullCheckBytes: limit).run()
        }
    }

    func testCheck_readsTheLogToo() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<600))
        for limit in [StoreCheck.fullCheckBytes, 0] {
            try StoreCheck(path: path, fullCheckBytes: limit).run()
        }
        let count = try await store.count(of: .heartRate)
        XCTAssertEqual(count, 600)
    }

    func testCheck_whenBytesOfAnyPageAreFlipped_findsItAndWritesNothing() async throws {
        let sound = try await makeStore()
        XCTAssertGreaterThan(sound.count / pageSize, 20)
        for page in 0..<sound.count / pageSize {
            var damaged = sound
            // The page header: type, number of cells, and cell content area.
            for offset in 0..<8 { damaged[page * pageSize + offset] ^= 0x5a }
            try write(damaged)
            XCTAssertThrowsError(try StoreCheck(path: path).run(), "page \(page + 1)") { error in
                let error = error as? SQLiteError
                XCTAssertEqual(error?.isCorruption, true, "\(String(describing: error))")
                XCTAssertTrue(error?.description.contains(path) ?? false)
            }
            XCTAssertEqual(try bytes(), damaged, "page \(page + 1)")
        }
    }

    func testCheck_ofALargeFile_findsDamageWhereItIsWritten() async throws {
        let sound = try await makeStore()
        let roots = try ["sample", "sample_type_start"].map {
            Int(try integer("SELECT rootpage FROM sqlite_master WHERE name = '\($0)'"))
        }
        for root in roots {
            var damaged = sound
            for offset in 0..<8 { damaged[(root - 1) * pageSize + offset] ^= 0x5a }
            try write(damaged)
            XCTAssertThrowsError(try StoreCheck(path: path, fullCheckBytes: 0).run()) {
                XCTAssertEqual(($0 as? SQLiteError)?.reason, .corrupt, "\($0)")
            }
        }
    }

    func testCheck_ofAFileThatWasCutOff_findsIt() async throws {
        let sound = try await makeStore()
        try write(sound.prefix(sound.count / 2))
        for limit in [StoreCheck.fullCheckBytes, 0] {
            let check = StoreCheck(path: path, fullCheckBytes: limit)
            XCTAssertThrowsError(try check.run()) {
                XCTAssertEqual(($0 as? SQLiteError)?.reason, .corrupt, "\($0)")
            }
        }
    }

    func testCheck_ofAnotherProgramsFile_reportsIt() throws {
        try execute("CREATE TABLE bookmarks (url TEXT)")
        XCTAssertThrowsError(try StoreCheck(path: path).run()) {
            XCTAssertEqual(($0 as? SQLiteError)?.reason, .foreignFile)
        }
    }
}
