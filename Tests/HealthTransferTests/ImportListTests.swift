import Foundation
import GatewayTesting
import XCTest

@testable import GatewayHost
@testable import HealthTransfer

final class ImportListTests: XCTestCase {
    private func write(_ text: String, to name: String, in folder: TemporaryFolder) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    func testFolders_areReadByTheContentOfTheirFiles() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("deep/er")
        for name in ["b.txt", "a.csv", ".hidden.csv", "deep/er/c"] {
            try write("type,start,value\n", to: name, in: folder)
        }
        try write("<gpx/>", to: "route.gpx", in: folder)
        try write("{\"kind\":\"event\"}", to: "deep/records", in: folder)
        symlink(folder.path, folder.path("deep/loop"))
        let list = try ImportList([folder.path + "/", folder.path("route.gpx")])
        XCTAssertEqual(
            list.files,
            [
                .init(path: folder.path("a.csv"), format: .samples),
                .init(path: folder.path("b.txt"), format: .samples),
                .init(path: folder.path("deep/er/c"), format: .samples),
                .init(path: folder.path("deep/records"), format: .recordLines),
                .init(path: folder.path("route.gpx"), format: nil),
            ])
        XCTAssertEqual(list.notes, ["left out: 2 files of other formats"])
    }

    func testFoldersThatAreTooDeep_areCounted() throws {
        let folder = try TemporaryFolder()
        var path = folder.path
        for _ in 0..<ImportList.maximumDepth {
            path += "/d"
            mkdir(path, 0o700)
        }
        let list = try ImportList([folder.path])
        XCTAssertEqual(list.files, [])
        XCTAssertEqual(list.notes, ["left out: 1 folder deeper than 16 levels"])
    }

    func testFilesThatCannotBeRead_areFailures_andTheOthersAreFound() throws {
        let folder = try TemporaryFolder()
        try write("type,start,value\n", to: "a.csv", in: folder)
        let path = folder.path("a.csv")
        let list = try ImportList(["/nowhere/a.csv", path, "/dev/null"])
        XCTAssertEqual(list.files, [.init(path: path, format: .samples)])
        XCTAssertEqual(
            list.failures.map(\.message),
            [
                "cannot read /nowhere/a.csv: No such file or directory",
                "cannot read /dev/null: not a regular file",
            ])
        XCTAssertEqual(list.count, 3)
        XCTAssertEqual(
            try ImportList(["/no\nwhere"]).failures.map(\.text),
            ["cannot read /no\\u{a}where: No such file or directory"])
    }
}
