import Bluetooth
import ByteDecoding
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import FitnessMachine

final class FitnessMachineTests: XCTestCase {
    private typealias Profile = FitnessMachineProfile

    func testTreadmill_running() throws {
        XCTAssertEqual(
            try decode("02 01 E2 04 B0 04 9B", of: Profile.treadmill),
            [try speed(.runningSpeed, 1_250), try heartRate(155)])
    }

    func testTreadmill_belowTheSpeedOfRunners_isWalking() throws {
        XCTAssertEqual(
            try decode("00 00 CF 02", of: Profile.treadmill), [try speed(.walkingSpeed, 719)])
        XCTAssertEqual(
            try decode("00 00 D0 02", of: Profile.treadmill), [try speed(.runningSpeed, 720)])
    }

    func testTreadmill_allFields_withAPaceOfEitherLength() throws {
        let expected = [
            try speed(.runningSpeed, 1_250), total(.distanceWalkingRunning, 70_000, .meter),
            total(.activeEnergyBurned, 120, .kilocalorie), try heartRate(155),
        ]
        let head = "FE 1F E2 04 B0 04 70 11 01 0A 00 05 00 64 00 00 00"
        let tail = "78 00 58 02 0A 9B 50 2C 01 00 00 14 00 FA 00"
        XCTAssertEqual(try decode("\(head) F0 00 FA 00 \(tail)", of: Profile.treadmill), expected)
        XCTAssertEqual(try decode("\(head) F0 FA \(tail)", of: Profile.treadmill), expected)
    }

    func testIndoorBike() throws {
        XCTAssertEqual(
            try decode("04 02 C4 09 B4 00 9B", of: Profile.indoorBike),
            [try speed(.cyclingSpeed, 2_500), try cadence(90), try heartRate(155)])
        // A trainer at rest, and an exercise bike without a heart-rate sensor.
        XCTAssertEqual(
            try decode("54 08 00 00 00 00 00 00 00 00 00 31 00", of: Profile.indoorBike),
            [
                try speed(.cyclingSpeed, 0), try cadence(0), total(.distanceCycling, 0, .meter),
                try power(0),
            ])
        XCTAssertEqual(
            try decode("44 02 AA 05 2E 00 18 00 00", of: Profile.indoorBike),
            [try speed(.cyclingSpeed, 1_450), try cadence(23), try power(24)])
    }

    func testIndoorBike_withAResistanceOfEitherLength() throws {
        let expected = [
            try speed(.cyclingSpeed, 1_340), try cadence(36), total(.distanceCycling, 33, .meter),
            try power(24), total(.activeEnergyBurned, 2, .kilocalorie), try heartRate(86),
        ]
        let head = "74 0B 3C 05 48 00 21 00 00"
        let tail = "18 00 02 00 FF FF FF 56 10 00"
        XCTAssertEqual(try decode("\(head) 01 00 \(tail)", of: Profile.indoorBike), expected)
        XCTAssertEqual(try decode("\(head) 01 \(tail)", of: Profile.indoorBike), expected)
        XCTAssertEqual(
            try decode("64 02 00 00 00 00 14 00 00 00 00", of: Profile.indoorBike),
            [try speed(.cyclingSpeed, 0), try cadence(0), try power(0)])
    }

    func testPower_thatIsNegative_isNone() throws {
        XCTAssertEqual(
            try decode("41 00 F6 FF", of: Profile.indoorBike), [try power(0)])
    }

    func testRower() throws {
        XCTAssertEqual(
            try decode("0C 00 3C 0A 00 9C 00 00 7D 00", of: Profile.rower),
            [
                total(.distanceRowing, 156, .meter),
                .instant(.rowingSpeed, try Quantity(4, .meterPerSecond)),
            ])
        // A rower at rest has a pace of 0.
        XCTAssertEqual(
            try decode(
                "7E 19 00 27 00 D6 9C 00 00 00 00 61 00 00 00 E4 00 0D 00 00 00 00 24 00 00 00",
                of: Profile.rower),
            [total(.distanceRowing, 156, .meter), total(.activeEnergyBurned, 13, .kilocalorie)])
    }

    func testCrossTrainer_hasAThirdByteOfFlags() throws {
        XCTAssertEqual(
            try decode("04 8C 00 20 03 64 00 00 2A 00 58 02 0A 78", of: Profile.crossTrainer),
            [total(.activeEnergyBurned, 42, .kilocalorie), try heartRate(120)])
    }

    /// More Data in the first part: it has no speed, which is not a speed of 0.
    func testSplitRecord_givesTheFieldsOfItsParts() throws {
        XCTAssertEqual(
            try decode("51 00 10 27 00 C8 00", of: Profile.indoorBike),
            [total(.distanceCycling, 10_000, .meter), try power(200)])
        XCTAssertEqual(
            try decode("04 00 C4 09 B4 00", of: Profile.indoorBike),
            [try speed(.cyclingSpeed, 2_500), try cadence(90)])
    }

    func testValuesThatTheMachineDoesNotKnow_areNone() throws {
        for (value, characteristic) in [
            ("84 01 FF FF FF FF FF FF FF FF FF FF FF", Profile.treadmill),
            ("54 03 FF FF FF FF FF FF FF FF 7F FF FF FF FF FF FF", Profile.indoorBike),
            ("0C 03 FF FF FF FF FF FF FF FF FF FF FF FF FF FF", Profile.rower),
            ("01 0C 00 FF FF FF FF FF FF", Profile.crossTrainer),
            ("01 00", Profile.treadmill),
        ] {
            XCTAssertEqual(
                try Profile().decode(bytes(value), of: characteristic, from: Device()),
                GATTDecoding(drops: [.empty]), value)
        }
    }

    func testDecode_withReservedFlagsAndMoreBytes_ignoresThem() throws {
        XCTAssertEqual(
            try decode("00 E0 C4 09 01 02 03 04", of: Profile.indoorBike),
            [try speed(.cyclingSpeed, 2_500)])
    }

    private func decode(
        _ value: String, of characteristic: BluetoothUUID
    ) throws -> [Reading] {
        try Profile().decode(bytes(value), of: characteristic, from: Device()).readings
    }

    private func speed(_ type: QuantityType, _ hundredths: Double) throws -> Reading {
        .instant(type, try Quantity(hundredths / 360, .meterPerSecond))
    }

    private func cadence(_ rate: Double) throws -> Reading {
        .instant(.cyclingCadence, try Quantity(rate, .countPerMinute))
    }

    private func power(_ watts: Double) throws -> Reading {
        .instant(.cyclingPower, try Quantity(watts, .watt))
    }

    private func heartRate(_ rate: Double) throws -> Reading {
        .instant(.heartRate, try Quantity(rate, .countPerMinute))
    }

    private func total(
        _ type: QuantityType, _ value: Double, _ unit: HealthModel.Unit
    ) -> Reading {
        .counter(CounterReading(type, value: value, unit: unit))
    }
}
