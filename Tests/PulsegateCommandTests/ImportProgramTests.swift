import GatewayTesting
import Glibc
import HealthModel
import JSON
import StoreRequests
import XCTest

@testable import CommandSupport
@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

/// Tests imports in a process of their own, with a program in place of `pulsegate`.
final class ImportProgramTests: XCTestCase {
    private static func outcome(
        of script: String, _ clock: any GatewayClock = SystemClock()
    ) async throws -> String {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "program")
        XCTAssertEqual(chmod(path, 0o700), 0)
        return try await outcome(ofProgram: path, clock)
    }

    private static func outcome(
        ofProgram path: String, _ clock: any GatewayClock = SystemClock()
    ) async throws -> String {
        let syntax = CommandSyntax(name: "run", summary: "")
        let program = ImportProgram(
            try ParsedArguments([], syntax: syntax),
            Environment(variables: ["PATH": "/usr/bin:/bin"]), clock: clock, program: path)
        switch try await program.run("/file", "ada") {
        case .imported(let result, let notes): return "\(JSONValue.object(result).json) \(notes)"
        case .failed(let problem, let cause): return "\(cause): \(problem)"
        }
    }

    func testResult_isThatOfTheCommand() async throws {
        let outcome = try await Self.outcome(
            of: #"echo '{"stored":2}'; echo 'pulsegate: note: left out: 1' >&2"#)
        XCTAssertEqual(outcome, #"{"stored":2} ["left out: 1"]"#)
    }

    func testFailure_hasTheCauseOfTheCommand() async throws {
        for cause in ["input", "conflict", "busy", "storageFull", "failure"] {
            let outcome = try await Self.outcome(
                of: """
                    echo '{"stored":1,"error":"no","cause":"\(cause)"}'
                    echo 'pulsegate: no' >&2
                    exit 1
                    """)
            XCTAssertEqual(outcome, "\(cause): no")
        }
    }

    /// A command that ends without an object has not read the file.
    func testFailureWithoutACause_isOneOfTheGateway() async throws {
        for (script, problem) in [
            ("echo 'pulsegate: wrong' >&2; exit 78", "wrong"),
            ("kill -9 $$", "the import ended by signal 9"),
            ("exit 3", "the import exited with status 3"),
            ("echo x; exit 0", "the import has printed no result"),
            (#"echo '{"cause":"other"}'; exit 1"#, "the import exited with status 1"),
        ] {
            let found = try await Self.outcome(of: script)
            XCTAssertEqual(found, "failure: \(problem)")
        }
    }

    /// What it has stored by then stays, so that the same file is imported faster.
    func testImportThatTakesTooLong_isEnded_andCanBeTriedAgain() async throws {
        let clock = ManualClock()
        async let found = Self.outcome(of: "exec /bin/sleep 3600", clock)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 600)
        let outcome = try await found
        XCTAssertTrue(outcome.hasPrefix("busy: the import did not end within 600 s"), outcome)
    }

    func testProgramThatCannotBeStarted_isAFailureOfTheGateway() async throws {
        let found = try await Self.outcome(ofProgram: "/nonexistent/pulsegate")
        XCTAssertTrue(found.hasPrefix("failure: the import cannot be started: "), found)
    }
}
