import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import Simulation
import XCTest

final class SimulatedStrapSourceTests: XCTestCase {
    private let clock = ManualClock()
    private let inlet = RecordingInlet()

    func testSource_keepsTheContract() async {
        let findings = await SourceConformance.findings(
            for: SimulatedStrapSource(profiles: [RateProfile()], clock: SystemClock()),
            devices: [SimulatedStrapSource.device])
        XCTAssertEqual(findings, [])
    }

    func testRun_opensTheDeviceAndReportsItsMakeBeforeAnyTimePasses() async throws {
        let start = clock.now()
        let run = try await running(SimulatedStrapSource(profiles: [RateProfile()], clock: clock))

        let reports = await inlet.next(6)

        guard case .opened(let device, let opened) = reports[0].content else {
            return XCTFail("\(reports[0])")
        }
        XCTAssertEqual(opened, start)
        XCTAssertEqual(device.localIdentifier, "simulated-strap")
        XCTAssertEqual(
            reports.dropFirst().flatMap(\.readings).map(\.reading),
            [
                .identity(Device(manufacturer: "Pulsegate")),
                .identity(Device(model: "Simulated Strap")),
                .identity(Device(hardwareVersion: "1")), .identity(Device(firmwareVersion: "1")),
                .state(.contact(true)),
            ])
        await stop(run)
    }

    func testRun_notifiesEverySecondWithTheTimeOfTheNotification() async throws {
        let start = clock.now()
        let run = try await running(SimulatedStrapSource(profiles: [RateProfile()], clock: clock))
        _ = await inlet.next(7)

        for _ in 1...3 {
            clock.advance(seconds: 1)
            await clock.waitForSleepers(1)
        }

        let readings = await inlet.next(3).flatMap(\.readings)
        XCTAssertEqual(readings.map { $0.receipt.seconds(since: start) }, [1, 2, 3])
        XCTAssertTrue(readings.allSatisfy { $0.reading.isInstant })
        await stop(run)
    }

    func testRun_whenTheTaskWakesLate_receivesAtTheSameTimesAllTheSame() async throws {
        let start = clock.now()
        let run = try await running(SimulatedStrapSource(profiles: [RateProfile()], clock: clock))
        _ = await inlet.next(7)

        clock.advance(seconds: 3.5)

        let readings = await inlet.next(3).flatMap(\.readings)
        XCTAssertEqual(readings.map { $0.receipt.seconds(since: start) }, [1, 2, 3])
        await stop(run)
    }

    func testRun_withoutAProfile_subscribesToNothingButTheBattery() async throws {
        let run = try await running(SimulatedStrapSource(profiles: [], clock: clock))
        _ = await inlet.next(5)

        clock.advance(seconds: 1_200)

        let reports = await inlet.next(2)
        XCTAssertEqual(
            reports.flatMap(\.readings).map(\.reading),
            [.state(.battery(1)), .state(.battery(0.99))])
        await stop(run)
    }

    func testRun_whenAProfileRefusesAValue_countsIt() async throws {
        let source = SimulatedStrapSource(profiles: [RateProfile(error: .invalid)], clock: clock)
        let run = try await running(source)
        let reports = await inlet.next(7)

        guard case .dropped(let drops) = reports[5].content else {
            return XCTFail("\(reports[5])")
        }
        XCTAssertEqual(drops, [.invalid: 1])
        await stop(run)
    }

    func testRun_whenCancelled_closesTheDeviceAndThrows() async throws {
        let run = try await running(SimulatedStrapSource(profiles: [RateProfile()], clock: clock))
        _ = await inlet.next(7)

        run.cancel()

        let result = await run.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        guard case .closed(let closed, let reason) = await inlet.next(1)[0].content else {
            return XCTFail("the device was not closed")
        }
        XCTAssertEqual(closed, clock.now())
        XCTAssertEqual(reason, "stopped")
    }

    /// Starts a source and returns when it waits for its first notification.
    private func running(_ source: SimulatedStrapSource) async throws -> Task<Void, any Error> {
        let task = Task { [inlet] in try await source.run(into: inlet) }
        await clock.waitForSleepers(1)
        return task
    }

    private func stop(_ task: Task<Void, any Error>) async {
        task.cancel()
        _ = await task.result
    }
}

/// Takes the rate out of a measurement and nothing else, and contact for every location.
private struct RateProfile: GATTProfile {
    let name = "rate"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A37)]
    let reads = [BluetoothUUID(0x2A38)]
    var error: ByteDecodingError?

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        if let error { throw error }
        guard characteristic == BluetoothUUID(0x2A37) else {
            return GATTDecoding([.state(.contact(value == [1]))])
        }
        guard value.count >= 2 else { throw .truncated }
        do throws(QuantityError) {
            let rate = try Quantity(Double(value[1]), .countPerMinute)
            return GATTDecoding([.instant(.heartRate, rate)])
        } catch {
            throw .invalid
        }
    }
}
