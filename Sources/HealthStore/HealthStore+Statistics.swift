package import HealthModel
package import HealthStatistics

extension HealthStore {
    /// What the samples of a query come to in each of some spans.
    ///
    /// The query's own times and limit do not count, the spans do. Samples are read page by page; for an
    /// average over time the readings beside the spans are read, too.
    ///
    /// - Parameter spans: In order of time, none overlapping another.
    package nonisolated func statistics(
        of query: SampleQuery, in spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) async throws -> [Statistics] {
        guard !spans.isEmpty else { return [] }
        var collection = StatisticsCollection(query.type, spans: spans, options: options)
        for try await page in pages(matching: query.around(spans, options)) {
            for sample in page { try collection.add(sample) }
        }
        return try collection.finish()
    }

    /// What the samples of a query come to in each of some spans, for each origin alone.
    ///
    /// Nothing is merged: what two devices have counted at the same time is in the sum of each.
    package nonisolated func statisticsByOrigin(
        of query: SampleQuery, in spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) async throws -> [SampleOrigin: [Statistics]] {
        guard !spans.isEmpty else { return [:] }
        var options = options
        options.rank = nil
        var collections: [SampleOrigin: StatisticsCollection] = [:]
        let empty = StatisticsCollection(query.type, spans: spans, options: options)
        for try await page in pages(matching: query.around(spans, options)) {
            for sample in page {
                try collections[SampleOrigin(sample), default: empty].add(sample)
            }
        }
        return try collections.mapValues { try $0.finish() }
            .filter { $0.value.contains { $0.count > 0 } }
    }
}

extension SampleQuery {
    /// The query for all that matters to some spans, in the order in which statistics want it.
    fileprivate func around(
        _ spans: [Range<Instant>], _ options: StatisticsOptions
    ) -> SampleQuery {
        var query = self
        // In this order no number is none.
        let gap = Int64(min(max(0, options.gapLimitSeconds), 86_400) * 1e9)
        query.from = spans.first?.lowerBound.adding(nanoseconds: -gap)
        query.to = spans.last?.upperBound.adding(nanoseconds: gap)
        query.order = .oldestFirst
        query.limit = nil
        return query
    }
}

/// What samples come from: a device, or what produced them when there is none.
package struct SampleOrigin: Hashable, Sendable {
    /// The device; nil when none is known.
    package let device: Device?
    /// The name of the source; nil when a device is known, which several sources may read.
    package let source: String?
    /// Whether a person has entered them.
    package let isEntered: Bool

    /// The origin of a sample.
    package init(_ sample: QuantitySample) {
        device = sample.device
        source = sample.device == nil ? sample.source?.name : nil
        isEntered = sample.metadata[.wasUserEntered] == true
    }

    /// What people call it; nil when nothing is known.
    package var name: String? {
        let name = device?.name ?? device?.localIdentifier ?? source
        return isEntered ? [name, "(entered)"].compactMap(\.self).joined(separator: " ") : name
    }
}
