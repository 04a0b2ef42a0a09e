package import HealthModel
package import HealthStatistics

/// What statistics need of a stored sample.
package struct StatisticsRow: Sendable {
    /// The number of the row.
    package let number: Int64
    package let span: Range<Instant>
    /// In the unit of the origin.
    package let value: Double
    /// The row of the origin.
    package let origin: Int64

    package init(number: Int64, span: Range<Instant>, value: Double, origin: Int64) {
        self.number = number
        self.span = span
        self.value = value
        self.origin = origin
    }

    /// The value in a unit, from that of the origin; nil when it is out of the range of numbers there.
    package func value(from unit: Unit?, in canonical: Unit) -> Double? {
        guard let unit else { return value }
        return try? unit.convert(value, to: canonical)
    }
}

/// What the values of an origin mean.
package struct StatisticsOrigin: Sendable {
    package let origin: SampleOrigin
    /// The unit of the values; nil for the canonical unit.
    package let unit: Unit?

    package init(origin: SampleOrigin, unit: Unit?) {
        self.origin = origin
        self.unit = unit
    }
}
