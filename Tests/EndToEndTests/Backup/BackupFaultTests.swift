import Foundation
import GatewayTesting
import Glibc
import XCTest

/// A disk that is full or broken during a backup and a restore: the command says so, and leaves nothing.
final class BackupFaultTests: XCTestCase {
    /// More calls than a backup or a restore makes.
    private static let mostCalls = 200

    func testBackup_whenEachWrite_orSync_orRename_fails() async throws {
        let homes = try await BackupHomes(samples: 3)
        for (call, code) in [(Faults.Call.write, ENOSPC), (.sync, EIO), (.rename, EIO)] {
            try await failEach(call, code, in: homes.old, below: homes.old.folder.path) { home in
                let outcome = try await home.run("backup", homes.backup)
                let exists = FileManager.default.fileExists(atPath: homes.backup)
                XCTAssertEqual(exists, outcome.ending == .exited(0), "\(call): \(outcome.error)")
                XCTAssertEqual(homes.drafts, [], "\(call)")
                if exists {
                    try await BackupHomes.succeed(homes.old, "restore", "--check", homes.backup)
                }
                unlink(homes.backup)
                return outcome
            }
        }
    }

    func testRestore_whenEachWrite_orSync_orRename_fails() async throws {
        let homes = try await BackupHomes(samples: 3)
        try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        for (call, code) in [(Faults.Call.write, ENOSPC), (.sync, EIO), (.rename, EIO)] {
            let new = try Home()
            try await failEach(call, code, in: new, below: new.folder.path) { home in
                let outcome = try await home.run("restore", homes.backup)
                if outcome.ending != .exited(0) {
                    // A fault after the restore was complete leaves renames for the next command.
                    let again = try await new.run("restore", homes.backup)
                    XCTAssertEqual(again.ending, .exited(0), "\(call): \(again.error)")
                }
                try homes.assertRestored(new, "\(call)")
                for name in ["data", "config"] { try new.folder.remove(name) }
                return outcome
            }
        }
    }

    /// Fails the calls one after the other until there are no more; a command that fails says why.
    private func failEach(
        _ call: Faults.Call, _ code: Int32, in home: Home, below path: String,
        _ run: (Home) async throws -> Home.Outcome
    ) async throws {
        var failures = 0
        for number in 1...Self.mostCalls {
            let report = home.folder.path("struck-\(call)-\(number)")
            var faults = Faults(call: call, failure: .error(code))
            (faults.first, faults.path, faults.report) = (number, path, report)
            var faulty = home
            faulty.environment.merge(try faults.environment()) { $1 }
            let outcome = try await run(faulty)
            guard faults.hasStruck else {
                XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
                print("\(call): \(number - 1) calls failed, \(failures) ended the command")
                return XCTAssertGreaterThan(number, 1, "\(call) was never reached")
            }
            guard outcome.ending != .exited(0) else { continue }
            failures += 1
            XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
            let words = String(cString: strerror(code))
            XCTAssertTrue(
                outcome.error.contains(words) || outcome.error.contains("full")
                    || outcome.error.contains("disk I/O error"),
                "\(call) \(number): \(outcome.error)")
        }
        XCTFail("\(call): more than \(Self.mostCalls) calls")
    }

    func testBackup_onAFullDisk_leavesNothing() async throws {
        let homes = try await BackupHomes(samples: 2_000)
        let disk = try SmallDisk(
            "tmpfs", at: homes.old.folder.makeFolder("disk"), kibibytes: 256)
        defer { disk.unmount() }
        let outcome = try await homes.old.run("backup", homes.old.folder.path("disk/b.tar"))
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(
            outcome.error.contains("disk is full")
                || outcome.error.contains("No space left on device"), outcome.error)
        XCTAssertEqual(BackupHomes.names(in: homes.old.folder.path("disk")), [])
    }

    func testRestore_onAFullDisk_leavesNothing_andSucceedsWithSpace() async throws {
        let homes = try await BackupHomes(samples: 2_000)
        try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        let new = try Home()
        let disk = try SmallDisk(
            "tmpfs", at: new.folder.makeFolder("data"), kibibytes: 1_024)
        defer { disk.unmount() }
        try disk.fill()
        let outcome = try await new.run("restore", homes.backup)
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(outcome.error.contains("No space left on device"), outcome.error)
        disk.free()
        XCTAssertEqual(
            BackupHomes.names(in: new.dataDirectory).filter { $0 != "lock" }, [])
        try await BackupHomes.succeed(new, "restore", homes.backup)
        try homes.assertRestored(new)
    }
}
