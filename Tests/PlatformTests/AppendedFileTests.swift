import Foundation
import GatewayTesting
import XCTest

@testable import Platform

/// `RejectFileTests` of the HTTP sink tests a write that is cut short.
final class AppendedFileTests: XCTestCase {
    private func append(
        _ text: String, to path: String, limit: Int64 = .max
    ) throws -> Bool {
        try AppendedFile(path: path, waitsForDisk: true).append(Array(text.utf8), limit: limit)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    func testAppend_afterALineThatWasCut_beginsALine() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lines")
        XCTAssertTrue(try append("1\nhal", to: path))
        XCTAssertTrue(try append("2\n", to: path))
        XCTAssertTrue(try append("", to: path))
        XCTAssertEqual(try text(path), "1\nhal\n2\n")
        XCTAssertEqual(try folder.permissions(), ["lines": 0o600])
    }

    func testAppend_beyondTheLimit_appendsNothing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lines")
        XCTAssertTrue(try append("12345\n", to: path, limit: 3), "an empty file takes any line")
        XCTAssertFalse(try append("6\n", to: path, limit: 7))
        XCTAssertTrue(try append("6\n", to: path, limit: 8))
        XCTAssertEqual(try text(path), "12345\n6\n")
    }

    func testFailure_saysWhetherItIsTemporary() throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(symlink(folder.path("elsewhere"), folder.path("link")), 0)
        let missing = folder.path("missing/lines")
        for (path, problem) in [
            (folder.path("link"), AppendedFile.Failure.Problem.isLink),
            (folder.path(""), .isNotRegular), (missing, .system("open", ENOENT)),
        ] {
            XCTAssertThrowsError(try append("1\n", to: path)) { error in
                XCTAssertEqual(
                    error as? AppendedFile.Failure,
                    AppendedFile.Failure(path: path, problem: problem))
                XCTAssertEqual((error as? AppendedFile.Failure)?.isTemporary, false)
            }
        }
        let full = AppendedFile.Failure(path: missing, problem: .system("write", ENOSPC))
        XCTAssertTrue(full.isTemporary)
        XCTAssertTrue(full.isStorageFull)
        let broken = AppendedFile.Failure(path: missing, problem: .system("write", EIO))
        XCTAssertFalse(broken.isStorageFull)
        XCTAssertEqual(full.description, "\(missing): write: No space left on device")
    }
}
