import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Simulator

final class SimulatorSourceTests: XCTestCase {
    private let fixture = SimulatorFixture()

    func testSource_keepsTheContract() async throws {
        let source = try fixture.source(
            "{ devices: { heartRateStrap: 3, pedometer: 1, hxm: 1 } }", clock: SystemClock())
        let findings = await SourceConformance.findings(
            for: source,
            devices: [
                "simulated-strap", "simulated-strap-2", "simulated-strap-3", "simulated-pedometer",
                "simulated-hxm",
            ])
        XCTAssertEqual(findings, [])
    }

    func testStrap_opensWithItsMakeAndNotifiesAtItsTimes() async throws {
        let start = fixture.clock.now()
        let run = fixture.start(
            try fixture.source("{ devices: { heartRateStrap: 1 }, heartRate: 72 }"))
        let opening = await fixture.inlet.next(6)
        guard case .opened(let device, start) = opening[0].content else {
            return XCTFail("\(opening[0])")
        }
        XCTAssertEqual(device.localIdentifier, "simulated-strap")
        XCTAssertEqual(device.name, "Simulated Strap")
        XCTAssertEqual(
            opening.dropFirst().flatMap(\.timedReadings).map(\.reading),
            [
                .identity(Device(manufacturer: "Pulsegate")),
                .identity(Device(model: "Simulated Strap")),
                .identity(Device(hardwareVersion: "1")), .identity(Device(firmwareVersion: "1")),
                .state(.battery(1)),
            ])
        await fixture.clock.waitForSleepers(1)
        // The task wakes late, and receives at the same times all the same.
        fixture.clock.advance(seconds: 3.5)
        let rates = await fixture.inlet.next(3).heartRates(since: start)
        XCTAssertEqual(rates.map(\.seconds).map { $0.rounded() }, [1, 2, 3])
        XCTAssertEqual(rates.map(\.rate), [72, 72, 72])
        await stop(run)
    }

    func testHeartRate_followsTheCurve() async throws {
        let start = fixture.clock.now()
        let run = fixture.start(
            try fixture.source(
                """
                { devices: { heartRateStrap: 1 },
                  heartRate: { points: [{ at: "0s", rate: 60 }, { at: "1m", rate: 120 }] } }
                """))
        _ = await fixture.inlet.next(6)
        await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(seconds: 50)
        await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(seconds: 50)
        let rates = await fixture.inlet.next(100).heartRates(since: start)
        XCTAssertEqual(
            rates.map(\.rate), (1...100).map { min(60 + Double($0), 120) })
        await stop(run)
    }

    func testSameSeed_hasTheSameReadings() async throws {
        let settings = """
            { devices: { heartRateStrap: 5 }, seed: 3,
              faults: { linkLost: { every: "20s" }, damagedPackets: { every: "10s" },
                        contactLost: { every: "30s" }, silence: { every: "50s" },
                        batteryEmpty: { every: "90s" }, packetFlood: { every: "40s", count: 5 } } }
            """
        let first = try await readings(settings)
        let second = try await readings(settings)
        XCTAssertGreaterThan(first.count, 200)
        XCTAssertEqual(first, second)
        let other = try await readings(settings.replacing("seed: 3", with: "seed: 4"))
        XCTAssertNotEqual(first, other)
    }

    private func readings(_ settings: String) async throws -> [TimedReading] {
        let fixture = SimulatorFixture()
        let run = fixture.start(try fixture.source(settings))
        for _ in 1...2 {
            await fixture.clock.waitForSleepers(1)
            fixture.clock.advance(seconds: 50)
        }
        await fixture.clock.waitForSleepers(1)
        await stop(run)
        return fixture.inlet.all.flatMap(\.timedReadings)
    }

    func testThousandStraps_startAndStop() async throws {
        let run = fixture.start(try fixture.source("{ devices: { heartRateStrap: 1000 } }"))
        for _ in 1...400 {
            await fixture.clock.waitForSleepers(1)
            fixture.clock.advance(seconds: 0.01)
        }
        await fixture.clock.waitForSleepers(1)
        await stop(run)
        let reports = fixture.inlet.all
        let opened = reports.filter { $0.words == "opened" }.map(\.device)
        let closed = reports.filter { $0.words == "closed: stopped" }.map(\.device)
        XCTAssertEqual(opened.count, 1_000)
        XCTAssertEqual(Set(closed), Set(opened))
        XCTAssertEqual(closed.count, 1_000)
        // Three seconds at least of each, in the order of their times.
        let rates = reports.heartRates(since: fixture.clock.now())
        XCTAssertGreaterThan(rates.count, 2_000)
        XCTAssertEqual(rates.map(\.seconds), rates.map(\.seconds).sorted())
    }

    func testAfterALongDelay_itContinuesFromThePresent() async throws {
        let start = fixture.clock.now()
        let run = fixture.start(
            try fixture.source("{ devices: { heartRateStrap: 1 }, heartRate: 72 }"))
        _ = await fixture.inlet.next(6)
        await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(seconds: 3_600)
        await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(seconds: 1)
        let rates = await fixture.inlet.next(2).heartRates(since: start)
        XCTAssertEqual(rates.map(\.seconds).map { $0.rounded() }, [3_600, 3_601])
        await stop(run)
    }

    func testQuarantinedStrap_waitsForItsRelease_andTheOthersRun() async throws {
        fixture.quarantine.add(["simulated-strap-2"])
        let run = fixture.start(try fixture.source("{ devices: { heartRateStrap: 2 } }"))
        await fixture.clock.waitForSleepers(1)
        let reports = await fixture.inlet.next(7)
        XCTAssertEqual(
            reports.filter { $0.device == "simulated-strap-2" }.map(\.words), ["link quarantined"])
        let remedy = Quarantine.reason(for: "simulated-strap-2")
        XCTAssertTrue(remedy.contains("remove crashes.json"), remedy)
        XCTAssertEqual(
            reports.filter { $0.words == "opened" }.map(\.device), ["simulated-strap"])
        fixture.quarantine.release("simulated-strap-2")
        await fixture.clock.waitForSleepers(2)
        fixture.clock.advance(seconds: 0.7)
        let later = await fixture.inlet.next(1)
        XCTAssertEqual(later.map(\.device), ["simulated-strap-2"])
        XCTAssertEqual(later.map(\.words), ["opened"])
        await stop(run)
    }

    // MARK: Serial ports

    func testPedometer_isReadThroughItsPort() async throws {
        let run = fixture.start(
            try fixture.source(
                """
                { devices: { pedometer: 1 }, seed: 1,
                  faults: { linkLost: { at: ["3s"], for: "2s" } } }
                """))
        var reports = await fixture.inlet.next(2)
        for second in 1...2 {
            await fixture.clock.waitForSleepers(1)
            fixture.clock.advance(seconds: 1)
            reports += await fixture.inlet.next(1)
            XCTAssertEqual(reports.count, 2 + second)
        }
        await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(seconds: 1)
        reports += await fixture.inlet.next(1)
        await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(seconds: 2)
        // Opened, and the banner with the line of the second when the device is back.
        while reports.flatMap(\.timedReadings).count < 5 { reports += await fixture.inlet.next(1) }
        XCTAssertEqual(Set(reports.map(\.device)), ["simulated-pedometer"])
        guard case .opened(let device, _) = reports[0].content else {
            return XCTFail("\(reports[0])")
        }
        XCTAssertEqual(device.name, "Simulated Pedometer")
        XCTAssertEqual(device.model, "Text")
        XCTAssertEqual(reports[4].words, "closed: unplugged")
        XCTAssertEqual(reports[5].words, "opened")
        let lines = reports.flatMap(\.timedReadings).compactMap { timed in
            if case .identity(let device) = timed.reading { device.name } else { nil }
        }
        XCTAssertEqual(lines.filter { $0 == "Pulsegate simulated pedometer" }.count, 2)
        XCTAssertTrue(lines.last?.hasPrefix("Steps: ") == true, "\(lines)")
        await stop(run)
    }

    private func stop(_ run: Task<Void, any Error>) async {
        run.cancel()
        let result = await run.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
    }
}
