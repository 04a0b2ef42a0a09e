import Bluetooth
import BluetoothTesting
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Readings
import XCTest

@testable import PolarMeasurement

final class ElectrocardiogramTests: XCTestCase {
    private typealias Profile = PolarMeasurementProfile

    /// An H10 has the electrocardiogram and acceleration.
    private static let features = bytes("0F 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
    /// 130 values a second of 14 bits.
    private static let request: [UInt8] = [2, 0, 0, 1, 130, 0, 1, 1, 14, 0]
    /// The sensor's time is 2^32 + 1 ns.
    private static let head = "00 01 00 00 00 01 00 00 00 00"
    /// -32,766, 32,770, -1 and 8 microvolts.
    private static let values = "02 80 FF 02 80 00 FF FF FF 08 00 00"

    private let profile = Profile(electrocardiogram: true)

    func testValues_areSignedMicrovolts() throws {
        XCTAssertEqual(
            try decode("\(Self.head) \(Self.values)"),
            GATTDecoding([.waveform(waveform([-32_766, 32_770, -1, 8], at: 0x1_0000_0001))]))
    }

    func testValues_withHalfAValue_useTheOthers() throws {
        XCTAssertEqual(
            try decode("\(Self.head) 08 00 00 01 02"),
            GATTDecoding([.waveform(waveform([8], at: 0x1_0000_0001))], drops: [.damaged]))
    }

    func testTime_thatIsZero_isUnknown() throws {
        XCTAssertEqual(
            try decode("00 00 00 00 00 00 00 00 00 00 08 00 00").readings,
            [.waveform(waveform([8], at: nil))])
    }

    func testCompressedFrame_isUnknown() {
        XCTAssertThrowsError(try decode("00 01 00 00 00 01 00 00 00 80 08 00 00")) {
            XCTAssertEqual($0 as? ByteDecodingError, .unknown)
        }
    }

    func testFrame_whenCutShort_throws() {
        let frame = bytes("\(Self.head) 08 00 00")
        for length in 0..<frame.count {
            let part = Array(frame.prefix(length))
            XCTAssertThrowsError(
                try profile.decode(part, of: Profile.measurements, from: Device()), "\(part)"
            ) { XCTAssertEqual($0 as? ByteDecodingError, .truncated) }
        }
    }

    func testSensor_isAskedForWhatItHas() throws {
        XCTAssertEqual(try control("0F 05").writes.map(\.bytes), [Self.request])
        XCTAssertEqual(try control("0F 0D").writes.map(\.bytes), [[2, 3], Self.request])
        XCTAssertEqual(try control("0F 02").writes, [])
        XCTAssertEqual(try control("01 00").writes.map(\.bytes), [Self.request])
    }

    func testAnswer_isCountedWhenItIsARefusal() throws {
        XCTAssertEqual(try control("F0 02 00 00 00"), GATTDecoding())
        let refused = try control("F0 02 00 0D")
        XCTAssertEqual(refused.drops, [.unavailable])
        XCTAssertEqual(refused.writes.map(\.bytes), [Self.request])
    }

    func testElectrocardiogram_isASetting() throws {
        for (value, isWanted) in [("true", true), ("false", false)] {
            let settings = try ConfigurationNode(
                json5: "{ use: \"polarMeasurement\", electrocardiogram: \(value) }")
            let decoding = try Profile.factory.make(settings).decode(
                bytes("0F 05"), of: Profile.controlPoint, from: Device())
            XCTAssertEqual(decoding.writes.isEmpty, !isWanted)
        }
    }

    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(
            for: profile,
            values: [
                Profile.controlPoint: [Self.features],
                Profile.measurements: [bytes("\(Self.head) \(Self.values)")],
            ])
        XCTAssertEqual(findings, [])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway: two seconds of an H10.
    func testFrames_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(
                profile, reads: [Profile.controlPoint: Self.features])
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.bluez.wait { !$0.writes.isEmpty }
        let writes = await harness.bluez.writes
        XCTAssertEqual(writes.map(\.value), [Self.request])
        for number in 0..<4 {
            await harness.notify(frame(number), of: Profile.measurements)
        }
        let count = 4 * Self.valuesPerFrame
        let samples = try await harness.samples(of: .electrocardiogramVoltage, count: count)
        XCTAssertEqual(samples.map(\.quantity.value), (0..<count).map { Double($0 - 150) })
        XCTAssertEqual(samples.map(\.start), samples.map(\.start).sorted())
        XCTAssertEqual(Set(samples.map(\.start)).count, count)
        try await harness.gateway.stop()
    }

    /// The number of values in a frame of an H10.
    private static let valuesPerFrame = 73

    /// A frame whose values count up.
    private func frame(_ number: Int) -> [UInt8] {
        let time = UInt64(600_000_000_000_000_000 + number * 561_538_462)
        let values = (0..<Self.valuesPerFrame).flatMap { index in
            let value = UInt32(bitPattern: Int32(number * Self.valuesPerFrame + index - 150))
            return (0..<3).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        return [0] + (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } + [0] + values
    }

    private func waveform(_ values: [Double], at time: UInt64?) -> WaveformReading {
        WaveformReading(
            .electrocardiogramVoltage, values: values, unit: .microvolt, perSecond: 130,
            deviceTime: time)
    }

    private func decode(_ value: String) throws -> GATTDecoding {
        try profile.decode(bytes(value), of: Profile.measurements, from: Device())
    }

    private func control(_ value: String) throws -> GATTDecoding {
        try profile.decode(bytes(value), of: Profile.controlPoint, from: Device())
    }
}
