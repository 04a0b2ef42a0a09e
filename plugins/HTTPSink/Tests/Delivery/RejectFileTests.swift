import Foundation
import GatewayTesting
import XCTest

@testable import HTTPSink

final class RejectFileTests: XCTestCase {
    private var folder: TemporaryFolder!

    override func setUpWithError() throws {
        folder = try TemporaryFolder()
    }

    override func tearDown() {
        folder = nil
    }

    private func file(limit: Int64 = RejectFile.defaultLimit) -> RejectFile {
        RejectFile(path: folder.path("x.rejected.ndjson"), isSynced: true, limit: limit)
    }

    private func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder.path(name)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    func testAppend_forTheOwnerOnly_oneAfterTheOther() throws {
        XCTAssertFalse(try file().append(Array("1\n".utf8)))
        XCTAssertFalse(try file().append(Array("2\n3\n".utf8)))
        XCTAssertEqual(text("x.rejected.ndjson"), "1\n2\n3\n")
        XCTAssertEqual(try folder.permissions(), ["x.rejected.ndjson": 0o600])
    }

    func testAppend_toAFileThatOthersMayRead_isForTheOwnerOnlyFromThenOn() throws {
        try folder.write(Array("1\n".utf8), to: "x.rejected.ndjson")
        XCTAssertEqual(chmod(folder.path("x.rejected.ndjson"), 0o666), 0)
        XCTAssertFalse(try file().append(Array("2\n".utf8)))
        XCTAssertEqual(try folder.permissions(), ["x.rejected.ndjson": 0o600])
    }

    func testAppend_atTheLimit_startsAgainAndKeepsTheOneBefore() throws {
        let lines = (0..<5).map { "\($0)\($0)\($0)\n" }
        let replaced = try lines.map { try file(limit: 8).append(Array($0.utf8)) }
        XCTAssertEqual(replaced, [false, false, false, false, true])
        XCTAssertEqual(text("x.rejected.ndjson"), "444\n")
        XCTAssertEqual(text("x.rejected.ndjson.1"), "222\n333\n")
        XCTAssertEqual(try folder.permissions()["x.rejected.ndjson.1"], 0o600)
    }

    func testAppend_ofMoreThanTheLimit_isWhole() throws {
        let long = Array((String(repeating: "x", count: 100) + "\n").utf8)
        XCTAssertFalse(try file(limit: 8).append(long))
        XCTAssertFalse(try file(limit: 8).append(long))
        XCTAssertEqual(text("x.rejected.ndjson")?.count, 101)
        XCTAssertEqual(text("x.rejected.ndjson.1")?.count, 101)
    }

    func testAppend_afterALineThatWasCut_beginsALine() throws {
        try folder.write(Array("1\n{\"half".utf8), to: "x.rejected.ndjson")
        _ = try file().append(Array("2\n".utf8))
        XCTAssertEqual(text("x.rejected.ndjson"), "1\n{\"half\n2\n")
    }

    func testAppend_whereNoFileCanBe_reportsWhy() throws {
        XCTAssertEqual(mkfifo(folder.path("x.rejected.ndjson"), 0o600), 0)
        XCTAssertThrowsError(try file().append([1])) { error in
            XCTAssertTrue("\(error)".contains("not a regular file"), "\(error)")
        }
        try folder.remove("x.rejected.ndjson")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("x.rejected.ndjson"), withDestinationPath: folder.path("y"))
        XCTAssertThrowsError(try file().append([1]))
        XCTAssertNil(text("y"))
        let nowhere = RejectFile(path: folder.path("none/x"), isSynced: false)
        XCTAssertThrowsError(try nowhere.append([1])) { error in
            XCTAssertTrue("\(error)".contains("No such file"), "\(error)")
        }
    }

    func testAppend_whenOnlyAPartFits_leavesTheFileAsItWas() throws {
        _ = try file().append(Array("1\n".utf8))
        let long = Array((String(repeating: "x", count: 9_000) + "\n").utf8)
        // A limit on the size of files cuts a write short, like a full disk (setrlimit(2)).
        let usual = signal(SIGXFSZ, SIG_IGN)
        defer { signal(SIGXFSZ, usual) }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        var small = limit
        small.rlim_cur = 4_096
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
        let result = Result { try file().append(long) }
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)

        XCTAssertThrowsError(try result.get()) { error in
            XCTAssertTrue("\(error)".contains("write: "), "\(error)")
        }
        XCTAssertEqual(text("x.rejected.ndjson"), "1\n")
        _ = try file().append(long)
        XCTAssertEqual(text("x.rejected.ndjson")?.count, 9_003)
    }
}
