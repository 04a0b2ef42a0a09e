package import HealthModel
package import HealthStatistics
import SQLite

extension SQLiteStore {
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
        var parts = try await parts(of: query, in: spans, .merged, options)
        for run in parts.runsOfSamples {
            let spans = parts[run].map(\.piece.span)
            var pass = StatisticsPass(query.type, spans: spans, options)
            try await forEachRun(of: query.covering(spans, options)) { rows, origin, value in
                let rank = options.rank?(origin) ?? 0
                for row in rows {
                    pass.add(try value(row.value), over: row.span, rank: rank, key: row.number)
                }
            }
            for (index, part) in zip(run, pass.parts()) { parts[index].parts = [nil: part] }
        }
        let total = parts.joined(into: spans.count, query.type.aggregationStyle)[nil]
        return try await statistics(of: total ?? [], spans, query.type)
    }

    /// Calculates the statistics of a query's samples in each span, separately for each origin.
    ///
    /// Nothing is merged: steps that two devices counted at the same time are in the sum of each.
    package nonisolated func statisticsByOrigin(
        of query: SampleQuery, in spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) async throws -> [SampleOrigin: [Statistics]] {
        guard !spans.isEmpty else { return [:] }
        var parts = try await parts(of: query, in: spans, .byOrigin, options)
        for run in parts.runsOfSamples {
            let passes = try await passes(of: query, parts[run].map(\.piece.span), options)
            for index in run { parts[index].parts = [:] }
            for (origin, pass) in passes {
                for (index, part) in zip(run, pass.parts()) { parts[index].parts?[origin] = part }
            }
        }
        var statistics: [SampleOrigin: [Statistics]] = [:]
        for (origin, total) in parts.joined(into: spans.count, query.type.aggregationStyle) {
            guard let origin, total.contains(where: { $0.count > 0 }) else { continue }
            statistics[origin] = try await self.statistics(of: total, spans, query.type)
        }
        return statistics
    }

    private nonisolated func passes(
        of query: SampleQuery, _ spans: [Range<Instant>], _ options: StatisticsOptions
    ) async throws -> [SampleOrigin: StatisticsPass] {
        var unranked = options
        unranked.rank = nil
        let empty = StatisticsPass(query.type, spans: spans, unranked)
        var passes: [SampleOrigin: StatisticsPass] = [:]
        try await forEachRun(of: query.covering(spans, options)) { rows, origin, value in
            var pass = passes.removeValue(forKey: origin) ?? empty
            for row in rows { pass.add(try value(row.value), over: row.span, key: row.number) }
            passes[origin] = pass
        }
        return passes
    }

    /// Divides spans into pieces; those that have summaries are read.
    private func parts(
        of query: SampleQuery, in spans: [Range<Instant>], _ mode: SummaryReader.Mode,
        _ options: StatisticsOptions
    ) throws -> [SummaryReader.Part] {
        guard query.type.isCumulative || options.gapLimitSeconds == SummaryHours.gapSeconds else {
            return SummaryReader.samples(of: spans)
        }
        return try connection.readTransaction {
            try SummaryReader(connection, lookup, query, mode).parts(of: spans)
        }
    }

    /// Calls the body with each run of rows that have one origin, their values in the canonical unit.
    private nonisolated func forEachRun(
        of query: SampleQuery,
        _ body: (ArraySlice<StatisticsRow>, SampleOrigin, (Double) throws -> Double) throws -> Void
    ) async throws {
        let unit = query.type.canonicalUnit
        var origins: [Int64: StatisticsOrigin] = [:]
        var last: StatisticsRow?
        repeat {
            let page = try await statisticsPage(of: query, after: last)
            last = page.count < StatisticsReader.pageSize ? nil : page.last
            var rest = page[...]
            while let first = rest.first {
                let run = rest.prefix { $0.origin == first.origin }
                rest = rest[run.endIndex...]
                let known: StatisticsOrigin
                if let origin = origins[first.origin] {
                    known = origin
                } else {
                    known = try await origin(of: first, query.type)
                    origins[first.origin] = known
                }
                try body(run, known.origin) { try known.unit?.convert($0, to: unit) ?? $0 }
            }
        } while last != nil
    }

    private func statisticsPage(
        of query: SampleQuery, after last: StatisticsRow?
    ) throws -> [StatisticsRow] {
        try StatisticsReader(connection, lookup, query.type).page(of: query, after: last)
    }

    private func origin(of row: StatisticsRow, _ type: QuantityType) throws -> StatisticsOrigin {
        try StatisticsReader(connection, lookup, type).origin(row.origin, ofSample: row.number)
    }

    /// Makes statistics, with the samples that they need; one that was removed meanwhile is missing.
    ///
    /// An error of the values becomes one that names the store.
    private func statistics(
        of parts: [StatisticsPart], _ spans: [Range<Instant>], _ type: QuantityType
    ) throws -> [Statistics] {
        let reader = StatisticsReader(connection, lookup, type)
        return try zip(spans, parts).map { span, part in
            let mostRecent = try part.latest.flatMap { try reader.sample($0.key) }
            do {
                return try Statistics(type, span, part, mostRecent: mostRecent)
            } catch {
                throw SQLiteStoreError.incalculable(type: type.name, path: connection.path)
            }
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

extension [SummaryReader.Part] {
    /// The indices of neighbouring pieces whose statistics are calculated from samples.
    fileprivate var runsOfSamples: [Range<Int>] {
        indices.reduce(into: []) { runs, index in
            guard self[index].parts == nil else { return }
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
    }

    /// The parts of whole spans by origin.
    fileprivate func joined(
        into count: Int, _ style: QuantityType.AggregationStyle
    ) -> [SampleOrigin?: [StatisticsPart]] {
        let empty = [StatisticsPart](repeating: StatisticsPart(), count: count)
        var joined: [SampleOrigin?: [StatisticsPart]] = [nil: empty]
        for part in self {
            for (origin, next) in part.parts ?? [:] {
                joined[origin, default: empty][part.piece.index].append(next, style)
            }
        }
        return joined
    }
}
