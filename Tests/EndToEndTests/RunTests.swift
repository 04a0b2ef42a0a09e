import Foundation
import GatewayTesting
import Glibc
import XCTest

/// Tests of `run` when it cannot start: one line with the reason and the remedy.
final class RunTests: XCTestCase {
    func testRun_withNothingConfigured_reportsHowToAddASource() async throws {
        let home = try Home()
        let outcome = try await home.run("run")
        XCTAssertEqual(outcome.ending, .exited(78))
        XCTAssertTrue(outcome.error.contains("no source is configured"), outcome.error)
        XCTAssertTrue(outcome.error.contains(home.configurationPath), outcome.error)
        XCTAssertTrue(outcome.error.contains("sources: {"), outcome.error)
        XCTAssertTrue(outcome.error.contains("--simulate"), outcome.error)
        XCTAssertEqual(outcome.output, "")
    }

    func testRun_onADataFolderInUse_namesTheProcess() async throws {
        let home = try Home()
        let first = try home.start("run", "--simulate")
        try await first.waitForLines(with: "running", on: .error)
        let second = try await home.run("run", "--simulate", "--for", "1")
        XCTAssertEqual(second.ending, .exited(1))
        XCTAssertTrue(second.error.contains("(process \(first.processID))"), second.error)
        XCTAssertTrue(second.error.contains("\(home.dataDirectory)/simulation"), second.error)
        XCTAssertEqual(second.error.split(separator: "\n").count, 1, second.error)
        await first.send(SIGTERM)
        let ending = try await first.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let third = try await home.run("run", "--simulate", "--for", "0.1")
        XCTAssertEqual(third.ending, .exited(0), third.error)
    }

    func testRun_withAFileInTheWayOfTheDataFolder_namesIt() async throws {
        let home = try Home()
        try home.folder.write([], to: "data")
        let outcome = try await home.run("run", "--simulate", "--for", "1")
        assertCannotWrite(outcome, to: home.folder.path("data"))
    }

    func testRun_onAFolderOfAnotherUser_reportsTheRemedy() async throws {
        let nobody = try Home.wordsForNobody()
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate/simulation")
        let outcome = try await home.run("run", "--simulate", "--for", "1", prefix: nobody)
        assertCannotWrite(outcome, to: "\(home.dataDirectory)/simulation")
    }

    func testRun_underAFolderOfAnotherUser_reportsTheRemedy() async throws {
        let nobody = try Home.wordsForNobody()
        let home = try Home()
        let outcome = try await home.run("run", "--simulate", "--for", "1", prefix: nobody)
        assertCannotWrite(outcome, to: home.folder.path("data"))
    }

    func testRun_onAStoreThatIsNone_continuesAndLosesNothing() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate/simulation")
        let store = "data/pulsegate/simulation/health.sqlite"
        try home.folder.write(Array("This is no database, but a text.".utf8), to: store)
        let first = try await home.run("run", "--simulate", "--for", "2")
        XCTAssertEqual(first.ending, .exited(0), first.error)
        XCTAssertEqual(
            first.error.split(separator: "\n").filter { $0.contains("cannot write") }.count, 1,
            first.error)
        try FileManager.default.removeItem(atPath: home.folder.path(store))
        let second = try await home.run("run", "--simulate", "--for", "1")
        XCTAssertEqual(second.ending, .exited(0), second.error)
        let ledger = second.error.split(separator: "\n").first { $0.hasPrefix("store: ledger") }
        XCTAssertTrue(ledger?.hasSuffix("pending=0") ?? false, second.error)
    }

    func testRun_withoutStandardStreams_opensNothingInTheirPlace() async throws {
        let closed = ["/bin/sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh"]
        let gateway = try Home().start("run", "--simulate", prefix: closed)
        try gateway.waitUntilSignalsAreCaught()
        XCTAssertEqual(
            try (0...2).map(gateway.openFile), ["/dev/null", "/dev/null", "/dev/null"])
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testRun_withARelativeDataFolderInTheEnvironment_usesTheUsualOne() async throws {
        var home = try Home()
        home.environment["XDG_DATA_HOME"] = "pulsegate-relative"
        let outcome = try await home.run("run", "--simulate", "--for", "0.5")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let lock = home.folder.path(".local/share/pulsegate/simulation/lock")
        XCTAssertEqual(access(lock, F_OK), 0)
        XCTAssertNotEqual(access("/pulsegate-relative", F_OK), 0)
    }

    private func assertCannotWrite(
        _ outcome: Home.Outcome, to path: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        let text = outcome.error
        XCTAssertEqual(outcome.ending, .exited(1), text, file: file, line: line)
        XCTAssertTrue(text.contains("data directory \(path): "), text, file: file, line: line)
        XCTAssertTrue(
            text.contains("set another `dataDirectory`"), text, file: file, line: line)
        XCTAssertEqual(text.split(separator: "\n").count, 1, text, file: file, line: line)
        XCTAssertEqual(outcome.output, "", file: file, line: line)
    }
}
