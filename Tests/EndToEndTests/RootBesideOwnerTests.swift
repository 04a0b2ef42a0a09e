import Foundation
import GatewayTesting
import Glibc
import XCTest

/// What root runs in the data directory of another user does nothing that this user could not.
final class RootBesideOwnerTests: XCTestCase {
    private static let owner: uid_t = 4_711

    /// A home whose data directory is another user's, with a file that only root may read.
    private func makeHome() throws -> (home: Home, secret: String) {
        guard getuid() == 0 else { throw XCTSkip("needs root") }
        let home = try Home()
        try home.folder.makeFolder("own")
        try home.folder.write(Array("root only\n".utf8), to: "own/secret")
        chmod(home.folder.path("own"), 0o700)
        for path in ["", "data", "config"] {
            mkdir(home.folder.path(path), 0o755)
            chmod(home.folder.path(path), 0o755)
        }
        mkdir(home.dataDirectory, 0o700)
        chown(home.dataDirectory, Self.owner, Self.owner)
        return (home, home.folder.path("own/secret"))
    }

    private func giveAll(in folder: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            lchown("\(folder)/\(name)", Self.owner, Self.owner)
        }
    }

    func testInterruptedRestore_ofTheOwner_movesNoFileOfRoot() async throws {
        let (home, secret) = try makeHome()
        let (data, stolen) = (home.dataDirectory, "\(home.dataDirectory)/stolen")
        try home.folder.makeFolder("data/pulsegate/restore.complete")
        try home.folder.write(
            Array(#"{"moves":[{"from":"\#(secret)","to":"\#(stolen)"}]}"#.utf8),
            to: "data/pulsegate/restore.complete/moves.json")
        try giveAll(in: data)
        for words in [["status"], ["query", "heartRate"], ["people"]] {
            _ = try await home.run(words)
            XCTAssertTrue(FileManager.default.fileExists(atPath: secret), "\(words)")
            XCTAssertFalse(FileManager.default.fileExists(atPath: stolen), "\(words)")
        }
        var status = stat()
        if stat("\(data)/lock", &status) == 0 { XCTAssertEqual(status.st_uid, Self.owner) }
    }

    func testBackup_readsWhatTheOwnerCanRead_andWritesWhereRootCan() async throws {
        let (home, secret) = try makeHome()
        let target = home.folder.path("own/backup.tar")
        let first = try await home.run("backup", target)
        XCTAssertEqual(first.ending, .exited(0), first.error)
        symlink(secret, "\(home.dataDirectory)/access.json")
        let second = try await home.run("backup", home.folder.path("own/second.tar"))
        XCTAssertEqual(second.ending, .exited(1), second.error)
        XCTAssertTrue(second.error.contains("Permission denied"), second.error)
        XCTAssertEqual(
            Set(try FileManager.default.contentsOfDirectory(atPath: home.folder.path("own"))),
            ["backup.tar", "secret"])
    }

    func testStore_thatIsALinkToAFileOfRoot_isNotRead() async throws {
        let (home, _) = try makeHome()
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        let store = "\(home.dataDirectory)/health.sqlite"
        rename(store, home.folder.path("own/health.sqlite"))
        chown(home.folder.path("own/health.sqlite"), 0, 0)
        symlink(home.folder.path("own/health.sqlite"), store)
        for words in [
            ["query", "bodyMass"], ["export", home.folder.path("own/dump.xml")],
            ["backup", home.folder.path("own/backup.tar")],
        ] {
            let outcome = try await home.run(words)
            XCTAssertNotEqual(outcome.ending, .exited(0), "\(words)")
            XCTAssertFalse(outcome.output.contains("70"), "\(words) \(outcome.output)")
        }
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path("own")).count, 2)
    }

    /// The programs of a gateway that root has started are those of the owner, with the variables of this user.
    func testPrograms_getTheVariablesOfTheOwner() async throws {
        for owner in [Home.nobody, Self.owner] {
            var (home, _) = try makeHome()
            chown(home.dataDirectory, owner, owner)
            home.environment.merge(
                ["USER": "root", "LOGNAME": "root", "TMPDIR": "/root/tmp", "LANG": "C"]) { $1 }
            try home.configure(
                """
                { sources: { own: { use: "exec",
                  command: ["/bin/sh", "-c", 'echo "$(id -u) <$HOME> <$USER> <$LOGNAME> <$TMPDIR>" >&2; cat'] } } }
                """)
            let gateway = try home.start("run")
            let (name, folder) = owner == Home.nobody ? ("nobody", "/nonexistent") : ("", "")
            try await gateway.waitForLines(
                with: "\(owner) <\(folder)> <\(name)> <\(name)> <>", on: .error)
            await gateway.send(SIGTERM)
            let ending = try await gateway.waitForEnd()
            XCTAssertEqual(ending, .exited(0))
        }
    }

    func testCapture_whereTheOwnerMayNotWrite_saysWhoWritesIt() async throws {
        let (home, _) = try makeHome()
        chown(home.dataDirectory, Home.nobody, Home.nobody)
        let outcome = try await home.run(
            "capture", home.folder.path("own/walk.capture"), "--for", "1")
        XCTAssertEqual(outcome.ending, .exited(78), outcome.error)
        try home.configure(#"{ sources: { own: { use: "exec", command: ["/bin/cat"] } } }"#)
        let denied = try await home.run(
            "capture", home.folder.path("own/walk.capture"), "--for", "1")
        XCTAssertEqual(denied.ending, .exited(1), denied.error)
        XCTAssertTrue(
            denied.error.contains(
                "Permission denied; the capture is written as nobody, the user of \(home.dataDirectory): "
                    + "choose a folder that this user may write to, such as "
                    + "\(home.dataDirectory)/walk.capture"), denied.error)
        let captured = try await home.run(
            "capture", "\(home.dataDirectory)/walk.capture", "--for", "1")
        XCTAssertEqual(captured.ending, .exited(0), captured.error)
    }
}
