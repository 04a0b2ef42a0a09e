import BluetoothTesting
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Bluetooth
@testable import PolarMeasurement

/// An electrocardiogram that stops while the heart rate continues, on a fake bluetoothd and a manual
/// clock.
final class SilentMeasurementTests: XCTestCase {
    private typealias Profile = PolarMeasurementProfile

    private static let address = "D0:11:22:33:44:55"
    private static let start: [UInt8] = [2, 0, 0, 1, 130, 0, 1, 1, 14, 0]
    private static let stop: [UInt8] = [3, 0]

    func testElectrocardiogramThatStops_isRequestedAgain_onTheSameLink() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.appear(Self.strap)
        let clock = ManualClock()
        let inlet = RecordingInlet()
        let source = BluetoothSource(
            selection: BluetoothSelection(
                devices: .named([try XCTUnwrap(BluetoothAddress(Self.address))])),
            profiles: [RateProfile(), Profile(electrocardiogram: true)], busAddress: bus.address,
            context: ComponentContext(
                name: "straps", clock: clock, log: Logger(component: "test") { _ in },
                dataDirectory: "/nonexistent"))
        let running = Task { try await source.run(into: inlet) }
        var reports = inlet.reports.makeAsyncIterator()
        await bluez.wait { $0.writes.count == 1 }
        await bluez.notify(
            Self.address, bytes("F0 02 00 00 00"), of: Profile.controlPoint.description)
        await receiveFrame(from: bluez, &reports)

        // The sensor sends nothing but its heart rate. The same request is written once a minute.
        let requestSeconds = 60
        for second in 1...requestSeconds {
            clock.advance(seconds: 1)
            await bluez.notify(Self.address, [0, UInt8(60 + second % 2)])
            // What the clock has made due may be reported after the heart rate of the same second.
            let isOverdue = second == Int(SilenceWatch.frameSeconds)
            await receiveRate(from: &reports, silent: isOverdue)
            if second == requestSeconds - 1 {
                let writes = await bluez.writes
                XCTAssertEqual(writes.map(\.value), [Self.start, Self.stop])
            }
        }
        await bluez.wait { $0.writes.count == 3 }
        let writes = await bluez.writes
        XCTAssertEqual(writes.map(\.value), [Self.start, Self.stop, Self.start])
        await receiveFrame(from: bluez, &reports)
        let connects = await bluez.calls(of: "Connect")
        XCTAssertEqual(connects.count, 1)
        running.cancel()
        _ = try? await running.value
    }

    /// Waits for a heart rate and, if it is due, for the report of one silent measurement.
    private func receiveRate(
        from reports: inout AsyncStream<DeviceReport>.AsyncIterator, silent: Bool
    ) async {
        var (hasRate, isReported) = (false, false)
        while !hasRate || isReported != silent,
            let content = await reports.next(isolation: nil)?.content
        {
            switch content {
            case .readings: hasRate = true
            case .dropped(let drops) where drops[.silent] != nil:
                XCTAssertTrue(silent && !isReported, "reported early, or again")
                isReported = true
            case .closed: return XCTFail("the link ended")
            case .stale: return XCTFail("the link is not silent")
            default: break
            }
        }
    }

    /// Waits for the voltages of a frame.
    private func receiveFrame(
        from bluez: FakeBlueZ, _ reports: inout AsyncStream<DeviceReport>.AsyncIterator
    ) async {
        await bluez.notify(
            Self.address, bytes("00 01 00 00 00 01 00 00 00 00 08 00 00"),
            of: Profile.measurements.description)
        while let report = await reports.next(isolation: nil) {
            guard case .readings(let readings) = report.content else { continue }
            if readings.contains(where: \.reading.isWaveform) { return }
        }
    }

    private static var strap: FakeDevice {
        let services = [
            FakeService("180D", [FakeCharacteristic("2a37", ["notify"])]),
            FakeService(
                Profile().service.description,
                [
                    FakeCharacteristic(
                        Profile.controlPoint.description, ["read", "write", "indicate"],
                        value: bytes("0F 01 00")),
                    FakeCharacteristic(Profile.measurements.description, ["notify"]),
                ]),
        ]
        return FakeDevice(address: address, name: "Strap", services: services)
    }
}

extension Reading {
    fileprivate var isWaveform: Bool {
        if case .waveform = self { true } else { false }
    }
}

/// The heart rate, one value a second.
private struct RateProfile: GATTProfile {
    let name = "rate"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A37)]
    let silenceLimitSeconds: Double? = 10

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard value.count == 2 else { throw .truncated }
        return GATTDecoding([try .instant(.heartRate, Double(value[1]), .countPerMinute)])
    }
}
