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

final class PolarMeasurementTests: XCTestCase {
    private typealias Profile = PolarMeasurementProfile

    private static let head = "03 00 00 00 00 00 00 00 00 00"
    /// 800 ms and 820 ms with an error of 8 ms; contact is known.
    private static let good = "4B 20 03 08 00 06 49 34 03 08 00 06"
    private static let features = bytes("0F 0F 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
    private static let values: [BluetoothUUID: [[UInt8]]] = [
        Profile.controlPoint: [features], Profile.measurements: [bytes("\(head) \(good)")],
    ]

    func testIntervals() throws {
        XCTAssertEqual(
            try decode("\(Self.head) \(Self.good)"),
            GATTDecoding([.beats(BeatsReading(ticks: [800, 820], perSecond: 1_000))]))
    }

    /// Movement, lost contact, an error of 31 ms; and one whose contact is not known.
    func testIntervals_thatTheSensorDoesNotVouchFor_areNotUsable() throws {
        let doubtful = "4B 20 03 08 00 07 4B 20 03 08 00 04 4B 20 03 1F 00 06 4B 20 03 1E 00 00"
        XCTAssertEqual(
            try decode("\(Self.head) \(doubtful)"),
            GATTDecoding(
                [
                    .beats(
                        BeatsReading(
                            ticks: [800, 800, 800, 800], perSecond: 1_000, unusable: [0, 1, 2]))
                ], drops: [.empty, .empty, .empty]))
    }

    func testInterval_thatIsNotUsable_countsAsNoMoreThanABeat() throws {
        XCTAssertEqual(
            try decode("\(Self.head) 80 80 80 80 80 FF").readings,
            [.beats(BeatsReading(ticks: [3_000], perSecond: 1_000, unusable: [0]))])
    }

    func testIntervals_withHalfAnInterval_useTheOthers() throws {
        XCTAssertEqual(
            try decode("\(Self.head) \(Self.good) 4B 20"),
            GATTDecoding(
                [.beats(BeatsReading(ticks: [800, 820], perSecond: 1_000))], drops: [.damaged]))
    }

    func testOtherMeasurements_areUnknown() {
        // An electrocardiogram that is not wanted, acceleration, compressed intervals.
        for value in [
            "00 \(Self.rest) 00 01 02 03", "02 \(Self.rest) 00 01 02 03",
            "03 \(Self.rest) 80 01 02 03 04 05 06",
        ] {
            XCTAssertThrowsError(try decode(value)) {
                XCTAssertEqual($0 as? ByteDecodingError, .unknown, value)
            }
        }
    }

    func testSensor_thatHasPulseIntervals_isAskedForThem() throws {
        let request = GATTWrite([2, 3], to: Profile.controlPoint, isPersistent: true)
        XCTAssertEqual(try control("0F 0F 02"), GATTDecoding(writes: [request]))
        // An H10 has ECG and acceleration.
        XCTAssertEqual(try control("0F 05 00"), GATTDecoding())
        XCTAssertEqual(try control("01 01 03"), GATTDecoding(writes: [request]))
        XCTAssertEqual(try control("01 02"), GATTDecoding())
    }

    func testAnswer_isCountedWhenItIsARefusal() throws {
        XCTAssertEqual(try control("F0 02 03 00 00"), GATTDecoding())
        XCTAssertEqual(try control("F0 02 03 06"), GATTDecoding())
        XCTAssertEqual(try control("F0 02 00 0D"), GATTDecoding())
        let request = GATTWrite([2, 3], to: Profile.controlPoint, isPersistent: true)
        XCTAssertEqual(
            try control("F0 02 03 0D"), GATTDecoding(drops: [.unavailable], writes: [request]))
        XCTAssertThrowsError(try control("02 03"))
    }

    func testDecode_whenCutShort_throws() {
        let frame = bytes("\(Self.head) 4B 20 03 08 00 06")
        for (value, characteristic) in [
            (frame, Profile.measurements), (bytes("0F 0F"), Profile.controlPoint),
            (bytes("F0 02 03 00"), Profile.controlPoint),
        ] {
            for length in 0..<value.count {
                let part = Array(value.prefix(length))
                XCTAssertThrowsError(
                    try Profile().decode(part, of: characteristic, from: Device()), "\(part)"
                ) { XCTAssertEqual($0 as? ByteDecodingError, .truncated) }
            }
        }
    }

    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(for: Profile(), values: Self.values)
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        XCTAssertEqual(GATTProfileConformance.findings(for: Profile.factory), [])
        XCTAssertFalse(Profile.factory.isDefault)
    }

    func testMaximumError_isASetting() throws {
        let settings = try ConfigurationNode(
            json5: "{ use: \"polarMeasurement\", maximumError: 7 }")
        let profile = try Profile.factory.make(settings)
        let decoding = try profile.decode(
            bytes("\(Self.head) \(Self.good)"), of: Profile.measurements, from: Device())
        XCTAssertEqual(decoding.drops, [.empty, .empty])
    }

    /// Through a private D-Bus with a fake BlueZ and a whole gateway.
    func testValues_becomeSamplesInTheStore() async throws {
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(
                Profile(), reads: [Profile.controlPoint: Self.features])
        } catch let failure as PrivateBus.Failure { throw XCTSkip("\(failure)") }
        await harness.bluez.wait { !$0.writes.isEmpty }
        let writes = await harness.bluez.writes
        XCTAssertEqual(writes.map(\.value), [[2, 3]])
        await harness.notify(bytes("F0 02 03 00 00"), of: Profile.controlPoint)
        // The first frame tells when its last beat was.
        for frame in ["4B 20 03 08 00 06", Self.good, "4B 26 03 08 00 06"] {
            await harness.notify(bytes("\(Self.head) \(frame)"), of: Profile.measurements)
        }
        let intervals = try await harness.samples(of: .rrInterval, count: 3)
        XCTAssertEqual(intervals.map(\.quantity.value), [800, 820, 806])
        try await harness.gateway.stop()
    }

    private static let rest = "00 00 00 00 00 00 00 00"

    private func decode(_ value: String) throws -> GATTDecoding {
        try Profile().decode(bytes(value), of: Profile.measurements, from: Device())
    }

    private func control(_ value: String) throws -> GATTDecoding {
        try Profile().decode(bytes(value), of: Profile.controlPoint, from: Device())
    }
}
