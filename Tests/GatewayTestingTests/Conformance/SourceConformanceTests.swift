import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import Synchronization
import XCTest

/// The suite finds sources that violate the contract, and only those.
final class SourceConformanceTests: XCTestCase {
    /// Reports one heart rate and waits; every part of it can be wrong.
    private struct Strap: Source {
        typealias Step = @Sendable (any ReadingInlet) async throws -> Void

        var device = "strap"
        var opens = true
        var closes = true
        var type = QuantityType.heartRate
        var unit = HealthModel.Unit.countPerMinute
        var receipts: [Int64] = [2]
        /// What follows the readings.
        var wait: Step = { _ in try await SystemClock().sleep(seconds: 3_600) }
        /// What happens at the end.
        var end: Step = { _ in }

        func run(into inlet: any ReadingInlet) async throws {
            try Task.checkCancellation()
            let time = BootInstant(nanoseconds: 1)
            if opens { await report(.opened(Device(), at: time), inlet) }
            do {
                let value = try Quantity(61, unit)
                let readings = receipts.map {
                    TimedReading(.instant(type, value), at: BootInstant(nanoseconds: $0))
                }
                await report(.readings(readings), inlet)
                try await wait(inlet)
            } catch {
                if closes { await report(.closed(at: time, reason: "stopped"), inlet) }
                try await end(inlet)
                throw error
            }
        }

        private func report(_ content: DeviceReport.Content, _ inlet: any ReadingInlet) async {
            await inlet.report(DeviceReport(device: device, content))
        }
    }

    private func findings(
        devices: Set<String>? = nil, types: Set<QuantityType>? = nil,
        _ change: (inout Strap) -> Void = { _ in }
    ) async -> String {
        var strap = Strap()
        change(&strap)
        return await SourceConformance.findings(for: strap, devices: devices, types: types).text
    }

    func testGoodSource_hasNoFinding() async {
        let found = await findings(devices: ["strap"], types: [.heartRate])
        XCTAssertEqual(found, "")
    }

    func testUndeclaredDeviceOrType_isFound() async {
        let device = await findings(devices: ["other"])
        XCTAssertEqual(device, "reports a device that it does not claim")
        let type = await findings(types: [.stepCount])
        XCTAssertEqual(type, "reports heartRate, which is not declared")
        let unit = await findings { $0.unit = .kilogram }
        XCTAssertEqual(unit, "kg is not a unit of heartRate")
        let name = await findings { $0.device = "a\nb" }
        XCTAssertTrue(name.contains("is empty, too long or not printable"), name)
    }

    func testLinkThatIsNotReported_isFound() async {
        let opened = await findings { $0.opens = false }
        XCTAssertEqual(opened, "reports readings of a device whose link is not open")
        let closed = await findings { $0.closes = false }
        XCTAssertEqual(closed, "does not report a device as closed when it ends")
    }

    func testReceiptThatIsNotUnique_isFound() async {
        let found = await findings { $0.receipts = [2, 2] }
        XCTAssertEqual(found, "two readings of a device have the same time of receipt")
    }

    func testSourceThatReturns_isFound() async {
        let found = await findings { $0.wait = { _ in } }
        XCTAssertTrue(found.contains("`run` returned; it must go on"), found)
    }

    func testSourceThatFails_isFoundWithItsError() async {
        let found = await findings { $0.wait = { _ in throw LinkError("no such port") } }
        XCTAssertTrue(found.contains("no such port"), found)
    }

    func testErrorAtCancellation_isFound() async {
        let found = await findings { $0.end = { _ in throw LinkError("stopped") } }
        XCTAssertEqual(
            found, "threw LinkError when it was cancelled instead of CancellationError")
    }

    func testSourceThatIgnoresItsCancellation_isFound() async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let found = await findings {
            $0.end = { _ in
                await withCheckedContinuation { continuation in
                    gate.continuation.onTermination = { _ in continuation.resume() }
                }
            }
        }
        gate.continuation.finish()
        XCTAssertTrue(found.contains("did not end within 5 s of its cancellation"), found)
    }

    func testReportAfterTheEnd_isFound() async {
        let first = Mutex<(any ReadingInlet)?>(nil)
        let found = await findings {
            $0.wait = { inlet in
                // The second run makes the first one, which has ended, report again.
                let ended = first.withLock { first in
                    defer { first = inlet }
                    return first
                }
                let time = BootInstant(nanoseconds: 9)
                await ended?.report(DeviceReport(device: "strap", .seen(at: time)))
                try await SystemClock().sleep(seconds: 3_600)
            }
        }
        XCTAssertEqual(found, "reports something after `run` has ended")
    }
}
