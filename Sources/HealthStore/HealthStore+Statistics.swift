package import HealthModel
package import HealthStatistics
import SQLite

extension HealthStore {
    /// Calculates the statistics of a query's samples in each span.
    ///
    /// The spans replace the times and the limit of the query. Samples are read page by page; for a
    /// time-weighted average the readings next to the spans are read too.
    ///
    /// - Parameter spans: Ordered by time and not overlapping.
    package nonisolated func statistics(
        of query: SampleQuery, in spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) async throws -> [Statistics] {
        guard !spans.isEmpty else { return [] }
        return try await calculating(query.type) {
            var collection = StatisticsCollection(query.type, spans: spans, options: options)
            for try await page in pages(matching: query.covering(spans, options)) {
                for sample in page { try collection.add(sample) }
            }
            return try collection.finish()
        }
    }

    /// Calculates the statistics of a query's samples in each span, separately for each origin.
    ///
    /// Nothing is merged: steps that two devices counted at the same time are in the sum of each.
    package nonisolated func statisticsByOrigin(
        of query: SampleQuery, in spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) async throws -> [SampleOrigin: [Statistics]] {
        guard !spans.isEmpty else { return [:] }
        var unranked = options
        unranked.rank = nil
        let empty = StatisticsCollection(query.type, spans: spans, options: unranked)
        return try await calculating(query.type) {
            var collections: [SampleOrigin: StatisticsCollection] = [:]
            for try await page in pages(matching: query.covering(spans, options)) {
                for sample in page {
                    try collections[SampleOrigin(sample), default: empty].add(sample)
                }
            }
            return try collections.mapValues { try $0.finish() }
                .filter { $0.value.contains { $0.count > 0 } }
        }
    }

    /// Calculates; an error of the values becomes one that names the store.
    private nonisolated func calculating<Result>(
        _ type: QuantityType, _ calculate: () async throws -> Result
    ) async throws -> Result {
        do { return try await calculate() } catch is QuantityError {
            throw await incalculable(type)
        }
    }

    private func incalculable(_ type: QuantityType) -> HealthStoreError {
        .incalculable(type: type.name, path: connection.path)
    }
}

extension SampleQuery {
    /// The query for all samples that statistics of the spans need, oldest first.
    fileprivate func covering(
        _ spans: [Range<Instant>], _ options: StatisticsOptions
    ) -> SampleQuery {
        var query = self
        // In this order NaN becomes 0.
        let gap = Int64(min(max(0, options.gapLimitSeconds), 86_400) * 1e9)
        query.from = spans.first?.lowerBound.adding(nanoseconds: -gap)
        query.to = spans.last?.upperBound.adding(nanoseconds: gap)
        query.order = .oldestFirst
        query.limit = nil
        return query
    }
}

/// The origin of samples: a device, or the source when the device is unknown.
package struct SampleOrigin: Hashable, Sendable {
    /// The device; nil when unknown.
    package let device: Device?
    /// The name of the source; nil when the device is known, which several sources may read.
    package let source: String?
    /// Whether the samples were manually entered.
    package let isEntered: Bool

    /// Makes the origin of a sample.
    package init(_ sample: QuantitySample) {
        device = sample.device
        source = sample.device == nil ? sample.source?.name : nil
        isEntered = sample.metadata[.wasUserEntered] == true
    }

    /// The display name; nil when nothing is known.
    package var name: String? {
        let name = device?.name ?? device?.localIdentifier ?? source
        guard isEntered else { return name }
        return [name, "(manually entered)"].compactMap(\.self).joined(separator: " ")
    }
}
