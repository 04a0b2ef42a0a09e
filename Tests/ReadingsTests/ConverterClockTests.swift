import HealthModel
import XCTest

@testable import Readings

/// Tests of the converter with steps of the wall clock and with a suspend.
final class ConverterClockTests: ConverterTestCase {
    /// The epoch in which UTC is later than in the first by this many seconds.
    private func stepped(by seconds: Double) -> ClockEpoch {
        ClockEpoch(number: 1, offsetNanoseconds: epoch.offsetNanoseconds + Int64(seconds * 1e9))
    }

    private func beats(_ ticks: [UInt32], at seconds: Double) -> TimedReading {
        TimedReading(.beats(BeatsReading(ticks: ticks, perSecond: 1_024)), at: at(seconds))
    }

    private func steps(_ value: Double, at seconds: Double) -> TimedReading {
        let total = CounterReading(
            .stepCount, value: value, range: .rollsOver(at: 65_536), unit: .count)
        return TimedReading(.counter(total), at: at(seconds))
    }

    func testConvert_acrossAStepOfTheWallClock_breaksNoChainAndNoInterval() throws {
        for seconds in [10_800.0, -10_800, 0.25] {
            var converter = makeConverter()
            _ = converter.convert([beats([1_024], at: 1), steps(100, at: 1)], in: epoch)
            _ = converter.convert([beats([1_024], at: 2), steps(102, at: 2)], in: epoch)
            let new = stepped(by: seconds)
            let after = samples(
                converter.convert([beats([1_024], at: 3), steps(105, at: 3)], in: new))
            XCTAssertEqual(after.map(\.quantity.value), [1_000, 3])
            XCTAssertEqual(after.map(\.start), [new.instant(at: at(2)), new.instant(at: at(2))])
            XCTAssertEqual(after.map(\.end), [new.instant(at: at(3)), new.instant(at: at(3))])
        }
    }

    func testConvert_afterAStepBack_theSameTimeAndTotalGetAnotherID() throws {
        var converter = makeConverter()
        let back = stepped(by: -10_800)
        // The pedometer is restarted, and all UTC times repeat.
        func day(_ start: Double, in epoch: ClockEpoch) -> [Record] {
            var records = converter.linkOpened(Device(), at: at(start), in: epoch).records
            for second in 1...5 {
                let time = start + Double(second)
                let readings = [
                    steps(Double(second), at: time), beats([1_024], at: time + 0.1),
                    TimedReading(.state(.contact(second % 2 == 0)), at: at(time + 0.2)),
                ]
                records += converter.convert(readings, in: epoch).records
            }
            return records
        }
        let first = day(1_000, in: epoch)
        let second = day(11_800, in: back)
        let firstTimes = first.compactMap { if case .sample(let s) = $0 { s.start } else { nil } }
        let secondTimes = second.compactMap { if case .sample(let s) = $0 { s.start } else { nil } }
        XCTAssertFalse(Set(firstTimes).isDisjoint(with: secondTimes))
        XCTAssertEqual(Set((first + second).map(\.id)).count, first.count + second.count)
    }

    func testConvert_ofNumberedBeats_afterAStepBack_getOtherIDs() throws {
        func reading(_ beat: UInt32, at seconds: Double) -> TimedReading {
            let history = BeatsReading.History(
                newestBeat: beat % 4, beatModulus: 4, newestTime: beat * 1_000 % 65_536,
                timeModulus: 65_536)
            return TimedReading(
                .beats(BeatsReading(ticks: [1_000, 1_000], perSecond: 1_000, history: history)),
                at: at(seconds))
        }
        var converter = makeConverter()
        let first = converter.convert((1...20).map { reading($0, at: Double($0)) }, in: epoch)
        let again = (21...40).map { reading($0, at: Double($0)) }
        let second = converter.convert(again, in: stepped(by: -20))
        XCTAssertEqual(first.records.count, 19)
        XCTAssertEqual(second.records.count, 20)
        XCTAssertEqual(Set((first.records + second.records).map(\.id)).count, 39)
    }

    func testConvert_afterASuspend_noRRIntervalSpansIt() throws {
        for error in [0, 0.25] {
            var converter = makeConverter()
            _ = converter.convert((1...5).map { beats([1_024], at: Double($0)) }, in: epoch)
            let resumed = 5.5 + 8 * 3_600
            let new = error > 0 ? stepped(by: error) : epoch
            let after = samples(
                converter.convert(
                    [beats([1_024], at: resumed + 1), beats([1_024], at: resumed + 2)], in: new))
            XCTAssertEqual(after.map(\.quantity.value), [1_000, 1_000])
            XCTAssertEqual(after.first?.start, new.instant(at: at(resumed)))
            XCTAssertEqual(after.last?.end, new.instant(at: at(resumed + 2)))
        }
    }

    func testConvert_afterASuspend_aTotalThatWentOnIsCounted_oneThatMayHaveGoneRoundIsNot() throws {
        func counted(_ range: CounterReading.Range) -> [QuantitySample] {
            var converter = makeConverter()
            func total(_ value: Double, _ seconds: Double) -> TimedReading {
                let reading = CounterReading(.stepCount, value: value, range: range, unit: .count)
                return TimedReading(.counter(reading), at: at(seconds))
            }
            let resumed = 8.0 * 3_600
            return samples(
                converter.convert(
                    [total(100, 1), total(4_100, resumed), total(4_102, resumed + 1)], in: epoch))
        }
        let night = counted(.unbounded)
        XCTAssertEqual(night.map(\.quantity.value), [4_000, 2])
        XCTAssertEqual(night.first?.start, epoch.instant(at: at(1)))
        XCTAssertEqual(counted(.rollsOver(at: 65_536)).map(\.quantity.value), [2])
    }

    func testConvert_inAnEpochThatIsMadeUp_marksEverything() throws {
        let unset = ClockEpoch(
            number: 0, offsetNanoseconds: epoch.offsetNanoseconds, isUnset: true)
        var converter = makeConverter()
        var full = Metadata()
        for index in 0..<Metadata.maximumCount { try full.set(1.0, for: MetadataKey("\(index)")) }
        let opened = converter.linkOpened(Device(), at: at(1), in: unset)
        let site = try Metadata(["HKHeartRateSensorLocation": .number(1)])
        let marked = converter.convert(
            [
                TimedReading(.metadata(site, for: .heartRate), at: at(2)),
                try heartRate(70, at: 3),
                TimedReading(.metadata(full, for: .runningSpeed), at: at(4)),
                TimedReading(
                    .instant(
                        .runningSpeed, try Quantity(2, QuantityType.runningSpeed.canonicalUnit)),
                    at: at(5)),
            ], in: unset)
        XCTAssertEqual(events(opened).map { $0.metadata[.clockUnset] }, [true])
        XCTAssertEqual(samples(marked).map { $0.metadata[.clockUnset] }, [true, true])
        XCTAssertEqual(samples(marked).first?.metadata[.heartRateSensorLocation], 1)
        let right = samples(converter.convert([try heartRate(71, at: 6)], in: epoch))
        XCTAssertEqual(right.map(\.metadata), [site])
    }
}
