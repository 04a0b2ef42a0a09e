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
        var seconds = 0
        var silences: [Int] = []
        while await bluez.writes.count < 3, seconds < 100 {
            seconds += 1
            clock.advance(seconds: 1)
            await bluez.notify(Self.address, [0, UInt8(60 + seconds % 2)])
            while let content = await reports.next(isolation: nil)?.content {
                if case .dropped(let drops) = content, drops[.silent] == 1 {
                    silences.append(seconds)
                }
                if case .closed = content { XCTFail("the link ended") }
                if case .stale = content { XCTFail("the link is not silent") }
                if case .readings = content { break }
            }
            await bluez.flush()
        }
        let writes = await bluez.writes
        XCTAssertEqual(writes.map(\.value), [Self.start, [3, 0], Self.start])
        XCTAssertEqual(silences, [10])
        XCTAssertTrue((60...61).contains(seconds), "\(seconds)")
        await receiveFrame(from: bluez, &reports)
        let connects = await bluez.calls(of: "Connect")
        XCTAssertEqual(connects.count, 1)
        running.cancel()
        _ = try? await running.value
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
