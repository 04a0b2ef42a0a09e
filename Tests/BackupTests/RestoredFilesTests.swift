import GatewayTesting
import Glibc
import HostFiles
import XCTest

/// Tests of the step that makes a restore complete.
final class RestoredFilesTests: XCTestCase {
    private let names = ["devices.json", "people.json", "health.sqlite"]

    /// A data directory in which the drafts of three files wait; returns the renames.
    private func prepare(_ folder: DataDirectory) throws -> [RestoredFiles.Move] {
        try folder.create()
        let files = RestoredFiles(in: folder)
        try files.begin()
        return try names.map { name in
            let source =
                name == "health.sqlite"
                ? folder.resolve("health.sqlite.restoring") : "\(files.draft)/\(name)"
            try OutputFile.write(Array(name.utf8), to: source)
            return RestoredFiles.Move(from: source, to: folder.resolve(name))
        }
    }

    private func assertComplete(_ folder: DataDirectory, line: UInt = #line) throws {
        let found = try Folder.names(in: folder.path).filter { $0 != "lock" }
        XCTAssertEqual(found, names.sorted(), line: line)
        for name in names {
            XCTAssertEqual(try TextFile.read(folder.resolve(name)), name, line: line)
        }
    }

    func testCommit_putsEveryFileInItsPlace() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path("data"))
        try RestoredFiles(in: folder).commit(try prepare(folder))
        try RestoredFiles(in: folder).finish()
        try assertComplete(folder)
        XCTAssertFalse(try RestoredFiles(in: folder).finishIfInterrupted())
    }

    func testBeforeTheCommit_nothingIsFinished_andTheNextBeginningRemovesIt() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path("data"))
        _ = try prepare(folder)
        XCTAssertFalse(try RestoredFiles(in: folder).finishIfInterrupted())
        XCTAssertFalse(Folder.exists(folder.resolve("devices.json")))
        try RestoredFiles(in: folder).begin()
        XCTAssertEqual(try Folder.names(in: RestoredFiles(in: folder).draft), [])
    }

    func testAfterEachRename_theRestIsDoneByWhoComesNext() throws {
        for count in 0...names.count {
            let temporary = try TemporaryFolder()
            let folder = DataDirectory(path: temporary.path("data"))
            let moves = try prepare(folder)
            // A target that is a folder stops the commit after the renames before it.
            let blocker = temporary.path("blocker")
            let stopped =
                Array(moves[..<count])
                + [RestoredFiles.Move(from: folder.path, to: blocker)] + moves[count...]
            XCTAssertEqual(mkdir(blocker, 0o700), 0)
            try OutputFile.write([1], to: "\(blocker)/file")
            try RestoredFiles(in: folder).commit(stopped)
            XCTAssertThrowsError(try RestoredFiles(in: folder).finish())
            for (index, name) in names.enumerated() {
                XCTAssertEqual(Folder.exists(folder.resolve(name)), index < count)
            }
            // As after a kill: the renames that are left are done.
            try OutputFile.write(
                Array(
                    String(decoding: try list(folder), as: UTF8.self).replacing(
                        folder.path + "\",\"to\":\"" + blocker, with: "/none\",\"to\":\"/none"
                    ).utf8),
                to: folder.resolve("restore.complete/moves.json"))
            XCTAssertTrue(try RestoredFiles(in: folder).finishIfInterrupted())
            try assertComplete(folder)
        }
    }

    private func list(_ folder: DataDirectory) throws -> [UInt8] {
        try BinaryFile.read(folder.resolve("restore.complete/moves.json"), limit: 1 << 20)
    }
}
