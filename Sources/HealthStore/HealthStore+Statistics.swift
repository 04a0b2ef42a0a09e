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
        try await forEachRun(of: query.covering(spans, options)) { rows, origin in
            let rank = options.rank?(origin) ?? 0
            for row in rows { pass.add(row.value, over: row.span, rank: rank, key: row.number) }
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
        try await forEachRun(of: query.covering(spans, options)) { rows, origin in
            var pass = passes.removeValue(forKey: origin) ?? empty
            for row in rows { pass.add(row.value, over: row.span, key: row.number) }
            passes[origin] = pass
        }
        var statistics: [SampleOrigin: [Statistics]] = [:]
        for (origin, pass) in passes where !pass.keys.isEmpty {
            statistics[origin] = try await finish(pass, query.type)
        }
        return statistics
    }

    /// Calls the body with each run of rows that have one origin.
    private nonisolated func forEachRun(
        of query: SampleQuery, _ body: (ArraySlice<StatisticsRow>, SampleOrigin) -> Void
    ) async throws {
        var position: SamplePosition?
        var origins: [OriginKey: SampleOrigin] = [:]
        repeat {
            let page = try await statisticsPage(of: query, after: position)
            var rest = page.items[...]
            while let key = rest.first?.origin {
                let run = rest.prefix { $0.origin == key }
                let origin: SampleOrigin
                if let known = origins[key] {
                    origin = known
                } else {
                    origin = try await self.origin(key, of: query.type)
                    origins[key] = origin
                }
                body(run, origin)
                rest = rest[run.endIndex...]
            }
            position = page.items.count < StatisticsReader.pageSize ? nil : page.last
        } while position != nil
    }

    private func statisticsPage(
        of query: SampleQuery, after position: SamplePosition?
    ) throws -> StorePage<StatisticsRow> {
        try StatisticsReader(connection, lookup, query.type).page(of: query, after: position)
    }

    private func origin(_ key: OriginKey, of type: QuantityType) throws -> SampleOrigin {
        try StatisticsReader(connection, lookup, type).origin(key)
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
