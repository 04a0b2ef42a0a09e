public import HealthModel
public import HealthStatistics

/// A heartbeat series with what it was measured with, as HealthKit's HKHeartbeatSeriesSample.
public struct HeartbeatSeriesSample: Hashable, Sendable {
    /// The beats.
    public let series: HeartbeatSeries
    /// The name of the person; nil when it is unknown.
    public let person: String?
    /// The device that measured.
    public let device: Device?
    /// The software that produced the intervals.
    public let source: SourceRevision?
    /// The number of intervals that are left out: they overlap others, or do not match their times.
    public let omittedCount: Int
}

extension HealthStore {
    /// The number of samples that are read at a time.
    private static var heartbeatPageSize: Int { 10_000 }

    /// Returns the heartbeat series of the intervals (`rrInterval`) that start in a span and match a
    /// predicate, by their start.
    ///
    /// The intervals of each person, device and source are series of their own. A series ends at a pause,
    /// and when it has the maximum number of beats.
    ///
    /// - Parameter pauseSeconds: The time without an interval after which a new series begins; a shorter one
    ///   is a gap in the series.
    public func heartbeatSeries(
        in span: Range<Instant>, matching predicate: RecordPredicate = .all,
        pauseSeconds: Double = 600
    ) async throws(HealthStoreError) -> [HeartbeatSeriesSample] {
        var builder = HeartbeatSeriesBuilder(pauseSeconds: pauseSeconds)
        var start = span.lowerBound
        while start < span.upperBound {
            let size = Self.heartbeatPageSize
            let page = try await intervals(from: start, to: span.upperBound, predicate, size)
            guard page.count == size, let last = page.last?.start else {
                builder.add(page)
                break
            }
            // Others that start with the last one may be on the next page.
            builder.add(page.filter { $0.start < last })
            let next = last.adding(nanoseconds: 1)
            builder.add(try await intervals(from: last, to: next, predicate, nil))
            start = next
        }
        return builder.finish()
    }

    private func intervals(
        from start: Instant, to end: Instant, _ predicate: RecordPredicate, _ limit: Int?
    ) async throws(HealthStoreError) -> [QuantitySample] {
        let period = RecordPredicate.Period(start: start, end: end, isStartStrict: true)
        return try await samples(
            .rrInterval, matching: .period(period) && predicate, limit: limit)
    }
}

/// Divides intervals into series.
private struct HeartbeatSeriesBuilder {
    private struct Origin: Hashable {
        let person: String?
        let device: Device?
        let source: SourceRevision?
    }

    /// The intervals of a series that is not complete.
    private struct Open {
        var samples: [QuantitySample] = []
        var omittedCount = 0
    }

    private let pause: Int64
    private var open: [Origin: Open] = [:]
    private var complete: [(first: RecordID, series: HeartbeatSeriesSample)] = []

    init(pauseSeconds: Double) {
        // In this order NaN becomes 0.
        pause = Int64(min(max(0, pauseSeconds), 1e9) * 1e9)
    }

    /// Adds intervals that do not start before those that were added.
    mutating func add(_ samples: [QuantitySample]) {
        for sample in samples.sorted(by: { ($0.start, $0.id) < ($1.start, $1.id) }) {
            add(sample)
        }
    }

    private mutating func add(_ sample: QuantitySample) {
        let origin = Origin(person: sample.person, device: sample.device, source: sample.source)
        var group = open.removeValue(forKey: origin) ?? Open()
        if let last = group.samples.last, ends(last, before: sample, group) {
            close(group, origin)
            group = Open()
        }
        if HeartbeatSeries.canContain(sample, after: group.samples.last) {
            group.samples.append(sample)
        } else {
            group.omittedCount += 1
        }
        open[origin] = group
    }

    /// Whether a series ends before an interval: a gap is a beat too.
    private func ends(
        _ last: QuantitySample, before next: QuantitySample, _ group: Open
    ) -> Bool {
        2 * (group.samples.count + 1) > HeartbeatSeries.maximumCount
            || next.start.nanoseconds(since: last.end) > pause
    }

    private mutating func close(_ group: Open, _ origin: Origin) {
        guard let first = group.samples.first,
            let beats = try? HeartbeatSeries(group.samples)
        else { return }
        let series = HeartbeatSeriesSample(
            series: beats, person: origin.person, device: origin.device,
            source: origin.source, omittedCount: group.omittedCount)
        complete.append((first.id, series))
    }

    mutating func finish() -> [HeartbeatSeriesSample] {
        for (origin, group) in open { close(group, origin) }
        open = [:]
        return complete.sorted {
            ($0.series.series.start, $0.first) < ($1.series.series.start, $1.first)
        }.map(\.series)
    }
}
