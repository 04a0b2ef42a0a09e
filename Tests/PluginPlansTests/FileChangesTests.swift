import Foundation
import GatewayTesting
import Synchronization
import XCTest

@testable import GatewayHost
@testable import PluginPlans

/// Files are written and changed all together, or not at all.
final class FileChangesTests: XCTestCase {
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.makeFolder("plugins/Old")
        for (path, text) in [
            ("list", "old list\n"), ("page", "old page\n"), ("plugins/Old/a", "a"),
        ] {
            try folder.write(Array(text.utf8), to: path)
        }
        return folder
    }

    private func changes(in root: String) -> FileChanges {
        FileChanges(
            root: root,
            files: [
                FileChanges.File("plugins/New/README.md", "read me\n"),
                FileChanges.File("plugins/New/Sources/New.swift", "code\n"),
                FileChanges.File("top", "top\n", isExecutable: true),
            ],
            edits: [
                FileChanges.Edit(path: "list", old: "old list\n", new: "new list\n"),
                FileChanges.Edit(path: "page", old: "old page\n", new: "new page\n"),
            ])
    }

    /// The texts of all files by path, folders with nil.
    private func content(of root: String) throws -> [String: String?] {
        var content: [String: String?] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            content[path] = .some(try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8))
        }
        return content
    }

    private let old: [String: String?] = [
        "list": "old list\n", "page": "old page\n", "plugins": nil, "plugins/Old": nil,
        "plugins/Old/a": "a",
    ]

    func testApply_writesAndChangesEverything() throws {
        let folder = try makeFolder()
        chmod(folder.path("list"), 0o640)
        try changes(in: folder.path).apply()
        XCTAssertEqual(
            try content(of: folder.path),
            [
                "list": "new list\n", "page": "new page\n", "plugins": nil, "plugins/Old": nil,
                "plugins/Old/a": "a", "plugins/New": nil, "plugins/New/README.md": "read me\n",
                "plugins/New/Sources": nil, "plugins/New/Sources/New.swift": "code\n",
                "top": "top\n",
            ])
        let permissions = try folder.permissions()
        XCTAssertEqual(permissions["list"], 0o640)
        XCTAssertEqual((permissions["top"] ?? 0) & 0o100, 0o100)
        XCTAssertEqual((permissions["plugins/New/README.md"] ?? 1) & 0o100, 0)
    }

    /// The first, second, third … rename fails, until none does.
    func testApply_whenARenameFails_changesNothing() throws {
        var failing = 1
        while true {
            let folder = try makeFolder()
            let count = Mutex(0)
            let limit = failing
            let mayRun: @Sendable () -> Bool = {
                count.withLock { count in
                    count += 1
                    return count != limit
                }
            }
            var changes = changes(in: folder.path)
            let (move, replace) = (changes.move, changes.replace)
            changes.move = { from, to in
                guard mayRun() else { return Self.failure(EIO) }
                return move(from, to)
            }
            changes.replace = { from, to in
                guard mayRun() else { return Self.failure(ENOSPC) }
                return replace(from, to)
            }
            do { try changes.apply() } catch {
                XCTAssertEqual(error.status, .failure)
                XCTAssertTrue(error.message.hasPrefix("cannot c"), error.message)
                XCTAssertEqual(try content(of: folder.path), old, "rename \(failing)")
                failing += 1
                continue
            }
            break
        }
        // Two new paths and two changed files.
        XCTAssertEqual(failing, 5)
    }

    private static func failure(_ code: Int32) -> Int32 {
        errno = code
        return -1
    }

    func testApply_whenSomethingAppearedMeanwhile_doesNotReplaceIt() throws {
        for isFolder in [false, true] {
            let folder = try makeFolder()
            var changes = changes(in: folder.path)
            let move = changes.move
            let path = folder.path
            changes.move = { from, to in
                // Another process is faster.
                if isFolder { mkdir("\(path)/plugins/New", 0o755) }
                let mine = isFolder ? "\(path)/plugins/New/mine" : "\(path)/top"
                _ = FileManager.default.createFile(atPath: mine, contents: Data("mine".utf8))
                return move(from, to)
            }
            XCTAssertThrowsError(try changes.apply())
            var expected = old
            if isFolder { expected["plugins/New"] = .some(nil) }
            expected[isFolder ? "plugins/New/mine" : "top"] = "mine"
            XCTAssertEqual(try content(of: folder.path), expected)
        }
    }

    func testApply_whenAFileCannotBeWritten_changesNothing() throws {
        let folder = try makeFolder()
        var changes = changes(in: folder.path)
        // A file where the next one needs a folder.
        changes.files.append(FileChanges.File("top/below", ""))
        XCTAssertThrowsError(try changes.apply())
        XCTAssertEqual(try content(of: folder.path), old)
    }

    func testApply_whenAListWasChangedMeanwhile_changesNothing() throws {
        let folder = try makeFolder()
        let changes = changes(in: folder.path)
        try folder.write(Array("other\n".utf8), to: "page")
        XCTAssertThrowsError(try changes.apply()) {
            XCTAssertTrue("\($0)".contains("page has just been changed; try again"), "\($0)")
        }
        var expected = old
        expected["page"] = "other\n"
        XCTAssertEqual(try content(of: folder.path), expected)
    }

    func testApply_inANewFolder_createsIt_orLeavesNothing() throws {
        let folder = try TemporaryFolder()
        var changes = FileChanges(
            root: folder.path("new"),
            files: [FileChanges.File("a/b", "b"), FileChanges.File("c", "c")])
        let move = changes.move
        changes.move = { from, to in to.hasSuffix("/c") ? Self.failure(EIO) : move(from, to) }
        XCTAssertThrowsError(try changes.apply())
        XCTAssertEqual(try content(of: folder.path), [:])
        changes.move = move
        try changes.apply()
        XCTAssertEqual(
            try content(of: folder.path), ["new": nil, "new/a": nil, "new/a/b": "b", "new/c": "c"])
    }
}
