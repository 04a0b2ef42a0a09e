import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Serial
import XCTest

/// The lock of the data directory: one gateway has it, and nobody's file is written in its place.
final class LockTests: XCTestCase {
    private static let precious = Array("precious".utf8)

    private func lockPath(_ home: Home) -> String {
        "\(home.dataDirectory)/simulation/lock"
    }

    /// Puts something in the place of the lock, and sees that the gateway leaves it alone.
    private func assertRefused(
        _ words: String, _ place: (_ victim: String, _ lock: String) throws -> Void,
        line: UInt = #line
    ) async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate/simulation")
        try home.folder.write(Self.precious, to: "victim")
        try place(home.folder.path("victim"), lockPath(home))
        let outcome = try await home.run("run", "--simulate", "--for", "1")
        XCTAssertEqual(outcome.ending, .exited(1), outcome.error, line: line)
        XCTAssertTrue(outcome.error.contains(words), outcome.error, line: line)
        XCTAssertTrue(outcome.error.contains("; remove it"), outcome.error, line: line)
        let content = FileManager.default.contents(atPath: home.folder.path("victim"))
        XCTAssertEqual(content, Data(Self.precious), line: line)
    }

    func testLockFileOfAnotherKind_isRejected_andStaysUnchanged() async throws {
        try await assertRefused("is a symbolic link") { victim, lock in
            XCTAssertEqual(symlink(victim, lock), 0)
        }
        try await assertRefused("has more than one hard link") { victim, lock in
            XCTAssertEqual(link(victim, lock), 0)
        }
        try await assertRefused("is not a regular file") { _, lock in
            XCTAssertEqual(mkfifo(lock, 0o600), 0)
        }
        try await assertRefused("is not a regular file") { _, lock in
            XCTAssertEqual(mkdir(lock, 0o700), 0)
        }
    }

    /// Nobody writes to such a pipe, for which a start would wait.
    func testPipeInThePlaceOfAFile_isNamed_andNotWaitedFor() async throws {
        for name in ["crash", "journal.sqlite"] {
            let home = try Home()
            try home.configure(
                """
                { sources: { foot: { use: "serial", port: { path: "/dev/pulsegate-missing" },
                  protocol: "hxm" } }, sinks: { lines: "stdout" } }
                """)
            try home.folder.makeFolder("data/pulsegate")
            let path = "\(home.dataDirectory)/\(name)"
            XCTAssertEqual(mkfifo(path, 0o600), 0)
            let outcome = try await home.run("run", "--for", "1")
            XCTAssertNotEqual(outcome.ending, .exited(0), name)
            XCTAssertTrue(outcome.error.contains(path), outcome.error)
            XCTAssertTrue(outcome.error.contains("not a regular file"), outcome.error)
        }
    }

    func testLockOfAnotherUser_isRejected() async throws {
        guard getuid() == 0 else { throw XCTSkip("needs root to give a file away") }
        try await assertRefused("belongs to another user") { _, lock in
            try Data().write(to: URL(fileURLWithPath: lock))
            XCTAssertEqual(chown(lock, Home.nobody, Home.nobody), 0)
        }
    }

    private func steps(_ port: PseudoTerminal) -> String {
        """
        { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
          protocol: { use: "lines", preset: "steps" } } }, sinks: { lines: "stdout",
          away: { use: "http", url: "http://127.0.0.1:1/" } } }
        """
    }

    func testRemovedDataDirectory_isReported_andLockedAgain_andLosesNothing() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(steps(port))
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try port.write(Array("Steps: 1\nSteps: 2\n".utf8))
        try await gateway.waitForLines(1, with: "stepCount", on: .output)
        try FileManager.default.removeItem(atPath: home.dataDirectory)
        // It is looked for at most once a second, when something is committed.
        await gateway.letRun(seconds: 1.1)
        try port.write(Array("Steps: 3\n".utf8))
        try await gateway.waitForLines(with: "removed, moved or replaced", on: .error)

        let second = try await home.run("run", "--for", "1")
        XCTAssertEqual(second.ending, .exited(1), second.error)
        XCTAssertTrue(second.error.contains("in use by a running gateway"), second.error)
        let status = try await home.run("status")
        XCTAssertEqual(status.ending, .exited(69), status.error)
        XCTAssertTrue(
            status.error.contains("(process \(gateway.processID)) has no control.sock"),
            status.error)

        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let ledger = try home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertGreaterThanOrEqual(ledger.pending(for: "away"), 3)
    }

    func testJournalRemoved_justBeforeTheEnd_isThereForTheNextRun() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(steps(port))
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try port.write(Array("Steps: 1\nSteps: 2\n".utf8))
        try await gateway.waitForLines(1, with: "stepCount", on: .output)
        try FileManager.default.removeItem(atPath: "\(home.dataDirectory)/journal")
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        XCTAssertGreaterThanOrEqual(try home.ledger().pending(for: "away"), 2)
    }
}
