import Foundation
import GatewayCore
import GatewayTesting
import Readings
import XCTest

/// An adapter that traps or never returns ends the run, and its input is still known.
///
/// Each test runs itself again in a process of its own, with the adapter's name in the environment.
final class FatalAdapterTests: XCTestCase {
    private static let variable = "PULSEGATE_FATAL_ADAPTER"

    /// What is left of the process: its standard error and the recorded input.
    private struct Remains {
        let signal: Int32
        let error: String
        let input: String
    }

    func testCallThatDoesNotReturn_namesSeedAndBytes() throws {
        guard let remains = try remains(of: "testCallThatDoesNotReturn_namesSeedAndBytes") else {
            return runAdapter { while $0.contains(0x42) {} }
        }
        XCTAssertEqual(remains.signal, SIGABRT)
        XCTAssertTrue(
            remains.error.contains("seed 4711: the call does not return; its input is in /tmp/"),
            remains.error)
        XCTAssertTrue(
            remains.input.hasPrefix("seed 4711: received on stream: "), remains.input)
        XCTAssertTrue(remains.input.contains(" 42 "), remains.input)
    }

    func testTrap_leavesSeedAndBytes() throws {
        guard let remains = try remains(of: "testTrap_leavesSeedAndBytes") else {
            return runAdapter { if $0.contains(0x42) { _ = $0[$0.count + Int($0[0])] } }
        }
        XCTAssertNotEqual(remains.signal, 0)
        XCTAssertTrue(
            remains.input.hasPrefix("seed 4711: received on stream: "), remains.input)
        XCTAssertTrue(remains.input.contains(" 42 "), remains.input)
    }

    func testReturn_leavesNoFile() throws {
        runAdapter { _ in }
        XCTAssertEqual(try Self.files(of: getpid()), [])
    }

    private func runAdapter(_ body: @escaping @Sendable ([UInt8]) -> Void) {
        let findings = AdapterConformance.findingsForRandomBytes(
            seed: 4711, count: 10_000, check: [1]
        ) {
            ScriptedAdapter { event in
                if case .received(let bytes, _) = event.kind { body(bytes) }
                return []
            }
        }
        XCTAssertEqual(findings, [])
    }

    /// Runs a test in another process; nil in that process.
    private func remains(of test: String) throws -> Remains? {
        if ProcessInfo.processInfo.environment[Self.variable] != nil { return nil }
        let process = Process()
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: bundle)
        process.arguments = ["GatewayTestingTests.FatalAdapterTests/\(test)"]
        process.environment = ProcessInfo.processInfo.environment.merging([
            Self.variable: "1", "PULSEGATE_CONFORMANCE_SECONDS": "0.3",
            "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        let error = Pipe()
        process.standardError = error
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let bytes = error.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        let files = try Self.files(of: process.processIdentifier)
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        let inputs = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        return Remains(
            signal: isSignal ? process.terminationStatus : 0,
            error: String(decoding: bytes, as: UTF8.self), input: inputs.joined())
    }

    private static func files(of process: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/tmp")
            .filter { $0.hasPrefix("pulsegate-conformance-\(process)-") }.map { "/tmp/\($0)" }
    }
}
