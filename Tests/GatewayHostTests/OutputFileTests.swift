import Foundation
import GatewayTesting
import Glibc
import XCTest

@testable import GatewayHost

final class OutputFileTests: XCTestCase {
    private func content(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    func testUntilCommit_theOldFileIsThere_thenTheNewOne_whichIsPrivate() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a.xml"
        try "old".write(toFile: path, atomically: false, encoding: .utf8)
        let file = try OutputFile(path)
        try file.write(Array("ne".utf8))
        try file.write(Array("w".utf8))
        XCTAssertEqual(try content(path), "old")
        try file.commit()
        XCTAssertEqual(try content(path), "new")
        XCTAssertEqual(try mode(path), 0o600)
        XCTAssertEqual(try names(in: folder), ["a.xml"])
    }

    func testWithoutCommit_nothingIsLeft() throws {
        let folder = try TemporaryFolder()
        try OutputFile("\(folder.path)/a.xml").write(Array("part".utf8))
        XCTAssertEqual(try names(in: folder), [])
    }

    func testDraftsOfKilledCommands_areRemoved_andNoOtherFile() throws {
        let folder = try TemporaryFolder()
        let ended = try Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
        ended.waitUntilExit()
        let dead = ended.processIdentifier
        let abandoned = ["a.xml.\(dead).new", "a.xml.\(dead).store.new"]
        let others = [
            "a.xml.\(getppid()).new", "a.xml.new", "a.xml.x\(dead).new", "a.xml.-\(dead).new",
            "b.xml.\(dead).new", "a.xml.\(dead)", "a.xml.\(dead).store",
        ]
        let old = Date(timeIntervalSinceNow: -120)
        for name in abandoned + others {
            let path = folder.path(name)
            XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: nil))
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
        }
        // Its command may run on another machine.
        try folder.write([], to: "a.xml.\(dead - 1).new")
        try OutputFile.write(Array("new".utf8), to: folder.path("a.xml"))
        let left = others + ["a.xml", "a.xml.\(dead - 1).new"]
        XCTAssertEqual(try names(in: folder), left.sorted())
    }

    func testALink_isFollowed() throws {
        let folder = try TemporaryFolder()
        let (path, link) = ("\(folder.path)/a.xml", "\(folder.path)/link")
        try "old".write(toFile: path, atomically: false, encoding: .utf8)
        XCTAssertEqual(symlink("a.xml", link), 0)
        try OutputFile.write(Array("new".utf8), to: link)
        XCTAssertEqual(try content(path), "new")
        XCTAssertEqual(
            try FileManager.default.destinationOfSymbolicLink(atPath: link), "a.xml")
    }

    func testALink_toAFileThatDoesNotExist_isFollowed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/b", withIntermediateDirectories: false)
        XCTAssertEqual(symlink("second", "\(folder.path)/first"), 0)
        XCTAssertEqual(symlink("b/a.xml", "\(folder.path)/second"), 0)
        try OutputFile.write(Array("new".utf8), to: "\(folder.path)/first")
        XCTAssertEqual(try content("\(folder.path)/b/a.xml"), "new")
        for (link, target) in [("first", "second"), ("second", "b/a.xml")] {
            XCTAssertEqual(
                try FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(folder.path)/\(link)"), target)
        }
    }

    func testALink_toAFolderThatDoesNotExist_orToItself_isRefused_andRemains() throws {
        let folder = try TemporaryFolder()
        for (link, target, code) in [("a", "none/a.xml", ENOENT), ("b", "b", ELOOP)] {
            let path = "\(folder.path)/\(link)"
            XCTAssertEqual(symlink(target, path), 0)
            XCTAssertThrowsError(try OutputFile.write(Array("new".utf8), to: path)) { error in
                XCTAssertEqual(
                    (error as? HostError)?.text,
                    HostError.system("write", path, errno: code).text)
            }
            XCTAssertEqual(
                try FileManager.default.destinationOfSymbolicLink(atPath: path), target)
        }
    }

    func testAPipe_isWrittenToDirectly() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/pipe"
        XCTAssertEqual(mkfifo(path, 0o600), 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try OutputFile.write(Array("new".utf8), to: path)
        var bytes = [UInt8](repeating: 0, count: 8)
        XCTAssertEqual(read(reader, &bytes, bytes.count), 3)
        XCTAssertEqual(Array(bytes.prefix(3)), Array("new".utf8))
        XCTAssertEqual(try names(in: folder), ["pipe"])
    }

    func testAFileThatAppearsMeanwhile_isNotReplaced() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a.tar"
        let error = HostError(.failure, "there is one")
        let (first, second) = (
            try OutputFile(path, whenExists: error), try OutputFile("\(path).other")
        )
        try first.write(Array("first".utf8))
        try second.write(Array("second".utf8))
        try second.commit()
        XCTAssertEqual(rename("\(path).other", path), 0)
        XCTAssertThrowsError(try first.commit()) { XCTAssertEqual("\($0)", "\(error)") }
        XCTAssertEqual(try content(path), "second")
        unlink(path)
        try first.commit()
        XCTAssertEqual(try content(path), "first")
        XCTAssertEqual(try names(in: folder), ["a.tar"])
    }

    func testErrors_nameTheFile() throws {
        let folder = try TemporaryFolder()
        for (path, code) in [
            ("\(folder.path)/none/a.xml", ENOENT), ("/dev/full", ENOSPC), (folder.path, EISDIR),
        ] {
            XCTAssertThrowsError(try OutputFile.write(Array("new".utf8), to: path)) { error in
                XCTAssertEqual(
                    (error as? HostError)?.message,
                    HostError.system("write", path, errno: code).message)
            }
        }
        XCTAssertEqual(try names(in: folder), [])
    }

    func testRoot_givesWhatItWritesToTheUserOfTheFolder() throws {
        guard geteuid() == 0 else { throw XCTSkip("needs root") }
        let folder = try TemporaryFolder()
        let home = try folder.makeFolder("home")
        XCTAssertEqual(chown(home, 4_711, 4_712), 0)
        for (path, user, group) in [("home/run.fit", 4_711, 4_712), ("run.fit", 0, 0)] {
            try OutputFile.write([1], to: folder.path(path))
            var status = stat()
            XCTAssertEqual(lstat(folder.path(path), &status), 0)
            XCTAssertEqual(status.st_uid, uid_t(user), path)
            XCTAssertEqual(status.st_gid, gid_t(group), path)
            XCTAssertEqual(status.st_mode & 0o777, 0o600, path)
        }
    }

    /// The name of the draft can be guessed, and its folder may be another user's.
    func testDraft_thatIsThereAlready_isReplaced_neitherFollowedNorWaitedFor() throws {
        let folder = try TemporaryFolder()
        let (path, draft) = (folder.path("out"), folder.path("out.\(getpid()).new"))
        try folder.write(Array("mine".utf8), to: "other")
        XCTAssertEqual(symlink(folder.path("other"), draft), 0)
        try OutputFile.write(Array("one".utf8), to: path)
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "one")
        XCTAssertEqual(try String(contentsOfFile: folder.path("other"), encoding: .utf8), "mine")
        XCTAssertEqual(mkfifo(draft, 0o600), 0)
        try OutputFile.write(Array("two".utf8), to: path)
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "two")
    }
}
