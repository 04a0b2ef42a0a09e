import Foundation
import GatewayTesting
import Glibc
import SQLite
import XCTest

/// `backup` and `restore` as a user runs them.
final class BackupCommandTests: XCTestCase {
    func testBackup_isRestoredOnAnEmptyMachine() async throws {
        let homes = try await BackupHomes()
        let written = try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        XCTAssertTrue(written.error.contains("200 samples, 1 person written to "), written.error)
        XCTAssertEqual(written.output, "")
        XCTAssertEqual(homes.drafts, [])
        let new = try Home()
        let restored = try await BackupHomes.succeed(new, "restore", homes.backup)
        XCTAssertTrue(restored.output.contains("200 samples, 1 person"), restored.output)
        XCTAssertTrue(restored.output.contains("configuration: \(new.configurationPath)"))
        try homes.assertRestored(new)
        let people = try await BackupHomes.succeed(new, "people", "list", "--json")
        XCTAssertTrue(people.output.contains("\"bob\""), people.output)
    }

    /// As after a fault of a disk, when a backup is wanted most.
    func testStoreOnADiskThatCanOnlyBeRead_isBackedUp() async throws {
        let homes = try await BackupHomes()
        let mounting = 77
        let script = """
            mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" || exit \(mounting)
            exec "$@"
            """
        let outcome = try await homes.old.run(
            ["backup", homes.backup],
            prefix: [
                "/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, homes.old.dataDirectory,
            ])
        let (ending, text) = (outcome.ending, outcome.error)
        if ending == .exited(Int32(mounting)) || text.contains("unshare:") {
            throw XCTSkip("may not mount anything here: \(text)")
        }
        XCTAssertEqual(ending, .exited(0), text)
        XCTAssertTrue(text.contains("200 samples"), text)
    }

    func testArchive_isOpenedByOtherPrograms() async throws {
        let homes = try await BackupHomes()
        try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        let folder = try homes.old.folder.makeFolder("unpacked")
        let shell = try RunningCommand(
            [
                "/bin/sh", "-c",
                "cd '\(folder)' && tar -xf ../backup.tar && sha256sum -c SHA256SUMS && ls -l",
            ], in: homes.old.folder, environment: homes.old.environment, output: .pipe)
        let ending = try await shell.waitForEnd()
        let text = await shell.text(of: .output)
        XCTAssertEqual(ending, .exited(0), text)
        XCTAssertTrue(text.contains("health.sqlite: OK"), text)
        XCTAssertFalse(text.contains("FAILED"), text)
        XCTAssertEqual(
            try StoreDump.rows(of: "\(folder)/health.sqlite"),
            try StoreDump.rows(of: "\(homes.old.dataDirectory)/health.sqlite"))
        let mode = try FileManager.default.attributesOfItem(atPath: homes.backup)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)
    }

    func testFileThatExists_isReplacedWithForceOnly() async throws {
        let homes = try await BackupHomes(samples: 3)
        try homes.old.folder.write(Array("mine".utf8), to: "backup.tar")
        let refused = try await homes.old.run("backup", homes.backup)
        XCTAssertEqual(refused.ending, .exited(1))
        XCTAssertTrue(refused.error.contains("exists already; use another name, or replace it"))
        XCTAssertEqual(FileManager.default.contents(atPath: homes.backup), Data("mine".utf8))
        try await BackupHomes.succeed(homes.old, "backup", "--force", homes.backup)
        try await BackupHomes.succeed(homes.old, "restore", "--check", homes.backup)
    }

    func testStandardOutput_isTheSameArchive() async throws {
        let homes = try await BackupHomes(samples: 3)
        let path = try Home.commandPath()
        let shell = try RunningCommand(
            ["/bin/sh", "-c", "'\(path)' backup - > '\(homes.backup)'"], in: homes.old.folder,
            environment: homes.old.environment, output: .pipe)
        let ending = try await shell.waitForEnd()
        let log = await shell.text(of: .error)
        XCTAssertEqual(ending, .exited(0), log)
        XCTAssertTrue(log.contains("written to standard output"), log)
        try await BackupHomes.succeed(homes.old, "restore", "--check", homes.backup)
        XCTAssertEqual(homes.drafts, [])
    }

    func testSecrets_areNotInIt_andTheRestoreNamesThem() async throws {
        let homes = try await BackupHomes(samples: 3)
        try homes.old.folder.makeFolder("data/pulsegate/secrets")
        let secret = try homes.old.folder.write(
            Array("never-in-a-backup".utf8), to: "data/pulsegate/secrets/repo-token")
        chmod(secret, 0o600)
        let written = try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        XCTAssertTrue(written.error.contains("not in the backup: secret: repo-token"))
        let archive = FileManager.default.contents(atPath: homes.backup) ?? Data()
        XCTAssertNil(archive.range(of: Data("never-in-a-backup".utf8)))
        let restored = try await BackupHomes.succeed(try Home(), "restore", homes.backup)
        XCTAssertTrue(
            restored.output.contains("pulsegate secret set repo-token"), restored.output)
    }

    func testDamagedAndForeignFiles_areRefused_andNothingIsMade() async throws {
        let homes = try await BackupHomes(samples: 3)
        try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        let whole = [UInt8](FileManager.default.contents(atPath: homes.backup) ?? Data())
        var damaged = whole
        damaged[whole.count / 2] ^= 1
        let wrong: [(name: String, bytes: [UInt8], words: String)] = [
            ("cut", Array(whole[..<(whole.count - 700)]), "is incomplete"),
            ("damaged", damaged, "is damaged: health.sqlite has another checksum"),
            ("foreign", Array("hello".utf8), "is not a backup"), ("empty", [], "is not a backup"),
        ]
        let new = try Home()
        for (name, bytes, words) in wrong {
            let path = try new.folder.write(bytes, to: name)
            for option in [["--check"], []] {
                let outcome = try await new.run(["restore", path] + option)
                XCTAssertEqual(outcome.ending, .exited(1), name)
                XCTAssertTrue(outcome.error.contains(words), "\(name): \(outcome.error)")
            }
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: new.dataDirectory))
        let missing = try await new.run("restore", "/none")
        XCTAssertTrue(missing.error.contains("cannot read /none: No such file"), missing.error)
    }

    func testDataDirectoryInUse_isRefusedWithWhatToDo() async throws {
        let homes = try await BackupHomes(samples: 3)
        try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        let outcome = try await homes.old.run("restore", homes.backup)
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(outcome.error.contains("has data already: "), outcome.error)
        XCTAssertTrue(outcome.error.contains("mv \(homes.old.dataDirectory) "), outcome.error)
    }

    func testRecordsThatWaitInTheJournal_areStoredFirst_orNamed() async throws {
        let home = try Home()
        try home.configure(#"{ sinks: { store: "sqlite" } }"#)
        try await BackupHomes.succeed(home, "add", "bodyMass", "70", "kg")
        let lock = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readWrite)
        try lock.execute("BEGIN IMMEDIATE")
        // The journal has it, the store does not.
        let added = try await home.run("add", "bodyMass", "71", "kg")
        XCTAssertTrue(added.error.contains("not delivered to store yet"), added.error)
        let path = home.folder.path("backup.tar")
        let incomplete = try await home.run("backup", path)
        XCTAssertEqual(incomplete.ending, .exited(1), incomplete.error)
        XCTAssertTrue(
            incomplete.error.contains("not in the backup: 1 record, accepted before"),
            incomplete.error)
        try lock.execute("ROLLBACK")
        let complete = try await BackupHomes.succeed(home, "backup", "--force", path)
        XCTAssertTrue(complete.error.contains("2 samples"), complete.error)
    }

    func testTerminal_getsNoArchive() async throws {
        let homes = try await BackupHomes(samples: 3)
        let command = try homes.old.start("backup", "-", output: .terminal)
        let ending = try await command.waitForEnd()
        XCTAssertEqual(ending, .exited(64))
        let log = await command.text(of: .error)
        XCTAssertTrue(log.contains("redirect standard output, or name a file"), log)
        let output = await command.text(of: .output)
        XCTAssertEqual(output, "")
    }

    func testProgress_isShownAtATerminal_andCtrlCLeavesNothing() async throws {
        let homes = try await BackupHomes(samples: 3)
        try homes.grow(by: 1_500_000)
        let pane = try await TerminalPane(homes.old, columns: 100, rows: 20)
        try await pane.run("pulsegate backup '\(homes.backup)'")
        try await pane.waitForText(" % of ")
        try await pane.press("C-c")
        try await pane.waitForText("interrupted; nothing was written")
        try await pane.waitForPrompt()
        XCTAssertFalse(FileManager.default.fileExists(atPath: homes.backup))
        XCTAssertEqual(homes.drafts, [])
    }

    func testStoreOfTheFirstEdition_isRestoredAsItIs_andUpdatedByTheNextStart() async throws {
        let old = try FirstEdition(in: Home()).home
        try old.configure("{ sinks: { store: \"sqlite\" } }")
        let before = try StoreDump.rows(of: "\(old.dataDirectory)/health.sqlite")
        // Otherwise what waits in it is stored first, by a gateway that updates the store.
        unlink("\(old.dataDirectory)/journal.sqlite")
        unlink("\(old.dataDirectory)/journal.sqlite-wal")
        let path = old.folder.path("backup.tar")
        try await BackupHomes.succeed(old, "backup", path)
        let new = try Home()
        try await BackupHomes.succeed(new, "restore", path)
        XCTAssertEqual(try StoreDump.rows(of: "\(new.dataDirectory)/health.sqlite"), before)
        let added = try await BackupHomes.succeed(
            new, "add", "bodyMass", "70", "kg", "--person", "ada")
        XCTAssertTrue(added.output.contains("added bodyMass"), added.output)
        let rows = try StoreDump.rows(of: "\(new.dataDirectory)/health.sqlite")
        XCTAssertEqual(rows["sample"]?.count, (before["sample"]?.count ?? 0) + 1)
    }
}
