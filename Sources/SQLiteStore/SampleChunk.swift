import HealthModel
import HealthStatistics
import HealthStore
import HourSummaries

/// Neighbouring spans whose statistics are calculated together from samples.
struct SampleChunk: Sendable {
    /// The query for all samples that count for the spans, oldest first.
    let query: SampleQuery
    let spans: [Range<Instant>]
    /// The time before and after the spans whose readings count for an average, in nanoseconds.
    let gap: Int64
    private let mode: SummaryMode
    private let options: StatisticsOptions

    /// - Parameters:
    ///   - query: Its times and its limit do not count.
    ///   - spans: Ordered by time and not overlapping.
    init(
        _ query: SampleQuery, _ spans: [Range<Instant>], _ mode: SummaryMode,
        _ options: StatisticsOptions
    ) {
        var query = query
        // In this order NaN becomes 0.
        gap = Int64(min(max(0, options.gapLimitSeconds), 86_400) * 1e9)
        query.from = spans.first?.lowerBound.adding(nanoseconds: -gap)
        query.to = spans.last?.upperBound.adding(nanoseconds: gap)
        query.order = .oldestFirst
        query.limit = nil
        self.query = query
        self.spans = spans
        self.mode = mode
        self.options = options
    }

    /// The statistics without samples.
    var totals: StatisticsTotals { StatisticsTotals(query.type, spans, mode, options) }

    /// A part of the spans.
    subscript(_ indices: Range<Int>) -> SampleChunk {
        SampleChunk(query, Array(spans[indices]), mode, options)
    }
}
