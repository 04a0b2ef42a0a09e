package import HealthModel
package import HealthStatistics
import HourSummaries
import SQLite

extension SQLiteStore {
    /// Calculates the statistics of a query's samples in each span.
    ///
    /// The spans replace the times and the limit of the query. For a time-weighted average the readings
    /// next to the spans are read too. Many samples are read by several connections at the same time.
    ///
    /// - Parameter spans: Ordered by time and not overlapping.
    package nonisolated func statistics(
        of query: SampleQuery, in spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) async throws -> [Statistics] {
        try await statistics(of: query, in: spans, options, StatisticsReading())
    }

    /// Calculates the statistics of a query's samples in each span, separately for each origin.
    ///
    /// Nothing is merged: steps that two devices counted at the same time are in the sum of each.
    package nonisolated func statisticsByOrigin(
        of query: SampleQuery, in spans: [Range<Instant>],
        options: StatisticsOptions = StatisticsOptions()
    ) async throws -> [SampleOrigin: [Statistics]] {
        try await statisticsByOrigin(of: query, in: spans, options, StatisticsReading())
    }

    nonisolated func statistics(
        of query: SampleQuery, in spans: [Range<Instant>], _ options: StatisticsOptions,
        _ reading: StatisticsReading
    ) async throws -> [Statistics] {
        guard !spans.isEmpty else { return [] }
        let total = try await totals(of: query, in: spans, .merged, options, reading)[nil]
        return try await statistics(of: total ?? [], spans, query.type)
    }

    nonisolated func statisticsByOrigin(
        of query: SampleQuery, in spans: [Range<Instant>], _ options: StatisticsOptions,
        _ reading: StatisticsReading
    ) async throws -> [SampleOrigin: [Statistics]] {
        guard !spans.isEmpty else { return [:] }
        var statistics: [SampleOrigin: [Statistics]] = [:]
        let totals = try await totals(of: query, in: spans, .byOrigin, options, reading)
        for (origin, total) in totals {
            guard let origin, total.contains(where: { $0.count > 0 }) else { continue }
            statistics[origin] = try await self.statistics(of: total, spans, query.type)
        }
        return statistics
    }

    /// The parts of the spans, from the summaries and from samples.
    private nonisolated func totals(
        of query: SampleQuery, in spans: [Range<Instant>], _ mode: SummaryMode,
        _ options: StatisticsOptions, _ reading: StatisticsReading
    ) async throws -> [SampleOrigin?: [StatisticsPart]] {
        var parts = try await parts(of: query, in: spans, mode, options)
        for run in parts.runsOfSamples {
            let spans = parts[run].map(\.piece.span)
            let chunk = SampleChunk(query, spans, mode, options)
            for index in run { parts[index].parts = [:] }
            for (origin, found) in try await self.parts(of: chunk, reading) {
                for (index, part) in zip(run, found) { parts[index].parts?[origin] = part }
            }
        }
        return parts.joined(into: spans.count, query.type.aggregationStyle)
    }

    /// Divides spans into pieces; those that have summaries are read.
    private func parts(
        of query: SampleQuery, in spans: [Range<Instant>], _ mode: SummaryMode,
        _ options: StatisticsOptions
    ) throws -> [SummaryPart] {
        guard query.type.isCumulative || options.gapLimitSeconds == SummaryHours.gapSeconds else {
            return SummaryReader.samples(of: spans)
        }
        return try connection.readTransaction {
            try SummaryReader(connection, lookup, query, mode).parts(of: spans)
        }
    }

    /// Reads the samples of spans, page by page or by several connections.
    private nonisolated func parts(
        of chunk: SampleChunk, _ reading: StatisticsReading
    ) async throws -> [SampleOrigin?: [StatisticsPart]] {
        var (totals, last) = (chunk.totals, StatisticsRow?.none)
        (totals, last) = try await adding(chunk, after: nil, to: totals, reading.pageSize)
        if last != nil, let found = try await partsOfLanes(chunk, reading) { return found }
        while let row = last {
            (totals, last) = try await adding(chunk, after: row, to: totals, reading.pageSize)
        }
        return totals.parts()
    }

    private func adding(
        _ chunk: SampleChunk, after last: StatisticsRow?, to totals: StatisticsTotals, _ size: Int
    ) throws -> (StatisticsTotals, StatisticsRow?) {
        var totals = totals
        let next = try StatisticsReader(connection, lookup, chunk.query.type).add(
            chunk.query, after: last, limit: size, to: &totals)
        return (totals, next)
    }

    /// Reads the samples of spans by several connections; nil when that is not worthwhile.
    private nonisolated func partsOfLanes(
        _ chunk: SampleChunk, _ reading: StatisticsReading
    ) async throws -> [SampleOrigin?: [StatisticsPart]]? {
        guard let chunks = try await chunks(of: chunk, reading) else { return nil }
        // Without another connection, such as to a file that was removed, this one reads alone.
        let opened = try? await openLanes(min(reading.laneCount, chunks.count))
        guard let lanes = opened ?? nil else { return nil }
        let empty = [StatisticsPart](repeating: StatisticsPart(), count: chunk.spans.count)
        var joined: [SampleOrigin?: [StatisticsPart]] = [:]
        for (indices, found) in zip(chunks, try await lanes.parts(of: chunks.map { chunk[$0] })) {
            for (origin, parts) in found {
                joined[origin, default: empty].replaceSubrange(indices, with: parts)
            }
        }
        return joined
    }

    private func chunks(
        of chunk: SampleChunk, _ reading: StatisticsReading
    ) throws -> [Range<Int>]? {
        guard let longest = try lookup.type(named: chunk.query.type.name)?.maximumNanoseconds,
            longest >= 0
        else { return nil }
        let (overlap, isOverflow) = longest.addingReportingOverflow(2 * chunk.gap)
        return isOverflow ? nil : reading.chunks(of: chunk.spans, overlap: overlap)
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

extension [SummaryPart] {
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
