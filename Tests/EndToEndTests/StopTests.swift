import Foundation
import GatewayTesting
import Glibc
import SQLite
import SQLiteStore
import Serial
import XCTest

/// A gateway that is told to stop does so in order, whenever it is told.
///
/// Before the program's first instruction only its parent can keep a signal from killing it: execve(2)
/// gives every signal its default action, but keeps what is blocked. So either the parent blocks the
/// signals, or the test waits for the program's first act, which is to catch them.
final class StopTests: XCTestCase {
    private static let milliseconds = [0.0, 1, 2, 3, 5, 8, 13, 20, 40, 80, 160, 300]
    /// How long a stop may take, with what a busy machine adds.
    private static let limitSeconds = 5.0

    func testSimulation_stopsWith0AtAnyMoment() async throws {
        let home = try Home()
        for (index, moment) in Self.milliseconds.enumerated() {
            let gateway = try home.start("run", "--simulate")
            try await assertStops(gateway, after: moment, on: index % 2 == 0 ? SIGTERM : SIGINT)
        }
    }

    func testGateway_stopsWith0AtAnyMoment() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
              protocol: { use: "lines", preset: "steps" } }, gone: { use: "serial",
              port: { path: "/dev/pulsegate-missing" }, protocol: "hxm" } } }
            """)
        for (index, moment) in Self.milliseconds.enumerated() {
            let gateway = try home.start("run")
            try await assertStops(gateway, after: moment, on: index % 2 == 0 ? SIGINT : SIGTERM)
        }
    }

    func testSignalHeldBackByTheParent_sentAtOnce_stopsWith0() async throws {
        let home = try Home()
        for signal in [SIGTERM, SIGINT, SIGTERM, SIGINT] {
            let gateway = try home.start(
                "run", "--simulate", blockedSignals: [SIGTERM, SIGINT])
            await gateway.send(signal)
            let ending = try await gateway.waitForEnd(within: Self.limitSeconds)
            XCTAssertEqual(ending, .exited(0), "signal \(signal)")
        }
    }

    func testSecondSignal_endsAtOnce() async throws {
        let home = try Home()
        let path = home.folder.path("data/pulsegate/simulation/health.sqlite")
        try home.folder.makeFolder("data/pulsegate/simulation")
        _ = try SQLiteStore(path: path)
        // A store that somebody else is writing keeps the first stop busy for its full time.
        let other = try SQLiteConnection(path: path, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: #""type":"heartRate""#, on: .output)
        await gateway.send(SIGINT)
        await gateway.letRun(seconds: 0.3)
        await gateway.send(SIGINT)
        let ending = try await gateway.waitForEnd(within: 2)
        XCTAssertEqual(ending, .exited(1))
        try other.execute("ROLLBACK")
    }

    func testStoreThatCannotBeUsed_isNotWaitedFor() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate/simulation")
        try home.folder.write(
            Array("no database".utf8), to: "data/pulsegate/simulation/health.sqlite")
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "cannot write", on: .error)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 2)
        XCTAssertEqual(ending, .exited(0))
    }

    private func assertStops(
        _ gateway: RunningCommand, after milliseconds: Double, on signal: Int32,
        file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        let moment = "signal \(signal) after \(milliseconds) ms"
        try gateway.waitUntilSignalsAreCaught()
        await gateway.letRun(seconds: milliseconds / 1000)
        await gateway.send(signal)
        let ending = try await gateway.waitForEnd(within: Self.limitSeconds)
        XCTAssertEqual(ending, .exited(0), moment, file: file, line: line)
        let text = await gateway.text(of: .error)
        XCTAssertFalse(text.contains("error"), "\(moment): \(text)", file: file, line: line)
    }
}
