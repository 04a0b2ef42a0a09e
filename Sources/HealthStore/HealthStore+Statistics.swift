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
        var pass = StatisticsPass(query.type, spans: spans, options)
        var ranks: [OriginKey: Int] = [:]
        try await forEachPage(of: query.covering(spans, options)) { rows, origins in
            if let rank = options.rank { ranks.merge(origins.mapValues(rank)) { $1 } }
            for row in rows {
                pass.add(
                    row.value, over: row.span, rank: ranks[row.origin] ?? 0, key: row.number)
            }
        }
        return try await finish(pass, query.type)
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
        let empty = StatisticsPass(query.type, spans: spans, unranked)
        var passes: [SampleOrigin: StatisticsPass] = [:]
        try await forEachPage(of: query.covering(spans, options)) { rows, origins in
            for row in rows {
                guard let origin = origins[row.origin] else { continue }
                passes[origin, default: empty].add(row.value, over: row.span, key: row.number)
            }
        }
        var statistics: [SampleOrigin: [Statistics]] = [:]
        for (origin, pass) in passes where !pass.keys.isEmpty {
            statistics[origin] = try await finish(pass, query.type)
        }
        return statistics
    }

    /// Calls the body with the rows of each page, and with the origins of these rows.
    private nonisolated func forEachPage(
        of query: SampleQuery,
        _ body: ([StatisticsRow], [OriginKey: SampleOrigin]) throws -> Void
    ) async throws {
        var position: SamplePosition?
        repeat {
            let (page, origins) = try await statisticsPage(of: query, after: position)
            try body(page.items, origins)
            position = page.items.count < StatisticsReader.pageSize ? nil : page.last
        } while position != nil
    }

    private func statisticsPage(
        of query: SampleQuery, after position: SamplePosition?
    ) throws -> (StorePage<StatisticsRow>, [OriginKey: SampleOrigin]) {
        let reader = StatisticsReader(connection, lookup, query.type)
        let page = try reader.page(of: query, after: position)
        var origins: [OriginKey: SampleOrigin] = [:]
        for row in page.items where origins[row.origin] == nil {
            origins[row.origin] = try reader.origin(row.origin)
        }
        return (page, origins)
    }

    /// Finishes a pass with the samples that it needs; one that was removed meanwhile is missing.
    ///
    /// An error of the values becomes one that names the store.
    private func finish(
        _ pass: StatisticsPass, _ type: QuantityType
    ) throws -> [Statistics] {
        let reader = StatisticsReader(connection, lookup, type)
        var samples: [Int64: QuantitySample] = [:]
        for key in pass.keys { samples[key] = try reader.sample(key) }
        do {
            return try pass.finish(samples)
        } catch {
            throw HealthStoreError.incalculable(type: type.name, path: connection.path)
        }
    }
}

extension StatisticsPass {
    fileprivate init(
        _ type: QuantityType, spans: [Range<Instant>], _ options: StatisticsOptions
    ) {
        self.init(
            type, spans: spans, isRanked: options.rank != nil,
            gapLimitSeconds: options.gapLimitSeconds)
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
