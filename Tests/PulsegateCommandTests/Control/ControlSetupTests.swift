import Foundation
import GatewayTesting
import Glibc
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import PulsegateCommand

final class ControlSetupTests: ControlTestCase {
    private let clock = SystemClock()
    private let quiet = Logger(component: "test") { _ in }

    private func makeGateway(_ live: LiveLane) throws -> Gateway {
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: quiet)
        let intake = Intake(
            bus: Bus(journal: journal, live: live), clock: clock, people: People(), version: "1",
            log: quiet)
        return Gateway(
            sources: [], sinks: [Gateway.NamedSink(name: "store", sink: InMemorySink())],
            intake: intake, journal: journal, clock: clock, log: quiet)
    }

    /// What a client is told while the gateway of a folder is served.
    private func status(
        in folder: String, log: Logger = Logger(component: "test") { _ in }
    ) async throws -> StatusReport {
        let live = LiveLane()
        let gateway = try makeGateway(live)
        let setup = ControlSetup(
            folder: DataFolder(path: folder), clock: clock, log: log)
        let result = await setup.serve(gateway, live: live, workouts: .withoutStore(live)) {
            () -> Result<String?, any Error> in
            do {
                return .success(
                    try await ControlTestClient(folder).ask(#"{"request":"status"}"#))
            } catch {
                return .failure(error)
            }
        }
        return try StatusReport(line: Array(try XCTUnwrap(result.get()).utf8))
    }

    private func socketPath(_ folder: TemporaryFolder) -> String {
        folder.path(DataFiles.control)
    }

    func testServe_answersForTheGateway_andRemovesTheSocketAtTheEnd() async throws {
        let folder = try TemporaryFolder()
        let report = try await status(in: folder.path)
        XCTAssertEqual(report.dataFolder, folder.path)
        XCTAssertEqual(report.processID, Int64(getpid()))
        XCTAssertEqual(report.version, Version.current)
        XCTAssertEqual(report.sinks.map(\.part.name), ["store"])
        XCTAssertEqual(report.clients.connected, 1)
        XCTAssertFalse(FileManager.default.fileExists(atPath: socketPath(folder)))
    }

    func testSomethingElseInThePlaceOfTheSocket_isSaidWithWhatMendsIt() throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: DataFiles.control)
        let reasons = Mutex<[String]>([])
        let log = Logger(component: "test") { record in
            reasons.withLock { $0 += record.fields.filter { $0.key == "reason" }.map(\.value) }
        }
        _ = ControlSetup(folder: DataFolder(path: folder.path), clock: clock, log: log)
        let found = reasons.withLock { $0 }
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(found.first?.contains("move away what is there") ?? false, "\(found)")
    }

    func testSocket_isPrivate() throws {
        let folder = try TemporaryFolder()
        let setup = ControlSetup(
            folder: DataFolder(path: folder.path), clock: clock, log: quiet)
        XCTAssertEqual(try folder.permissions(), [DataFiles.control: 0o600])
        withExtendedLifetime(setup) {}
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
        XCTAssertEqual(report.dataFolder, folder.path)
    }

    func testSocket_whereAFileIs_isSaidOnce_andTheGatewayGoesOn() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("mine".utf8), to: DataFiles.control)
        let warnings = WarningRecorder()
        let live = LiveLane()
        let setup = ControlSetup(
            folder: DataFolder(path: folder.path), clock: clock,
            log: warnings.logger)
        let result = await setup.serve(
            try makeGateway(live), live: live, workouts: .withoutStore(live)
        ) { 7 }
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
        XCTAssertEqual(report.dataFolder, deep)
        // On both sides of what fits into an address.
        let base = folder.path.utf8.count + 1 + 1 + DataFiles.control.utf8.count
        for length in (SocketPath.lengthLimit - 1)...(SocketPath.lengthLimit + 1) {
            let inside = try folder.makeFolder(
                String(repeating: "x", count: max(length - base, 1)))
            let report = try await status(in: inside)
            XCTAssertEqual(report.dataFolder, inside)
        }
    }

    func testEnd_aClientDoesNotFindTheGatewayAgain() async throws {
        let folder = try TemporaryFolder()
        let live = LiveLane()
        let setup = ControlSetup(
            folder: DataFolder(path: folder.path), clock: clock, log: quiet)
        let client = try ControlTestClient(folder.path)
        await setup.serve(try makeGateway(live), live: live, workouts: .withoutStore(live)) {}
        let end = try await client.line()
        XCTAssertNil(end)
        XCTAssertFalse(ControlClient.canReach(DataFolder(path: folder.path)))
    }
}
