import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Platform
import Readings
import SQLite
import SQLiteStore
import XCTest

@testable import SQLiteSink

/// Tests of a store with `retention` on a full file system.
final class RetentionOnFullDiskTests: StoreSinkTestCase {
    /// A file system of 8 MiB in memory.
    private final class SmallDisk {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=8m") == 0 else {
                throw XCTSkip("needs the right to mount a tmpfs; run the tests as root")
            }
        }

        deinit { umount2(folder.path, Int32(MNT_DETACH)) }

        /// Fills the file system with a file that can be removed.
        func fill() throws {
            let file = open(folder.path("stuffing"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let zeros = [UInt8](repeating: 0, count: 4_096)
            while Glibc.write(file, zeros, zeros.count) > 0 {}
            close(file)
        }
    }

    private let disk = Result { try SmallDisk() }

    private func write(_ records: [Record], to sink: SQLiteSink) async throws -> Bool {
        do {
            try await sink.write(records)
            return true
        } catch SinkError.storageFull(let reason) {
            XCTAssertTrue(reason.contains("free space"), reason)
            return false
        }
    }

    func testRetention_onAFullDisk_writesAsSoonAsThereIsRoom_andRemovesLater() async throws {
        let disk = try disk.get()
        let store = disk.folder.path("health.sqlite")
        let old = try records(0..<8_000, secondsAgo: 8 * 86_400)
        for isOpen in [true, false] {
            let sink = try makeSink("retention: { age: \"7d\" }", in: disk.folder.path)
            if isOpen { try await sink.write(records(0..<1)) }
            try await makeSink(in: disk.folder.path).write(old)
            try disk.fill()
            clock.advance(seconds: 60)
            var batches = try (1..<60).map { try records($0 * 200..<($0 + 1) * 200) }[...]
            while let batch = batches.first, try await write(batch, to: sink) {
                batches.removeFirst()
            }
            XCTAssertFalse(batches.isEmpty, "the disk is not full")
            let warnings = logged.count(of: "cannot remove")
            for _ in 0..<3 {
                let isStored = try await write(Array(batches.joined()), to: sink)
                XCTAssertFalse(isStored)
            }
            XCTAssertEqual(logged.count(of: "cannot remove"), warnings, logged.text)

            // Writing does not wait for the next check.
            try disk.folder.remove("stuffing")
            let isStored = try await write(Array(batches.joined()), to: sink)
            XCTAssertTrue(isStored, logged.text)
            for _ in 0..<5 {
                clock.advance(seconds: 60)
                try await sink.write([])
            }
            let left = try await SQLiteStore(readingFrom: store).samples(
                matching: SampleQuery(type: .heartRate, limit: 1)
            ).first
            let week = clock.epoch().instant(at: clock.now().adding(seconds: -7 * 86_400))
            XCTAssertGreaterThan(try XCTUnwrap(left).start, week, "\(isOpen): \(logged.text)")
            let connection = try SQLiteConnection(path: store, access: .readOnly)
            XCTAssertEqual(try connection.pragma("integrity_check"), "ok")
        }
    }
}
