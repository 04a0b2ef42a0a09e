public import HealthModel

/// The daily average of a cumulative type.
public struct DailyAverage: Hashable, Sendable {
    /// The cumulative type.
    public let type: QuantityType
    /// The sum over all days, in the type's canonical unit.
    public let total: Quantity
    /// The number of days with samples: the divisor.
    ///
    /// A day without samples has no data, which is not the same as a count of 0.
    public let dayCount: Int
    /// The number of requested days.
    public let spanDayCount: Int

    /// Makes the average of daily statistics; nil when no day has a sample.
    ///
    /// - Parameter days: The statistics of one cumulative type for each day.
    public init?(of days: [Statistics]) {
        let counted = days.filter { $0.sum != nil }
        guard let type = counted.first?.type,
            let total = try? Quantity(
                counted.reduce(0) { $0 + ($1.sum?.value ?? 0) }, type.canonicalUnit)
        else { return nil }
        self.type = type
        self.total = total
        dayCount = counted.count
        spanDayCount = days.count
    }

    /// The total divided by the number of days with samples.
    public var average: Quantity? {
        try? Quantity(total.value / Double(dayCount), total.unit)
    }
}
