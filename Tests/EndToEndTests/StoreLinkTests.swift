import Foundation
import GatewayTesting
import Glibc
import XCTest

/// A store that is a link which cannot be opened, and other things that are no store.
final class StoreLinkTests: XCTestCase {
    private func makeHome() throws -> (home: Home, store: String) {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        chmod(home.dataDirectory, 0o700)
        return (home, "\(home.dataDirectory)/health.sqlite")
    }

    private func assertFinding(
        _ home: Home, _ words: String, prefix: [String] = [], line: UInt = #line
    ) async throws {
        let check = try await home.run("check", prefix: prefix)
        XCTAssertEqual(check.ending, .exited(78), check.output + check.error, line: line)
        XCTAssertTrue(check.error.contains("sinks.store.path: "), check.error, line: line)
        XCTAssertTrue(check.error.contains(words), check.error, line: line)
        let doctor = try await home.run("doctor", prefix: prefix)
        XCTAssertTrue(doctor.output.contains("sink-unusable"), doctor.output, line: line)
        XCTAssertFalse(doctor.output.contains("✓ store"), doctor.output, line: line)
    }

    func testDanglingLink_isFound() async throws {
        let (home, store) = try makeHome()
        symlink("/nonexistent/health.sqlite", store)
        try await assertFinding(
            home,
            "is a symbolic link to /nonexistent/health.sqlite, where there is no file; remove the link"
        )
    }

    func testLinkToItself_isFound() async throws {
        let (home, store) = try makeHome()
        symlink("health.sqlite", store)
        try await assertFinding(
            home, "is a symbolic link to health.sqlite, which leads back to it; remove the link")
    }

    func testLinkToAFileThatTheUserMayNotOpen_isFound() async throws {
        let nobody = try Home.wordsForNobody()
        let (home, store) = try makeHome()
        try home.folder.makeFolder("other")
        chmod(home.folder.path("other"), 0o700)
        chmod(home.folder.path, 0o755)
        symlink(try home.folder.write([], to: "other/health.sqlite"), store)
        for path in [home.folder.path("data"), home.dataDirectory] {
            chown(path, Home.nobody, Home.nobody)
        }
        try await assertFinding(home, "Permission denied; grant this user", prefix: nobody)
    }

    func testPipe_isFound() async throws {
        let (home, store) = try makeHome()
        XCTAssertEqual(mkfifo(store, 0o600), 0)
        try await assertFinding(home, "is not a regular file")
    }

    /// Nobody writes to such a pipe, for which SQLite would wait.
    func testPipeInThePlaceOfItsRollbackJournal_isFound() async throws {
        let (home, store) = try makeHome()
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        XCTAssertEqual(mkfifo("\(store)-journal", 0o600), 0)
        for command in ["check", "doctor"] {
            let outcome = try await home.run(command)
            XCTAssertNotEqual(outcome.ending, .exited(0), command)
            let text = outcome.output + outcome.error
            XCTAssertTrue(text.contains("health.sqlite-journal"), text)
            XCTAssertTrue(text.contains("is not a regular file"), text)
        }
    }

    func testLinkToAStore_isNoFinding() async throws {
        let (home, store) = try makeHome()
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        try home.folder.makeFolder("other")
        rename(store, home.folder.path("other/health.sqlite"))
        symlink(home.folder.path("other/health.sqlite"), store)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(0), check.error)
    }
}
