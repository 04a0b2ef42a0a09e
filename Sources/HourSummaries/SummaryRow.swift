package import HealthStatistics

/// What the samples of an hour contribute to statistics.
package struct SummaryRow: Sendable, Equatable {
    package let hour: Int64
    package let scope: SummaryScope
    package let part: StatisticsPart

    package init(hour: Int64, scope: SummaryScope, part: StatisticsPart) {
        self.hour = hour
        self.scope = scope
        self.part = part
    }
}
