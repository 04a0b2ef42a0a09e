import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import HeartRate
import Platform
import Readings
import XCTest

final class HeartRateProfileTests: XCTestCase {
    private let profile = HeartRateProfile()
    private let measurement = BluetoothUUID(0x2A37)
    private let location = BluetoothUUID(0x2A38)
    private let unknown = Reading.state(.contact(nil))

    func testNames_areThoseOfTheHeartRateService() {
        XCTAssertEqual(profile.name, "heartRate")
        XCTAssertEqual(profile.service, BluetoothUUID(0x180D))
        XCTAssertEqual(profile.subscriptions, [measurement])
        XCTAssertEqual(profile.reads, [location])
    }

    func testDecode_withContact_reportsItThenTheRateThenTheBeats() throws {
        XCTAssertEqual(
            try decode("16 3C 11 04"),
            GATTDecoding([
                .state(.contact(true)), try heartRate(60),
                .beats(BeatsReading(ticks: [1041], perSecond: 1024)),
            ]))
    }

    func testDecode_whenContactIsNotSupported_reportsThatItIsNotKnown() throws {
        XCTAssertEqual(
            try decode("02 50"), GATTDecoding([unknown, try heartRate(80)]))
        XCTAssertEqual(
            try decode("10 5A 00 08 00 10"),
            GATTDecoding([
                unknown, try heartRate(90),
                .beats(BeatsReading(ticks: [2048, 4096], perSecond: 1024)),
            ]))
    }

    func testDecode_withoutContact_hasNeitherRateNorBeats() throws {
        XCTAssertEqual(try decode("04 FF"), GATTDecoding([.state(.contact(false))]))
        XCTAssertEqual(try decode("14 50 00 04"), GATTDecoding([.state(.contact(false))]))
    }

    func testDecode_ofRateZero_hasNoRate() throws {
        let noHeart = GATTDecoding([.state(.contact(false))])
        XCTAssertEqual(try decode("06 00"), noHeart)
        let empty = GATTDecoding([unknown], drops: [.empty])
        XCTAssertEqual(try decode("00 00"), empty)
        XCTAssertEqual(try decode("10 00 00 04"), empty)
        XCTAssertEqual(try decode("16 00 00 04"), noHeart)
    }

    func testDecode_ofEnergy_isACounterThatTheStrapEstimated() throws {
        XCTAssertEqual(
            try decode("0C 4B FE FF"),
            GATTDecoding([.state(.contact(false))] + (try energy(65534))))
        XCTAssertEqual(
            try decode("09 2C 01 00 00"),
            GATTDecoding([unknown, try heartRate(300)] + (try energy(0))))
    }

    func testDecode_ofEnergyAtItsEnd_asksForItsReset() throws {
        XCTAssertEqual(
            try decode("0E 4B FF FF"),
            GATTDecoding(
                [.state(.contact(true)), try heartRate(75)] + (try energy(65535)),
                writes: [GATTWrite([0x01], to: BluetoothUUID(0x2A39))]))
    }

    func testDecode_whenEnergyIsNotWanted_neitherCountsNorResetsIt() throws {
        let profile = HeartRateProfile(usesEnergy: false)

        let decoding = try profile.decode(
            bytes("1E 4B FF FF 00 04"), of: measurement, from: Device())

        XCTAssertEqual(
            decoding,
            GATTDecoding([
                .state(.contact(true)), try heartRate(75),
                .beats(BeatsReading(ticks: [1024], perSecond: 1024)),
            ]))
    }

    func testDecode_ofAWideRate_keepsItWhole() throws {
        XCTAssertEqual(try decode("01 FF FF"), GATTDecoding([unknown, try heartRate(65535)]))
        XCTAssertEqual(try decode("01 00 01"), GATTDecoding([unknown, try heartRate(256)]))
        XCTAssertEqual(try decode("01 00 00"), GATTDecoding([unknown], drops: [.empty]))
    }

    func testDecode_ofAPacketFullOfIntervals_keepsAllOfThemInOrder() throws {
        // Nine are what a notification of 20 bytes holds.
        let ticks = (1...9).map { UInt32($0) * 100 }
        let value = bytes("10 78") + ticks.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        XCTAssertEqual(value.count, 20)

        let decoding = try profile.decode(value, of: measurement, from: Device())

        XCTAssertEqual(
            decoding,
            GATTDecoding([
                unknown, try heartRate(120), .beats(BeatsReading(ticks: ticks, perSecond: 1024)),
            ]))
    }

    func testDecode_whenTheLastIntervalIsCutShort_keepsTheOthersAndCountsIt() throws {
        XCTAssertEqual(
            try decode("10 48 00 04 01"),
            GATTDecoding(
                [unknown, try heartRate(72), .beats(BeatsReading(ticks: [1024], perSecond: 1024))],
                drops: [.damaged]))
    }

    func testDecode_ofATruncatedValue_throws() {
        for hex in ["", "00", "01 48", "08 48 10", "10 48", "10 48 00", "17 01 01"] {
            XCTAssertThrowsError(try decode(hex), hex) { error in
                XCTAssertEqual(error as? ByteDecodingError, .truncated, hex)
            }
        }
    }

    func testDecode_ofEveryBodySensorLocation() throws {
        for place in UInt8(0)...6 {
            let entry = try Metadata(["HKHeartRateSensorLocation": .number(Double(place))])
            XCTAssertEqual(
                try profile.decode([place], of: location, from: Device()),
                GATTDecoding([.metadata(entry, for: .heartRate)]))
        }
        for place in UInt8(7)...255 {
            XCTAssertThrowsError(try profile.decode([place], of: location, from: Device())) {
                error in
                XCTAssertEqual(error as? ByteDecodingError, .invalid)
            }
        }
        XCTAssertThrowsError(try profile.decode([], of: location, from: Device())) { error in
            XCTAssertEqual(error as? ByteDecodingError, .invalid)
        }
    }

    func testDecode_ofAnotherCharacteristic_throws() {
        XCTAssertThrowsError(try profile.decode([0], of: BluetoothUUID(0x2A39), from: Device())) {
            error in
            XCTAssertEqual(error as? ByteDecodingError, .unknown)
        }
    }

    func testAdapter_ofRandomValues_neverPassesAZeroOrLostHeartRate() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        var adapter = GATTAdapter(profiles: [profile])
        for _ in 0..<(3_000 * FuzzFactor.current) {
            let length = Int.random(in: 0...22, using: &generator)
            let value = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let event = AdapterEvent.Kind.received(value, on: Channel(measurement))
            let actions = adapter.handle(AdapterEvent(event, at: BootInstant(nanoseconds: 1)))
            let isLost = actions.contains(.reading(.state(.contact(false))))
            let hasHeart = actions.contains { action in
                switch action {
                case .reading(.instant), .reading(.beats): true
                default: false
                }
            }
            XCTAssertFalse(isLost && hasHeart, "seed \(seed): \(value)")
            XCTAssertFalse(
                actions.contains(.reading(try heartRate(0))), "seed \(seed): \(value)")
        }
    }

    private func decode(_ hex: String) throws -> GATTDecoding {
        try profile.decode(bytes(hex), of: measurement, from: Device())
    }

    private func energy(_ kilojoules: Double) throws -> [Reading] {
        let counter = CounterReading(
            .activeEnergyBurned, value: kilojoules, range: .saturates(at: 65535),
            unit: .kilojoule)
        let entry = try Metadata(["PulsegateEstimatedByDevice": .boolean(true)])
        return [.metadata(entry, for: .activeEnergyBurned), .counter(counter)]
    }

    private func heartRate(_ value: Double) throws -> Reading {
        .instant(.heartRate, try Quantity(value, .countPerMinute))
    }
}
