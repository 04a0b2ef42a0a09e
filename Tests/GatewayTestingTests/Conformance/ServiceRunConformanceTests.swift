import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Synchronization
import XCTest

/// The suite finds services that use the processor, end late, or do not survive a gap or a failure.
final class ServiceRunConformanceTests: XCTestCase {
    /// A text that a service and a test share.
    private final class Place: Sendable {
        let text = Mutex("")
    }

    /// The errors of the wrong services.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private func findings(
        shown: (@Sendable () async throws -> Bool)? = nil,
        _ body: @escaping @Sendable (ServiceAccess) async throws -> Void
    ) async throws -> String {
        await ServiceConformance.findings(showing: [try ClosureService.record(77)], shown: shown) {
            ClosureService(body: body)
        }.text
    }

    private func findingsWhenUnavailable(
        _ body: @escaping @Sendable (ServiceAccess) async throws -> Void
    ) async throws -> String {
        await ServiceConformance.findingsWhenUnavailable(
            showing: [try ClosureService.record(77)]
        ) { ClosureService(body: body) }.text
    }

    func testServiceThatUsesTheProcessor_isFound() async throws {
        let found = try await findings { gateway in
            await withTaskGroup { group in
                group.addTask { while !Task.isCancelled { await Task.yield() } }
                await ClosureService.read(gateway) { _ in }
                group.cancelAll()
            }
        }
        XCTAssertEqual(found, "a run without records: uses the processor while it waits")
    }

    func testServiceThatEndsTooLate_isFound() async throws {
        let found = try await findings { gateway in
            await ClosureService.read(gateway) { _ in }
            // Not of the task of the service, so it is not cancelled with it.
            await Task.detached { try? await SystemClock().sleep(seconds: 1.2) }.value
        }
        XCTAssertEqual(
            found,
            "takes more than 1 s to end when its task is cancelled; a gateway does not wait for it any "
                + "longer")
    }

    func testServiceThatEndsAtAGap_isFound() async throws {
        let found = try await findings { gateway in
            let records = gateway.live.subscribeBuffered()
            defer { gateway.live.cancel(records) }
            while let delivery = await records.next() {
                guard case .records = delivery else { return }
            }
        }
        XCTAssertEqual(
            found,
            "records after a gap: ended by itself: `run` returned without being cancelled")
    }

    func testServiceThatShowsNothingAfterAGap_isFound() async throws {
        let place = Place()
        let found = try await findings(shown: { place.text.withLock { $0 } == "77.0" }) { gateway in
            await Self.showUntilAGap(gateway, at: place)
        }
        XCTAssertEqual(found, "records after a gap: does not show its records within 5 s")
    }

    private static func showUntilAGap(_ gateway: ServiceAccess, at place: Place) async {
        let records = gateway.live.subscribeBuffered()
        defer { gateway.live.cancel(records) }
        var hasGap = false
        while let delivery = await records.next() {
            guard case .records(let batch) = delivery else {
                hasGap = true
                continue
            }
            for case .sample(let sample) in batch where !hasGap && sample.type == .heartRate {
                place.text.withLock { $0 = "\(sample.quantity.value)" }
            }
        }
    }

    func testUnavailablePlace_thatIsReportedOrThrown_hasNoFindings() async throws {
        let reports = try await findingsWhenUnavailable { gateway in
            await ClosureService.read(gateway) { _ in gateway.report("the display is missing") }
        }
        XCTAssertEqual(reports, "")
        let throwing = try await findingsWhenUnavailable { _ in
            throw Failure(description: "the display is missing")
        }
        XCTAssertEqual(throwing, "")
    }

    func testUnavailablePlace_thatIsHidden_isFound() async throws {
        let returning = try await findingsWhenUnavailable { _ in }
        XCTAssertTrue(
            returning.hasPrefix("a run: returns; throw an error, or report a problem"), returning)
        let silent = try await findingsWhenUnavailable { gateway in
            await ClosureService.read(gateway) { _ in }
        }
        XCTAssertTrue(
            silent.hasPrefix("a run: neither throws nor reports a problem within 5 s"), silent)
    }

    /// It works at its second start only because the first one is remembered.
    func testUnavailablePlace_thatIsHiddenInTheNextRun_isFound() async throws {
        let place = Place()
        let found = try await findingsWhenUnavailable { gateway in
            let isFirst = place.text.withLock { text in
                defer { text = "started" }
                return text.isEmpty
            }
            if isFirst { throw Failure(description: "the display is missing") }
            await ClosureService.read(gateway) { _ in }
        }
        XCTAssertEqual(
            found, "the run after it: neither throws nor reports a problem within 5 s")
    }

    func testUnavailablePlace_thatIsTriedWithoutAPause_isFound() async throws {
        let found = try await findingsWhenUnavailable { gateway in
            gateway.report("the display is missing")
            while !Task.isCancelled { await Task.yield() }
        }
        XCTAssertTrue(
            found.hasPrefix("a run with a problem: uses the processor while it waits"), found)
    }

    func testErrorWithAHealthValue_isFound() async throws {
        let found = await ServiceConformance.findingsWhenUnavailable {
            ClosureService { _ in throw Failure(description: "cannot show 123.4375") }
        }
        XCTAssertEqual(found.text, "throws an error with a health value")
    }
}
