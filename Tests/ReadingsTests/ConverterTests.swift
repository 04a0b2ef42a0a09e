import HealthModel
import XCTest

@testable import Readings

final class ConverterTests: ConverterTestCase {
    func testConvert_instantHoldsAtItsReceipt() throws {
        var converter = makeConverter()
        let sample = try XCTUnwrap(
            samples(converter.convert([try heartRate(72, at: 5)], in: epoch)).first)
        XCTAssertEqual(sample.start, epoch.instant(at: at(5)))
        XCTAssertEqual(sample.end, sample.start)
        XCTAssertEqual(sample.quantity, try Quantity(72, .countPerMinute))
        XCTAssertEqual(sample.person, "ada")
        XCTAssertEqual(sample.source, source)
        XCTAssertEqual(sample.device?.localIdentifier, "/dev/ttyUSB0")
    }

    func testConvert_sameReadingsMakeTheSameIDs() throws {
        var first = makeConverter()
        var second = makeConverter()
        let readings = [try heartRate(72, at: 5), try heartRate(73, at: 6)]
        XCTAssertEqual(
            first.convert(readings, in: epoch).records, second.convert(readings, in: epoch).records)
    }

    func testConvert_idsFollowTime() throws {
        var converter = makeConverter()
        let readings = try (0..<100).map { try heartRate(72, at: Double($0)) }
        let ids = converter.convert(readings, in: epoch).records.map(\.id)
        XCTAssertEqual(ids, ids.sorted())
        XCTAssertEqual(Set(ids).count, 100)
    }

    func testConvert_whatTheDeviceRepeatsIsCountedAsDuplicate() throws {
        var converter = makeConverter()
        let reading = try heartRate(72, at: 5)
        let conversion = converter.convert([reading, reading], in: epoch)
        XCTAssertEqual(conversion.records.count, 1)
        XCTAssertEqual(conversion.faults[.duplicate], 1)
        XCTAssertEqual(conversion.converted, 2)
    }

    func testConvert_implausibleIsCountedAndNeverPublished() throws {
        var converter = makeConverter()
        let conversion = converter.convert(
            [try heartRate(0, at: 1), try heartRate(900, at: 2), try heartRate(60, at: 3)],
            in: epoch)
        XCTAssertEqual(conversion.faults[.implausible], 2)
        XCTAssertEqual(samples(conversion).count, 1)
    }

    func testConvert_unitThatDoesNotFitIsAFault() throws {
        var converter = makeConverter()
        let reading = TimedReading(.instant(.heartRate, try Quantity(72, .meter)), at: at(1))
        XCTAssertEqual(converter.convert([reading], in: epoch).faults[.wrongUnit], 1)
    }

    func testConvert_counterBecomesIntervals() {
        var converter = makeConverter()
        let readings = [(10.0, 1.0), (12, 2), (12, 3), (15, 4)].map { value, seconds in
            TimedReading(
                .counter(CounterReading(.stepCount, value: value, unit: .count)), at: at(seconds))
        }
        let result = samples(converter.convert(readings, in: epoch))
        XCTAssertEqual(result.map(\.quantity.value), [2, 3])
        XCTAssertEqual(result.map(\.start), [1, 3].map { epoch.instant(at: at($0)) })
        XCTAssertEqual(result.map(\.end), [2, 4].map { epoch.instant(at: at($0)) })
    }

    func testConvert_intervalsKeepTheirLengthAcrossAStepOfTheWallClock() throws {
        var converter = makeConverter()
        func counter(_ value: Double, _ seconds: Double) -> TimedReading {
            TimedReading(
                .counter(CounterReading(.stepCount, value: value, unit: .count)), at: at(seconds))
        }
        let later = ClockEpoch(
            number: 1, offsetNanoseconds: epoch.offsetNanoseconds + 10_800_000_000_000)
        _ = converter.convert([counter(1, 1)], in: epoch)
        let sample = try XCTUnwrap(samples(converter.convert([counter(2, 3)], in: later)).first)
        XCTAssertEqual(sample.end.nanoseconds(since: sample.start), 2_000_000_000)
        XCTAssertEqual(sample.end, later.instant(at: at(3)))
    }

    func testConvert_beatsBecomeIntervalsBetweenBeats() {
        var converter = makeConverter()
        let readings = [1.0, 2.0].map { seconds in
            TimedReading(.beats(BeatsReading(ticks: [400, 500], perSecond: 1000)), at: at(seconds))
        }
        let result = samples(converter.convert(readings, in: epoch))
        XCTAssertEqual(result.map(\.type), [.rrInterval, .rrInterval])
        XCTAssertEqual(result.map(\.quantity.value), [400, 500])
        XCTAssertEqual(result[0].end, result[1].start)
    }

    func testConvert_beatsOutsideTheRangeOfAHeartAreImplausible_theChainContinues() {
        var converter = makeConverter()
        let readings = [
            TimedReading(.beats(BeatsReading(ticks: [800], perSecond: 1000)), at: at(1)),
            TimedReading(
                .beats(BeatsReading(ticks: [249, 250, 3000, 3001], perSecond: 1000)), at: at(9)),
        ]
        let conversion = converter.convert(readings, in: epoch)
        XCTAssertEqual(samples(conversion).map(\.quantity.value), [250, 3000])
        XCTAssertEqual(conversion.faults[.implausible], 2)
    }

    func testConvert_lostContactEndsTheChain() {
        var converter = makeConverter()
        func beats(_ seconds: Double) -> TimedReading {
            TimedReading(.beats(BeatsReading(ticks: [800], perSecond: 1000)), at: at(seconds))
        }
        let readings = [
            beats(1), beats(1.8), TimedReading(.state(.contact(false)), at: at(2)), beats(3),
            beats(3.8),
        ]
        XCTAssertEqual(samples(converter.convert(readings, in: epoch)).count, 2)
    }

    func testConvert_statesAreEventsOnlyWhenTheyChange() {
        var converter = makeConverter()
        let readings: [StateReading] = [
            .contact(true), .contact(true), .battery(0.5), .battery(0.5), .battery(0.49),
            .battery(7), .battery(.nan),
        ]
        let timed = readings.enumerated().map { TimedReading(.state($1), at: at(Double($0))) }
        XCTAssertEqual(
            events(converter.convert(timed, in: epoch)).map(\.state),
            [DeviceState(contact: true), DeviceState(battery: 0.5), DeviceState(battery: 0.49)])
    }

    /// A strap that reports contact in some packets only.
    func testConvert_contactThatIsNotToldAnyMore_isNotKnown() {
        var converter = makeConverter()
        let readings: [StateReading] = [
            .contact(nil), .contact(false), .contact(nil), .contact(nil), .contact(true),
        ]
        let timed = readings.enumerated().map { TimedReading(.state($1), at: at(Double($0))) }

        let events = events(converter.convert(Array(timed.dropLast()), in: epoch))

        XCTAssertEqual(events.map(\.state), [DeviceState(contact: false), DeviceState()])
        XCTAssertEqual(events.map(\.reason), [nil, "contact is no longer reported"])
        XCTAssertNil(converter.contact)
        _ = converter.convert(Array(timed.suffix(1)), in: epoch)
        XCTAssertEqual(converter.contact, true)
    }

    func testConvert_identityIsInWhatFollows() throws {
        var converter = makeConverter()
        let identity = Device(manufacturer: "Zephyr", model: "HxM BT")
        let conversion = converter.convert(
            [
                TimedReading(.identity(Device(manufacturer: "Zephyr")), at: at(1)),
                TimedReading(.identity(identity), at: at(2)), try heartRate(70, at: 3),
                TimedReading(.identity(identity), at: at(4)), try heartRate(71, at: 5),
            ], in: epoch)
        XCTAssertEqual(events(conversion).map(\.reason), ["identified"])
        XCTAssertEqual(events(conversion).map(\.device.model), ["HxM BT"])
        XCTAssertEqual(samples(conversion)[0].device?.manufacturer, "Zephyr")
        XCTAssertEqual(samples(conversion)[0].device?.localIdentifier, "/dev/ttyUSB0")
    }

    func testConvert_metadataIsInTheSamplesOfItsType() throws {
        var converter = makeConverter()
        var metadata = Metadata()
        try metadata.set(1, for: .heartRateSensorLocation)
        let conversion = converter.convert(
            [
                TimedReading(.metadata(metadata, for: .heartRate), at: at(1)),
                try heartRate(70, at: 2),
                TimedReading(.instant(.runningSpeed, try Quantity(2, .meterPerSecond)), at: at(3)),
            ], in: epoch)
        XCTAssertEqual(samples(conversion).map(\.metadata), [metadata, Metadata()])
    }

    func testLink_openedAndClosedAreEvents_andStatesAreToldAnew() {
        var converter = makeConverter()
        let opened = converter.linkOpened(Device(name: "Foot"), at: at(1), in: epoch)
        XCTAssertEqual(events(opened).map(\.state.connection), [.connected])
        XCTAssertEqual(events(opened).map(\.device.name), ["Foot"])
        _ = converter.convert([TimedReading(.state(.battery(0.5)), at: at(2))], in: epoch)
        let closed = converter.linkChanged(
            to: .disconnected, reason: "unplugged", at: at(3), in: epoch)
        XCTAssertEqual(events(closed).map(\.reason), ["unplugged"])
        _ = converter.linkOpened(Device(), at: at(4), in: epoch)
        let again = converter.convert([TimedReading(.state(.battery(0.5)), at: at(5))], in: epoch)
        XCTAssertEqual(events(again).count, 1)
    }

    func testEvents_ofOneMomentHaveDistinctIDs() {
        var converter = makeConverter()
        var records = converter.linkOpened(Device(name: "Foot"), at: at(1), in: epoch).records
        records +=
            converter.convert(
                [
                    TimedReading(.identity(Device(model: "M")), at: at(1)),
                    TimedReading(.state(.contact(true)), at: at(1)),
                    TimedReading(.state(.battery(1)), at: at(1)),
                ], in: epoch
            ).records
        XCTAssertEqual(records.count, 4)
        XCTAssertEqual(Set(records.map(\.id)).count, 4)
    }

    func testLink_noBeatIntervalSpansAClosedLink() {
        var converter = makeConverter()
        func beats(_ seconds: Double) -> Conversion {
            converter.convert(
                [
                    TimedReading(
                        .beats(BeatsReading(ticks: [900], perSecond: 1000)), at: at(seconds))
                ],
                in: epoch)
        }
        _ = beats(1)
        XCTAssertEqual(samples(beats(1.9)).count, 1)
        _ = converter.linkChanged(to: .disconnected, reason: "gone", at: at(2), in: epoch)
        _ = converter.linkOpened(Device(), at: at(2.5), in: epoch)
        XCTAssertEqual(samples(beats(3)).count, 0)
        XCTAssertEqual(samples(beats(3.9)).count, 1)
    }
}
