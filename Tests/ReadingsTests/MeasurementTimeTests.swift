import HealthModel
import XCTest

@testable import Platform
@testable import Readings

/// Tests of readings that have the device's own time.
final class MeasurementTimeTests: ConverterTestCase {
    private let day = 86_400.0

    /// The UTC time at a number of seconds after the epoch's start.
    private func utc(_ seconds: Double) -> Instant { epoch.instant(at: at(seconds)) }

    private func temperature(
        _ clock: MeasurementTime.Clock, sequence: UInt64? = nil, received seconds: Double
    ) throws -> TimedReading {
        TimedReading(
            .instant(
                .bodyTemperature, try Quantity(36.6, .degreeCelsius),
                measured: MeasurementTime(clock, sequence: sequence)),
            at: at(seconds))
    }

    func testInstant_isDatedByTheDevice() throws {
        var converter = makeConverter()
        let readings = try [
            temperature(.utc(utc(-3_600)), received: 10),
            temperature(.age(nanoseconds: 60_000_000_000), received: 11),
        ]
        let found = samples(converter.convert(readings, in: epoch))
        XCTAssertEqual(found.map(\.start), [utc(-3_600), utc(-49)])
        XCTAssertEqual(found.map(\.end), found.map(\.start))
    }

    func testInstant_localTimeIsOneOfTheGatewaysTimeZone() throws {
        var converter = Converter(
            device: "cuff", source: source, person: nil, calendar: LocalCalendar { _ in 7_200 })
        let reading = try temperature(.local(utc(7_200 - 60)), received: 0)
        XCTAssertEqual(samples(converter.convert([reading], in: epoch)).map(\.start), [utc(-60)])
    }

    func testInstant_outOfTheBoundsIsAFault() throws {
        let limits = [
            Double(MeasurementTime.maximumFutureSeconds),
            -Double(MeasurementTime.maximumAgeSeconds),
        ]
        for limit in limits {
            var converter = makeConverter()
            let beyond = limit + (limit > 0 ? 1 : -1)
            let inside = converter.convert(
                [try temperature(.utc(utc(limit)), received: 0)], in: epoch)
            XCTAssertEqual(inside.records.count, 1, "\(limit)")
            let outside = converter.convert(
                [try temperature(.utc(utc(beyond)), received: 0)], in: epoch)
            XCTAssertEqual(outside.faults[.outOfTime], 1, "\(limit)")
            XCTAssertEqual(outside.records.count, 0)
        }
    }

    func testInstant_absurdTimesAreFaults() throws {
        var converter = makeConverter()
        let clocks: [MeasurementTime.Clock] = [
            .utc(Instant(nanosecondsSince1970: .max)), .utc(Instant(nanosecondsSince1970: .min)),
            .local(Instant(nanosecondsSince1970: .max)),
            .local(Instant(nanosecondsSince1970: .min)),
            .age(nanoseconds: -1), .age(nanoseconds: .max), .age(nanoseconds: .min),
        ]
        let readings = try clocks.map { try temperature($0, received: 0) }
        XCTAssertEqual(converter.convert(readings, in: epoch).faults[.outOfTime], clocks.count)
    }

    /// The ledger counts records, and each value of a waveform would have been one.
    func testWaveform_countsItsFaultForEachValue() throws {
        func waveform(
            _ type: QuantityType = .electrocardiogramVoltage, at seconds: Double, rate: Double = 10
        ) -> TimedReading {
            TimedReading(
                .waveform(
                    WaveformReading(
                        type, values: [1, 2, 3, 4], unit: .microvolt, perSecond: rate,
                        measured: MeasurementTime(.utc(utc(seconds))))),
                at: at(0))
        }
        var converter = makeConverter()
        let future = converter.convert([waveform(at: 400 * day)], in: epoch)
        XCTAssertEqual(future.faults[.outOfTime], 4)
        XCTAssertEqual(converter.convert([waveform(at: -9)], in: epoch).records.count, 4)
        let again = converter.convert([waveform(at: -9)], in: epoch)
        XCTAssertEqual(again.faults[.duplicate], 4)
        let impossible = converter.convert([waveform(at: -5, rate: 0)], in: epoch)
        XCTAssertEqual(impossible.faults[.implausible], 4)
        let muscle = try QuantityType(
            custom: "muscleVoltage", aggregationStyle: .discreteArithmetic, unit: .microvolt)
        let unknown = converter.convert([waveform(muscle, at: -1)], in: epoch)
        XCTAssertEqual(unknown.faults[.unknownType], 4)
    }

    func testInstant_unsetClockAllowsALaterTimeOfTheDevice() throws {
        let unset = ClockEpoch(
            number: 0, offsetNanoseconds: epoch.offsetNanoseconds, isUnset: true)
        var converter = makeConverter()
        let reading = try temperature(.utc(utc(100 * day)), received: 0)
        let found = samples(converter.convert([reading], in: unset))
        XCTAssertEqual(found.map(\.start), [utc(100 * day)])
    }

    func testInstant_whatIsSentAgainIsADuplicate() throws {
        var converter = makeConverter()
        let first = try (1...200).map { try temperature(.utc(utc(-60 * Double($0))), received: 0) }
        let again = try (1...200).map { try temperature(.utc(utc(-60 * Double($0))), received: 99) }
        XCTAssertEqual(converter.convert(first, in: epoch).records.count, 200)
        let conversion = converter.convert(again, in: epoch)
        XCTAssertEqual(conversion.records.count, 0)
        XCTAssertEqual(conversion.faults[.duplicate], 200)
        XCTAssertEqual(conversion.converted, 200)
    }

    func testInstant_thatIsImplausible_isNotTakenForTheRightOneOfItsTime() throws {
        var converter = makeConverter()
        let measured = MeasurementTime(.utc(utc(-60)))
        let readings = try [-40, 36.6, 36.6].map { value in
            TimedReading(
                .instant(
                    .bodyTemperature, try Quantity(value, .degreeCelsius), measured: measured),
                at: at(0))
        }
        let conversion = converter.convert(readings, in: epoch)
        XCTAssertEqual(samples(conversion).map(\.quantity), [try Quantity(36.6, .degreeCelsius)])
        XCTAssertEqual(conversion.faults[.implausible], 1)
        XCTAssertEqual(conversion.faults[.duplicate], 1)
    }

    func testInstant_whatIsSentAgainToANewProcessHasTheSameID() throws {
        var first = makeConverter()
        var second = makeConverter()
        let later = ClockEpoch(number: 0, offsetNanoseconds: epoch.offsetNanoseconds + 77)
        let measured = MeasurementTime.Clock.utc(utc(-60))
        let reading = try temperature(measured, sequence: 7, received: 0)
        let again = try temperature(measured, sequence: 7, received: 5)
        XCTAssertEqual(
            samples(first.convert([reading], in: epoch)).map(\.id),
            samples(second.convert([again], in: later)).map(\.id))
    }

    func testInstant_sequenceNumbersDistinguishMeasurementsOfOneMinute() throws {
        var converter = makeConverter()
        let readings = try (0..<3).map {
            try temperature(.local(utc(0)), sequence: UInt64($0), received: 0)
        }
        let found = samples(converter.convert(readings + readings, in: epoch))
        XCTAssertEqual(Set(found.map(\.id)).count, 3)
        XCTAssertEqual(found.count, 3)
    }

    func testInstant_ageIsRecognizedBySequence_untilNumbersRepeat() throws {
        var converter = makeConverter()
        func reading(age seconds: Int64, at received: Double) throws -> TimedReading {
            try temperature(
                .age(nanoseconds: seconds * 1_000_000_000), sequence: 1, received: received)
        }
        XCTAssertEqual(converter.convert([try reading(age: 10, at: 0)], in: epoch).records.count, 1)
        let again = converter.convert([try reading(age: 20, at: 11)], in: epoch)
        XCTAssertEqual(again.faults[.duplicate], 1)
        let other = converter.convert([try reading(age: 0, at: 1_000)], in: epoch)
        XCTAssertEqual(other.records.count, 1)
    }

    func testRecentMeasurements_forgetTheOldest() {
        var recent = RecentMeasurements()
        let count = RecentMeasurements.limit
        for second in 0...count {
            let instant = utc(Double(second))
            XCTAssertTrue(recent.insert(MeasurementTime(.utc(instant)), at: instant))
        }
        XCTAssertFalse(recent.insert(MeasurementTime(.utc(utc(1))), at: utc(1)))
        XCTAssertTrue(recent.insert(MeasurementTime(.utc(utc(0))), at: utc(0)))
    }

    // MARK: Counters

    private func steps(
        _ value: Double, measured seconds: Double, received: Double
    ) -> TimedReading {
        TimedReading(
            .counter(
                CounterReading(
                    .stepCount, value: value, unit: .count,
                    measured: MeasurementTime(.utc(utc(seconds))))),
            at: at(received))
    }

    func testCounter_intervalsAreTheDevices() {
        var converter = makeConverter()
        let readings = [
            steps(100, measured: -120, received: 0), steps(160, measured: -60, received: 1),
            steps(190, measured: 0, received: 2),
        ]
        let found = samples(converter.convert(readings, in: epoch))
        XCTAssertEqual(found.map(\.start), [utc(-120), utc(-60)])
        XCTAssertEqual(found.map(\.end), [utc(-60), utc(0)])
        XCTAssertEqual(found.map(\.quantity.value), [60, 30])
    }

    func testCounter_aRepeatedHistoryIsNotCountedAgain() {
        var converter = makeConverter()
        let readings = [
            steps(100, measured: -120, received: 0), steps(160, measured: -60, received: 1),
        ]
        _ = converter.convert(readings, in: epoch)
        let again = [
            steps(100, measured: -120, received: 8), steps(160, measured: -60, received: 9),
            steps(170, measured: -50, received: 10),
        ]
        let conversion = converter.convert(again, in: epoch)
        XCTAssertEqual(conversion.faults[.duplicate], 2)
        XCTAssertEqual(samples(conversion).map(\.quantity.value), [10])
    }

    func testCounter_aClockThatIsSetBackStartsANewBaseline() {
        var converter = makeConverter()
        let readings = [
            steps(100, measured: 0, received: 0), steps(130, measured: -3_600, received: 1),
            steps(140, measured: -3_590, received: 2),
        ]
        let found = samples(converter.convert(readings, in: epoch))
        XCTAssertEqual(found.map(\.quantity.value), [10])
        XCTAssertEqual(found.map(\.start), [utc(-3_600)])
    }

    // MARK: Beats

    private func beats(
        _ ticks: [UInt32], measured seconds: Double, received: Double
    ) -> TimedReading {
        TimedReading(
            .beats(
                BeatsReading(
                    ticks: ticks, perSecond: 1_000,
                    measured: MeasurementTime(.utc(utc(seconds))))),
            at: at(received))
    }

    func testBeats_endAtTheDevicesTime_andContinueARoundedOne() {
        var converter = makeConverter()
        let readings = [
            beats([800, 900], measured: -100, received: 0),
            beats([1_000], measured: -99.5, received: 1),
            beats([1_000], measured: -50, received: 2),
        ]
        let found = samples(converter.convert(readings, in: epoch))
        XCTAssertEqual(found.map(\.end), [utc(-100.9), utc(-100), utc(-99), utc(-50)])
        XCTAssertEqual(found.map(\.quantity.value), [800, 900, 1_000, 1_000])
    }

    func testBeats_sentAgainAreDuplicates() {
        var converter = makeConverter()
        let first = beats([800], measured: -100, received: 0)
        let again = beats([800], measured: -100, received: 9)
        XCTAssertEqual(samples(converter.convert([first], in: epoch)).count, 1)
        XCTAssertEqual(converter.convert([again], in: epoch).faults[.duplicate], 1)
    }
}
