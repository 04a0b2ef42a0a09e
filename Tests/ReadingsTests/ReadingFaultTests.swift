import XCTest

@testable import HealthModel
@testable import Platform
@testable import Readings

/// Tests of readings that an adapter with errors reports.
final class ReadingFaultTests: ConverterTestCase {
    private func faults(of readings: Reading..., types: QuantityTypes = .standard) -> ReadingFaults
    {
        var converter = Converter(device: "port", source: source, person: nil, types: types)
        let timed = readings.enumerated().map { TimedReading($1, at: at(Double($0))) }
        let conversion = converter.convert(timed, in: epoch)
        XCTAssertEqual(conversion.records.count + conversion.faults.total, conversion.converted)
        return conversion.faults
    }

    private func steps(
        _ value: Double, unit: HealthModel.Unit = .count, countsPerUnit: Double = 1
    ) -> Reading {
        .counter(
            CounterReading(.stepCount, value: value, unit: unit, countsPerUnit: countsPerUnit))
    }

    func testFaults_ofValues() throws {
        let cases: [(ReadingFault, String, Reading)] = [
            (.wrongUnit, "heartRate", .instant(.heartRate, try Quantity(72, .kilogram))),
            (
                .implausible, "oxygenSaturation",
                .instant(.oxygenSaturation, try Quantity(97, .percent))
            ),
            (.implausible, "stepCount", steps(-1)),
            (.notFinite, "stepCount", steps(.nan)),
            (.notFinite, "stepCount", steps(.infinity)),
            (.notFinite, "stepCount", steps(1, countsPerUnit: .nan)),
            (.implausible, "stepCount", steps(1, countsPerUnit: 0)),
            (.wrongUnit, "stepCount", steps(1, unit: .kilogram)),
            (.wrongKind, "stepCount", .instant(.stepCount, try Quantity(9, .count))),
            (
                .wrongKind, "heartRate",
                .counter(CounterReading(.heartRate, value: 1, unit: .countPerMinute))
            ),
            (.notFinite, "rrInterval", .beats(BeatsReading(ticks: [800], perSecond: .nan))),
            (.implausible, "rrInterval", .beats(BeatsReading(ticks: [800], perSecond: 0))),
            (.implausible, "battery", .state(.battery(97))),
            (.notFinite, "battery", .state(.battery(.nan))),
        ]
        for (fault, stream, reading) in cases {
            let found = faults(of: reading)
            XCTAssertEqual(
                found.counts.map(\.key), [.init(fault: fault, stream: stream)], "\(reading)")
            XCTAssertEqual(found.total, 1, "\(reading)")
        }
    }

    func testFaults_ofTypes() throws {
        let unit = HealthModel.Unit.kilogram
        let foreign = QuantityType("heartRate", .discreteArithmetic, unit)
        let unknown = QuantityType("skinTemperature", .discreteArithmetic, unit)
        let value = try Quantity(1, unit)
        XCTAssertEqual(faults(of: .instant(foreign, value))[.foreignType], 1)
        XCTAssertEqual(faults(of: .instant(unknown, value))[.unknownType], 1)
        XCTAssertEqual(faults(of: .metadata(Metadata(), for: unknown))[.unknownType], 1)
        let types = try QuantityTypes(custom: [unknown])
        XCTAssertTrue(faults(of: .instant(unknown, value), types: types).isEmpty)
    }

    func testFaults_ofTooManyTypes() throws {
        let types = (0...Converter.streamLimit).map {
            QuantityType("own\($0)", .discreteArithmetic, .count)
        }
        var converter = Converter(
            device: "port", source: source, person: nil,
            types: try QuantityTypes(custom: types))
        let readings = try types.enumerated().map {
            TimedReading(.instant($1, try Quantity(1, .count)), at: at(Double($0)))
        }
        let conversion = converter.convert(readings, in: epoch)
        XCTAssertEqual(conversion.records.count, Converter.streamLimit)
        XCTAssertEqual(conversion.faults[.flood], 1)
    }

    func testTypes_aChangedDefinitionStartsTheStreamAnew() throws {
        let old = QuantityType("own", .discreteArithmetic, .count)
        let new = QuantityType("own", .discreteArithmetic, .kilogram)
        var converter = Converter(
            device: "port", source: source, person: nil, types: try QuantityTypes(custom: [old]))
        let before = TimedReading(.instant(old, try Quantity(1, .count)), at: at(0))
        XCTAssertEqual(converter.convert([before], in: epoch).records.count, 1)
        converter.types = try QuantityTypes(custom: [new])
        let after = TimedReading(.instant(new, try Quantity(1, .kilogram)), at: at(1))
        XCTAssertEqual(converter.convert([after], in: epoch).records.count, 1)
    }

    func testFaults_addUp() {
        var faults = ReadingFaults()
        faults.add(.flood, of: "heartRate", count: 2)
        faults.add(.flood, of: "battery")
        faults.add(.duplicate, of: "heartRate")
        faults.add(.flood, of: "heartRate")
        XCTAssertEqual(faults[.flood], 4)
        XCTAssertEqual(faults.total, 5)
        XCTAssertEqual(faults.counts.count, 3)
    }
}
