import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Synchronization
import XCTest

/// The suite finds services that violate the contract, and only those.
final class ServiceConformanceTests: XCTestCase {
    /// What a service shows.
    private final class Display: Sendable {
        private let rate = Mutex<Double?>(nil)

        var newest: Double? { rate.withLock { $0 } }

        func show(_ newest: Double) { rate.withLock { $0 = newest } }
    }

    /// A service that closes as a closure says.
    private struct ClosableService: Service, Closable {
        let closes: @Sendable () async -> Void

        func run(_ gateway: ServiceAccess) async throws {
            await ClosureService.read(gateway) { _ in }
        }
        func close() async { await closes() }
    }

    private func findings(
        shown: (@Sendable () async throws -> Bool)? = nil,
        _ body: @escaping @Sendable (ServiceAccess) async throws -> Void
    ) async throws -> String {
        await ServiceConformance.findings(showing: [try ClosureService.record(77)], shown: shown) {
            ClosureService(body: body)
        }.text
    }

    private func assertFinding(
        _ expected: String, line: UInt = #line,
        _ body: @escaping @Sendable (ServiceAccess) async throws -> Void
    ) async throws {
        let found = try await findings(body)
        XCTAssertTrue(found.contains(expected), found, line: line)
    }

    func testRightService_hasNoFindings() async throws {
        let display = Display()
        let found = try await findings(shown: { display.newest == 77 }) { gateway in
            await ClosureService.read(gateway) { display.show($0) }
        }
        XCTAssertEqual(found, "")
    }

    func testRightService_ofTheNewestValues_hasNoFindings() async throws {
        let found = try await findings { gateway in
            let newest = gateway.live.subscribe()
            defer { gateway.live.cancel(newest) }
            while await newest.next() != nil {}
        }
        XCTAssertEqual(found, "")
    }

    func testServiceThatEnds() async throws {
        try await assertFinding("ended by itself: `run` returned without being cancelled") { _ in }
        try await assertFinding("a run without records: ended by itself: `run` threw SinkError") {
            _ in throw SinkError.closed(reason: "closed")
        }
        try await assertFinding("records with odd values: ended by itself: `run` threw") {
            gateway in
            try await ClosureService.read(gateway) { rate in
                if rate > 1e17 { throw SinkError.closed(reason: "closed") }
            }
        }
    }

    func testServiceThatShowsNothing() async throws {
        let found = try await findings(shown: { false }) { gateway in
            await ClosureService.read(gateway) { _ in }
        }
        XCTAssertTrue(found.contains("a run: does not show its records within 5 s"), found)
    }

    func testServiceThatDoesNotEnd() async throws {
        try await assertFinding("a run without records: does not end within 2 s") { gateway in
            let records = gateway.live.subscribeBuffered()
            // Not of the task of the service, so it is not cancelled with it.
            await Task.detached { while await records.next() != nil {} }.value
        }
    }

    func testServiceThatDoesNotSubscribe() async throws {
        try await assertFinding("does not subscribe to the live records within 5 s") { _ in
            try await SystemClock().sleep(seconds: 1_000)
        }
    }

    func testSubscriptionThatIsLeftBehind() async throws {
        try await assertFinding("a run without records: leaves a subscription behind") { gateway in
            let records = gateway.live.subscribeBuffered()
            while await records.next() != nil {}
        }
    }

    func testProblemWithAHealthValue() async throws {
        try await assertFinding("reports a problem with a health value") { gateway in
            await ClosureService.read(gateway) { gateway.report("cannot show \($0)") }
        }
        try await assertFinding("reports a problem with control characters") { gateway in
            await ClosureService.read(gateway) { _ in gateway.report("a\nb") }
        }
        try await assertFinding("reports a problem that is empty or longer") { gateway in
            await ClosureService.read(gateway) { _ in gateway.report("") }
        }
    }

    func testMemoryThatGrows() async throws {
        try await assertFinding("the memory that the service keeps grows") { gateway in
            var rates: [Double] = []
            await ClosureService.read(gateway) { rates += [Double](repeating: $0, count: 8) }
        }
    }

    func testCloseThatDoesNotReturn() async {
        let right = await ServiceConformance.findings { ClosableService {} }
        XCTAssertEqual(right, [])
        let wrong = await ServiceConformance.findings {
            ClosableService { try? await SystemClock().sleep(seconds: 1_000) }
        }
        XCTAssertTrue(wrong.text.contains("`close` did not return within 2 s"), wrong.text)
    }

    func testHarness_whenTheServiceHasEnded_throws() async throws {
        let harness = ServiceHarness(ClosureService { _ in })
        do {
            try await harness.publish([ClosureService.record(77)])
            XCTFail("published")
        } catch let failure as HarnessGateway.Failure {
            XCTAssertTrue("\(failure)".contains("ended by itself"), "\(failure)")
        }
    }
}
