import HealthModel
import XCTest

@testable import Platform
@testable import Readings

/// Tests of values that were measured together.
final class ConverterCorrelationTests: ConverterTestCase {
    private let mercury = HealthModel.Unit.millimeterOfMercury

    private func pressure(
        _ systolic: Double, _ diastolic: Double, measured: MeasurementTime? = nil,
        at seconds: Double
    ) throws -> TimedReading {
        let members = [
            CorrelationReading.Member(.bloodPressureSystolic, try Quantity(systolic, mercury)),
            CorrelationReading.Member(.bloodPressureDiastolic, try Quantity(diastolic, mercury)),
        ]
        return TimedReading(
            .correlation(CorrelationReading(.bloodPressure, members, measured: measured)),
            at: at(seconds))
    }

    private func correlations(_ conversion: Conversion) -> [Correlation] {
        conversion.records.compactMap { record in
            guard case .correlation(let correlation) = record else { return nil }
            return correlation
        }
    }

    func testCorrelation_isOneRecordWithItsMembers() throws {
        var converter = makeConverter()
        let conversion = converter.convert([try pressure(120, 80, at: 10)], in: epoch)
        let found = try XCTUnwrap(correlations(conversion).first)
        XCTAssertEqual(conversion.records.count, 1)
        XCTAssertEqual(found.type, .bloodPressure)
        XCTAssertEqual(found.start, epoch.instant(at: at(10)))
        XCTAssertEqual(found.person, "ada")
        XCTAssertEqual(
            Set(found.samples.map(\.typeName)),
            ["bloodPressureSystolic", "bloodPressureDiastolic"])
        XCTAssertEqual(Set(found.samples.map(\.id) + [found.id]).count, 3)
        XCTAssertTrue(conversion.faults.isEmpty)
    }

    func testCorrelation_isTheSameRecordWhenTheDeviceSendsItAgain() throws {
        let time = MeasurementTime(.utc(epoch.instant(at: at(-60))), sequence: 4)
        var first = makeConverter()
        var second = makeConverter()
        let one = first.convert([try pressure(120, 80, measured: time, at: 10)], in: epoch)
        let other = second.convert([try pressure(120, 80, measured: time, at: 99)], in: epoch)
        XCTAssertEqual(correlations(one).map(\.id), correlations(other).map(\.id))
        let again = first.convert([try pressure(120, 80, measured: time, at: 20)], in: epoch)
        XCTAssertEqual(again.records, [])
        XCTAssertEqual(again.faults[.duplicate], 1)
    }

    func testCorrelation_withARejectedMemberIsNoRecord() throws {
        var converter = makeConverter()
        let conversion = converter.convert([try pressure(120, 9_000, at: 10)], in: epoch)
        XCTAssertEqual(conversion.records, [])
        XCTAssertEqual(conversion.faults[.implausible], 1)
    }

    func testCorrelation_withWrongMembersIsAFault() throws {
        let rate = CorrelationReading.Member(.heartRate, try Quantity(60, .countPerMinute))
        let steps = CorrelationReading.Member(.stepCount, try Quantity(1, .count))
        let lists = [
            [], [rate], [rate, steps], Array(repeating: rate, count: Correlation.maximumCount + 1),
        ]
        for members in lists {
            var converter = makeConverter()
            let reading = TimedReading(
                .correlation(CorrelationReading(.bloodPressure, members)), at: at(1))
            let conversion = converter.convert([reading], in: epoch)
            XCTAssertEqual(conversion.records, [])
            XCTAssertEqual(conversion.faults.total, 1, "\(members.count) members")
            XCTAssertEqual(conversion.faults[.wrongKind], 1)
        }
    }
}
