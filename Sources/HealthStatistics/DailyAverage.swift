public import HealthModel

/// How much of something there was on an average day.
public struct DailyAverage: Hashable, Sendable {
    /// What was counted.
    public let type: QuantityType
    /// All of it, in the type's canonical unit.
    public let total: Quantity
    /// The days with samples: the divisor.
    ///
    /// A day without a sample is one on which nobody counted, not one without a step.
    public let dayCount: Int
    /// The days that were asked for.
    public let spanDayCount: Int

    /// Makes the average of the days' statistics; nil when no day has a sample.
    ///
    /// - Parameter days: The statistics of one cumulative type, a day each.
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

    /// The total over the days with samples.
    public var average: Quantity? {
        try? Quantity(total.value / Double(dayCount), total.unit)
    }
}
