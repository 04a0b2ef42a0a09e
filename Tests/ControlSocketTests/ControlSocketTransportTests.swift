import Foundation
import GatewayTesting
import Glibc
import Synchronization
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

final class ControlSocketTransportTests: ControlTestCase {
    private let clock = SystemClock()
    private let quiet = Logger(component: "test") { _ in }

    /// Runs a transport during an operation, as a gateway does.
    private func serve<Result: Sendable>(
        _ transport: ControlSocketTransport, _ folder: String,
        while operation: () async throws -> Result
    ) async throws -> Result {
        let (_, service) = try ServiceFixture.make(folder: folder)
        let running = Task { await transport.run(service) }
        let result: Result
        do {
            result = try await operation()
        } catch {
            running.cancel()
            throw error
        }
        transport.close()
        running.cancel()
        await running.value
        return result
    }

    /// The status that a client gets while the gateway of a folder is served.
    private func status(in folder: String) async throws -> StatusReport {
        let transport = ControlSocketTransport(
            folder: DataDirectory(path: folder), clock: clock, log: quiet)
        let answer = try await serve(transport, folder) {
            try await ControlTestClient(folder).ask(#"{"request":"status"}"#)
        }
        return try StatusReport(line: Array(try XCTUnwrap(answer).utf8))
    }

    private func socketPath(_ folder: TemporaryFolder) -> String {
        folder.path(DataFiles.control)
    }

    func testServe_answersRequests_andRemovesTheSocketAtTheEnd() async throws {
        let folder = try TemporaryFolder()
        let report = try await status(in: folder.path)
        XCTAssertEqual(report.dataDirectory, folder.path)
        XCTAssertEqual(report.processID, Int64(getpid()))
        XCTAssertEqual(report.version, Version.current)
        XCTAssertEqual(report.sinks.map(\.part.name), ["store"])
        XCTAssertEqual(report.clients.connected, 1)
        XCTAssertFalse(FileManager.default.fileExists(atPath: socketPath(folder)))
    }

    func testAnotherFileAtTheSocketPath_isReportedWithTheRemedy() throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: DataFiles.control)
        let reasons = Mutex<[String]>([])
        let log = Logger(component: "test") { record in
            reasons.withLock { $0 += record.fields.filter { $0.key == "reason" }.map(\.value) }
        }
        _ = ControlSocketTransport(folder: DataDirectory(path: folder.path), clock: clock, log: log)
        let found = reasons.withLock { $0 }
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(found.first?.contains("remove that file and restart") ?? false, "\(found)")
    }

    func testSocket_isPrivate() throws {
        let folder = try TemporaryFolder()
        let transport = ControlSocketTransport(
            folder: DataDirectory(path: folder.path), clock: clock, log: quiet)
        XCTAssertEqual(try folder.permissions(), [DataFiles.control: 0o600])
        withExtendedLifetime(transport) {}
    }

    func testSocket_ofADeadGateway_isReplaced() async throws {
        let folder = try TemporaryFolder()
        let path = try SocketPath(folder: folder.path, name: DataFiles.control)
        _ = try LocalSocket.listen(at: path)
        XCTAssertTrue(FileManager.default.fileExists(atPath: socketPath(folder)))
        XCTAssertThrowsError(try ControlTestClient(folder.path)) { error in
            XCTAssertEqual((error as? LocalSocket.Failure)?.code, ECONNREFUSED)
        }
        let report = try await status(in: folder.path)
        XCTAssertEqual(report.dataDirectory, folder.path)
    }

    func testSocket_whereAFileIs_isReportedOnce_andTheGatewayContinues() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("mine".utf8), to: DataFiles.control)
        let warnings = WarningRecorder()
        let transport = ControlSocketTransport(
            folder: DataDirectory(path: folder.path), clock: clock, log: warnings.logger)
        let result = try await serve(transport, folder.path) { 7 }
        XCTAssertEqual(result, 7)
        XCTAssertEqual(warnings.messages.count, 1)
        XCTAssertEqual(
            try String(contentsOfFile: socketPath(folder), encoding: .utf8), "mine")
    }

    func testSocket_inAFolderWithALongPath() async throws {
        let folder = try TemporaryFolder()
        let name = Array(repeating: String(repeating: "long", count: 30), count: 10)
            .joined(separator: "/")
        let deep = try folder.makeFolder(name)
        let report = try await status(in: deep)
        XCTAssertEqual(report.dataDirectory, deep)
        // Below, at and above the maximum length of an address.
        let base = folder.path.utf8.count + 1 + 1 + DataFiles.control.utf8.count
        for length in (SocketPath.lengthLimit - 1)...(SocketPath.lengthLimit + 1) {
            let inside = try folder.makeFolder(
                String(repeating: "x", count: max(length - base, 1)))
            let report = try await status(in: inside)
            XCTAssertEqual(report.dataDirectory, inside)
        }
    }

    func testEnd_aNewClientFindsNoGateway() async throws {
        let folder = try TemporaryFolder()
        let transport = ControlSocketTransport(
            folder: DataDirectory(path: folder.path), clock: clock, log: quiet)
        let client = try ControlTestClient(folder.path)
        try await serve(transport, folder.path) {}
        let end = try await client.line()
        XCTAssertNil(end)
        XCTAssertFalse(ControlClient.canReach(DataDirectory(path: folder.path)))
    }
}
