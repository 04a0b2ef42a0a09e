import HealthModel
import Readings

/// Adapters whose readings are wrong.
extension WrongAdapter {
    static let values: [WrongAdapter] = [
        WrongAdapter("wrongUnit") { instant(.heartRate, 72 + Double($0), .kilogram) },
        WrongAdapter("percentAs97") { _ in instant(.oxygenSaturation, 97, .percent) },
        WrongAdapter("negativeTotal") { total(-Double($0)) },
        WrongAdapter("totalNotANumber") { _ in total(.nan) },
        WrongAdapter("infiniteTotal") { _ in total(.infinity) },
        WrongAdapter("stepsAtOneMoment") { instant(.stepCount, Double($0), .count) },
        WrongAdapter("rateAsTotal") { count in
            .counter(
                CounterReading(.heartRate, value: Double(count), unit: .countPerMinute))
        },
        WrongAdapter("nextYears") { _ in temperature("2037-01-01T00:00:00Z") },
        WrongAdapter("endOfTime") { _ in temperature("2262-04-11T23:47:16Z") },
        WrongAdapter("nineteenSeventy") { _ in temperature("1970-01-01T00:00:01Z") },
        WrongAdapter("sameMeasurement") { _ in
            .instant(
                .bodyTemperature, degrees,
                measured: MeasurementTime(.age(nanoseconds: 1_000_000_000), sequence: 7))
        },
        WrongAdapter("foreignType") { _ in own("heartRate") },
        WrongAdapter("unknownType") { _ in own("skinGlow") },
        WrongAdapter("battery97") { _ in .state(.battery(97)) },
        WrongAdapter("beatsWithoutTime") { _ in .beats(BeatsReading(ticks: [800], perSecond: 0)) },
    ]

    private static func instant(_ type: QuantityType, _ value: Double, _ unit: Unit) -> Reading? {
        (try? Quantity(value, unit)).map { .instant(type, $0) }
    }

    private static func total(_ value: Double) -> Reading {
        .counter(CounterReading(.stepCount, value: value, unit: .count))
    }

    private static var degrees: Quantity {
        guard let quantity = try? Quantity(36.6, .degreeCelsius) else { fatalError("finite") }
        return quantity
    }

    private static func temperature(_ time: String) -> Reading? {
        Instant(iso8601: time).map {
            .instant(.bodyTemperature, degrees, measured: MeasurementTime(.utc($0)))
        }
    }

    private static func own(_ name: String) -> Reading? {
        let type = try? QuantityTypeDeclaration(name, .discreteArithmetic, .kilogram).makeType()
        return type.flatMap { instant($0, 1, .kilogram) }
    }
}
