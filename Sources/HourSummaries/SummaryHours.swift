package import HealthModel
import HealthStatistics

/// The hours of summaries: numbered from 1970 on, in UTC.
///
/// Days of a time zone are whole hours, but for zones with half hours; what is left over is read from
/// samples. Earlier hours have no summary.
package enum SummaryHours {
    /// The length of an hour in nanoseconds.
    package static let length: Int64 = 3_600_000_000_000
    /// The gap limit that summaries are made with, which is the default of statistics.
    package static let gapSeconds = StatisticsOptions().gapLimitSeconds
    /// The gap limit in nanoseconds: a sample changes the average over time so far around it.
    package static let gap = Int64(gapSeconds * 1e9)
    /// The longest sample of a type with summaries, in nanoseconds.
    ///
    /// Each hour of a sample is a row; a week has 168.
    package static let longestSample: Int64 = 7 * 24 * length

    /// The hour after the last one that a time can be in.
    package static let end = Int64.max / length + 1

    /// An hour of a file, which may be damaged.
    package static func stored(_ hour: Int64) -> Int64 { min(max(0, hour), end) }

    /// The hours whose statistics a sample changes.
    package static func changed(bySampleAt start: Int64, duration: Int64) -> ClosedRange<Int64> {
        let start = Instant(nanosecondsSince1970: start)
        let first = hour(of: start.adding(nanoseconds: -gap))
        let end = start.adding(nanoseconds: duration).adding(nanoseconds: gap)
        return first...max(first, hour(of: end))
    }

    /// The hour that contains a time; 0 before 1970.
    package static func hour(of time: Instant) -> Int64 {
        max(0, time.nanosecondsSince1970) / length
    }

    /// The whole hours in a span.
    package static func hours(in span: Range<Instant>) -> Range<Int64> {
        let start = max(0, span.lowerBound.nanosecondsSince1970)
        let first = start / length + (start % length > 0 ? 1 : 0)
        return first..<max(first, hour(of: span.upperBound))
    }

    /// The start of an hour; the range of instants ends in the hour after the last one.
    package static func start(of hour: Int64) -> Instant {
        let (start, isOverflow) = hour.multipliedReportingOverflow(by: length)
        return Instant(nanosecondsSince1970: isOverflow ? .max : start)
    }

    /// The span of some hours.
    package static func span(of hours: Range<Int64>) -> Range<Instant> {
        start(of: hours.lowerBound)..<start(of: hours.upperBound)
    }
}
