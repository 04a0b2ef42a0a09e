import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import HealthStore
import SQLite
import XCTest

@testable import SQLiteSink

/// A store with `keep` on a file system that is full.
final class FullDiskTests: StoreSinkTestCase {
    /// A file system of 8 MiB in memory, as long as this lives.
    private final class SmallDisk {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=8m") == 0 else {
                throw XCTSkip("needs the right to mount a tmpfs; run the tests as root")
            }
        }

        deinit { umount2(folder.path, Int32(MNT_DETACH)) }

        /// Leaves no room; the file is there to be removed.
        func fill() throws {
            let file = open(folder.path("stuffing"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let zeros = [UInt8](repeating: 0, count: 4_096)
            while write(file, zeros, zeros.count) > 0 {}
            close(file)
        }
    }

    private let disk = Result { try SmallDisk() }

    /// Writes until it is stored or the error is another than a full disk; how often it was in vain.
    private func failures(_ sink: SQLiteSink, _ records: [Record]) async throws -> Int {
        for tries in 0..<5 {
            do {
                try await sink.write(records)
                return tries
            } catch SinkError.retry(let reason, _) {
                XCTAssertTrue(reason.contains("full"), reason)
            }
        }
        return 5
    }

    func testKeep_whenTheDiskIsFull_makesRoomForWhatComes() async throws {
        let disk = try disk.get()
        let store = disk.folder.path("health.sqlite")
        try await makeSink(in: disk.folder.path)
            .write(records(0..<8_000, secondsAgo: 8 * 86_400))
        let plain = try makeSink(in: disk.folder.path)
        try await plain.write(records(0..<1))
        try disk.fill()
        // Without `keep` there soon is no room.
        var stored = 1
        while try await failures(plain, records(stored..<stored + 200)) == 0 { stored += 200 }

        let sink = try makeSink("keep: { age: \"7d\" }", in: disk.folder.path)
        for batch in 0..<10 {
            let numbers = 20_000 + batch * 200..<20_200 + batch * 200
            let failures = try await failures(sink, records(numbers))
            XCTAssertEqual(failures, 0, "batch \(batch): \(logged.text)")
        }
        let count = try await count(at: store)
        XCTAssertEqual(count, stored + 2_000)
    }

    func testKeep_whenTheDiskIsSoFullThatNothingCanBeRemoved_stopsNoMoreThanThat() async throws {
        let disk = try disk.get()
        let store = disk.folder.path("health.sqlite")
        try await makeSink(in: disk.folder.path)
            .write(records(0..<8_000, secondsAgo: 8 * 86_400))
        // Nobody has it open, so there is no log that could be used once more.
        XCTAssertNotEqual(access("\(store)-wal", F_OK), 0)
        try disk.fill()
        let sink = try makeSink("keep: { age: \"7d\" }", in: disk.folder.path)
        let inVain = try await failures(sink, records(0..<200))
        XCTAssertEqual(inVain, 5)
        XCTAssertLessThanOrEqual(logged.count(of: "cannot remove"), 1, logged.text)

        try disk.folder.remove("stuffing")
        clock.advance(seconds: 60)
        for batch in 0..<5 {
            let failures = try await failures(
                sink, records(batch * 200..<(batch + 1) * 200))
            XCTAssertEqual(failures, 0)
        }
        let count = try await count(at: store)
        XCTAssertEqual(count, 1_000)
        let connection = try SQLiteConnection(path: store, access: .readOnly)
        XCTAssertEqual(try connection.pragma("integrity_check"), "ok")
    }
}
