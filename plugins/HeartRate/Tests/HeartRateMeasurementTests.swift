import Bluetooth
import ByteDecoding
import GatewayTesting
import HeartRate
import Platform
import XCTest

final class HeartRateMeasurementTests: XCTestCase {
    /// From the test suites of Nordic's Android BLE library and of Python's bluetooth-sig, from a
    /// capture of a Polar H7, and made by hand for the borders.
    func testDecode_ofKnownValues() throws {
        let cases: [(String, Expected)] = [
            ("00 55", Expected(85)),
            ("04 FF", Expected(255, .lost)),
            ("1E 55 32 00 21 00", Expected(85, .detected, energy: 50, rr: [33])),
            (
                "1F 01 01 32 01 01 00 02 01 FF FF",
                Expected(257, .detected, energy: 306, rr: [1, 258, 65535])
            ),
            ("00 50", Expected(80)),
            ("01 C8 00", Expected(200)),
            ("0E 4B 80 00", Expected(75, .detected, energy: 128)),
            ("10 5A 00 08 00 10", Expected(90, rr: [2048, 4096])),
            ("04 50", Expected(80, .lost)),
            ("02 50", Expected(80)),
            ("06 3C", Expected(60, .detected)),
            ("16 3C 11 04", Expected(60, .detected, rr: [1041])),
            ("16 3C F5 03", Expected(60, .detected, rr: [1013])),
            ("10 48 00 04 01", Expected(72, rr: [1024], endsInside: true)),
            ("00 48 FF", Expected(72)),
            ("E0 48", Expected(72)),
            ("06 00", Expected(0, .detected)),
            ("18 5A 0A 00 00 03 01 03", Expected(90, energy: 10, rr: [768, 769])),
            ("06 48 03 34", Expected(72, .detected)),
        ]
        for (hex, expected) in cases {
            let measurement = try HeartRateMeasurement(bytes(hex))
            XCTAssertEqual(Expected(measurement, bytes(hex)), expected, hex)
        }
    }

    func testDecode_ofValuesThatAnnounceMoreThanTheyHold_throws() {
        let values = ["17 01 01", "", "00", "01 48", "08 48 10", "10 48 00", "10 48"]
        for hex in values {
            XCTAssertThrowsError(try HeartRateMeasurement(bytes(hex)), hex) { error in
                XCTAssertEqual(error as? ByteDecodingError, .truncated, hex)
            }
        }
    }

    func testDecode_atEveryTruncation() throws {
        let whole = bytes("1F 01 01 32 01 01 00 02 01 FF FF")
        let rrOffset = 5
        for length in 0..<(rrOffset + 2) {
            XCTAssertThrowsError(try HeartRateMeasurement(Array(whole[..<length])), "\(length)")
        }
        for length in (rrOffset + 2)...whole.count {
            let value = Array(whole[..<length])
            let measurement = try HeartRateMeasurement(value)
            let complete = (length - rrOffset) / 2
            XCTAssertEqual(
                Array(measurement.rrIntervals(in: value)), Array([1, 258, 65535][..<complete]))
            XCTAssertEqual(measurement.endsInsideRRInterval, (length - rrOffset) % 2 == 1)
        }
    }

    func testDecode_underEveryFlag_agreesWithTheTableOfFields() {
        let body: [UInt8] = Array(1...19)
        for flags in UInt8.min...UInt8.max {
            for length in 0...body.count {
                let value = [flags] + body[..<length]
                let decoded = (try? HeartRateMeasurement(value)).map { Expected($0, value) }
                XCTAssertEqual(decoded, Expected(fieldByField: value), "\(value)")
            }
        }
    }

    func testDecode_ofRandomValues_agreesWithTheTableOfFields() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<(100_000 * FuzzFactor.current) {
            let length = Int.random(in: 0...24, using: &generator)
            let value = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let decoded = (try? HeartRateMeasurement(value)).map { Expected($0, value) }
            guard decoded != Expected(fieldByField: value) else { continue }
            return XCTFail("seed \(seed): \(value)")
        }
    }

    func testRRIntervals_inAnotherValue_doNotTrap() throws {
        let measurement = try HeartRateMeasurement(bytes("1E 55 32 00 21 00"))
        let withoutIntervals = try HeartRateMeasurement(bytes("00 55"))

        XCTAssertEqual(Array(measurement.rrIntervals(in: [1, 2])), [])
        XCTAssertEqual(Array(withoutIntervals.rrIntervals(in: [0x00, 0x55, 1, 2])), [])
    }
}

/// The fields of a measurement for a table of examples.
private struct Expected: Equatable {
    var heartRate: UInt16
    var contact: HeartRateMeasurement.Contact
    var energy: UInt16?
    var rrIntervals: [UInt16]
    var endsInside: Bool

    init(
        _ heartRate: UInt16, _ contact: HeartRateMeasurement.Contact = .notSupported,
        energy: UInt16? = nil, rr rrIntervals: [UInt16] = [], endsInside: Bool = false
    ) {
        self.heartRate = heartRate
        self.contact = contact
        self.energy = energy
        self.rrIntervals = rrIntervals
        self.endsInside = endsInside
    }

    init(_ measurement: HeartRateMeasurement, _ value: [UInt8]) {
        self.init(
            measurement.heartRate, measurement.contact, energy: measurement.energyExpended,
            rr: Array(measurement.rrIntervals(in: value)),
            endsInside: measurement.endsInsideRRInterval)
    }

    /// The same table of fields, read with offsets in place of a cursor; `nil` when it is refused.
    init?(fieldByField value: [UInt8]) {
        guard let flags = value.first else { return nil }
        let energyOffset = flags & 0x01 == 0 ? 2 : 3
        let rrOffset = flags & 0x08 == 0 ? energyOffset : energyOffset + 2
        let rrBytes = flags & 0x10 == 0 ? 0 : value.count - rrOffset
        guard value.count >= rrOffset, flags & 0x10 == 0 || rrBytes >= 2 else { return nil }
        let number = { (offset: Int) in UInt16(value[offset]) + 256 * UInt16(value[offset + 1]) }
        let contacts: [HeartRateMeasurement.Contact] = [
            .notSupported, .notSupported, .lost, .detected,
        ]
        self.init(
            flags & 0x01 == 0 ? UInt16(value[1]) : number(1), contacts[Int(flags >> 1 & 0x03)],
            energy: flags & 0x08 == 0 ? nil : number(energyOffset),
            rr: (0..<(rrBytes / 2)).map { number(rrOffset + 2 * $0) }, endsInside: rrBytes % 2 == 1)
    }
}
