import HealthModel
import Platform
import XCTest

@testable import Readings

/// Tests of what the samples of a stream have in common, and of its changes.
final class ConverterOriginTests: ConverterTestCase {
    /// The properties that the samples should have.
    private struct Origin {
        var device = Device(localIdentifier: "/dev/ttyUSB0")
        var person: String? = "ada"
        var metadata: [QuantityType: Metadata] = [:]
        var isClockUnset = false
        var unit = Unit.countPerMinute
    }

    private var origin = Origin()
    private lazy var converter = makeConverter()
    private var seconds = 0.0

    override func setUp() {
        origin = Origin()
        converter = makeConverter()
        seconds = 0
    }

    private var now: ClockEpoch {
        ClockEpoch(
            number: 0, offsetNanoseconds: epoch.offsetNanoseconds, isUnset: origin.isClockUnset)
    }

    /// Converts a reading a second after the last one.
    private func convert(_ reading: Reading, after pause: Double = 1) -> [QuantitySample] {
        seconds += pause
        return samples(converter.convert([TimedReading(reading, at: at(seconds))], in: now))
    }

    /// Converts a value, whose sample must have all the properties.
    private func check(_ type: QuantityType, _ note: String) throws {
        let quantity =
            type == .heartRate
            ? try Quantity(Quantity(60, .countPerMinute).value(in: origin.unit), origin.unit)
            : try Quantity(2, type.canonicalUnit)
        let sample = try XCTUnwrap(convert(.instant(type, quantity)).first, note)
        XCTAssertEqual(sample.type, type, note)
        XCTAssertEqual(sample.quantity, quantity, note)
        XCTAssertEqual(sample.start, now.instant(at: at(seconds)), note)
        XCTAssertEqual(sample.device, origin.device, note)
        XCTAssertEqual(sample.person, origin.person, note)
        XCTAssertEqual(sample.source, source, note)
        var metadata = origin.metadata[type] ?? Metadata()
        if origin.isClockUnset { try metadata.set(true, for: .clockUnset) }
        XCTAssertEqual(sample.metadata, metadata, note)
    }

    private func change(_ generator: inout SeededGenerator) throws -> String {
        let number = Int.random(in: 0..<3, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            let known = Device(name: "belt \(number)")
            _ = convert(.identity(known))
            origin.device = origin.device.merging(known)
            return "identity"
        case 1:
            origin.person = [nil, "ada", "bob"][number]
            converter.person = origin.person
            return "person"
        case 2:
            let type = number == 0 ? QuantityType.runningSpeed : .heartRate
            let metadata = try Metadata(["note": .number(Double(number))])
            _ = convert(.metadata(metadata, for: type))
            origin.metadata[type] = metadata
            return "metadata"
        case 3:
            origin.isClockUnset.toggle()
            return "clock"
        case 4:
            let known = Device(model: "\(number)")
            seconds += 1
            _ = converter.linkOpened(known, at: at(seconds), in: now)
            origin.device = origin.device.merging(known)
            return "link"
        default:
            origin.unit = try number == 0 ? Unit(parsing: "count/s") : .countPerMinute
            return "unit"
        }
    }

    func testAnyChange_isInTheNextSampleOfEachStream() throws {
        for seed in 1...UInt64(20) {
            setUp()
            var generator = SeededGenerator(seed: seed)
            for step in 0..<60 {
                let changed = try change(&generator)
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    try check(.heartRate, "seed \(seed), step \(step), after \(changed)")
                    try check(.runningSpeed, "seed \(seed), step \(step), after \(changed)")
                }
            }
        }
    }

    /// A repeated reading makes no sample, and what has changed with it is in the next one.
    func testChange_besideARepetition_isNotLost() throws {
        try check(.heartRate, "first")
        converter.person = "bob"
        origin.person = "bob"
        let repeated = try convert(.instant(.heartRate, Quantity(61, .countPerMinute)), after: 0)
        XCTAssertEqual(repeated, [])
        try check(.heartRate, "after the repetition")
    }
}
