package import GatewayCore
package import GatewayHost
package import HealthModel
package import HealthStatistics
import HealthStore
package import SQLiteStore

/// Reads statistics from the store, using the device roles of the configuration.
package struct StatisticsReader {
    /// The statistics of a span, and their origin if separated by origin.
    package struct Row {
        package let statistics: Statistics
        package let origin: SampleOrigin?

        init(statistics: Statistics, origin: SampleOrigin? = nil) {
            self.statistics = statistics
            self.origin = origin
        }
    }

    private let store: SQLiteStore
    private let query: SampleQuery
    private let people: People

    package init(store: SQLiteStore, query: SampleQuery, people: People) {
        self.store = store
        self.query = query
        self.people = people
    }

    /// The start of the first sample before a time; nil if there is none.
    private func firstStart(before end: Instant) async throws(HostError) -> Instant? {
        try await Self.reading { () async throws in
            var query = query
            query.to = end
            query.order = .oldestFirst
            query.limit = 1
            return try await store.samples(matching: query).first?.start
        }
    }

    /// The steps between two times, or the whole time as one span; from the first sample on when there is
    /// no start.
    ///
    /// - Returns: The spans in order; nil when there are more than `limit`.
    package func spans(
        from: Instant?, to: Instant, by step: CalendarStep?, _ calendar: LocalCalendar, limit: Int
    ) async throws(HostError) -> [Range<Instant>]? {
        var start = from ?? to
        if from == nil, let first = try await firstStart(before: to) {
            start = step.map { calendar.start(ofStepWith: first, $0) } ?? first
        }
        guard start < to else { return [] }
        guard let step else { return [start..<to] }
        return calendar.steps(of: start..<to, by: step, limit: limit)
    }

    /// One row per span, with all origins merged.
    package func rows(in spans: [Range<Instant>]) async throws(HostError) -> [Row] {
        guard !spans.isEmpty else { return [] }
        return try await Self.reading { () async throws in
            try await store.statistics(of: query, in: spans, options: options()).map {
                Row(statistics: $0)
            }
        }
    }

    /// One row per span and origin with samples.
    package func rowsByOrigin(in spans: [Range<Instant>]) async throws(HostError) -> [Row] {
        guard !spans.isEmpty else { return [] }
        return try await Self.reading { () async throws in
            let origins = try await store.statisticsByOrigin(of: query, in: spans)
                .sorted { $0.key.sortKey < $1.key.sortKey }
            return spans.indices.flatMap { index in
                origins.map { Row(statistics: $0.value[index], origin: $0.key) }
                    .filter { $0.statistics.count > 0 }
            }
        }
    }

    /// The order of origins that counted at the same time.
    private func options() async throws -> StatisticsOptions {
        var options = StatisticsOptions()
        guard query.type.isCumulative else { return options }
        let order = OriginOrder(try await store.knownOrigins()) { [people] device in
            device.localIdentifier.flatMap { people.binding(of: $0)?.configuredRole }
        }
        options.rank = { order.rank(of: $0) }
        return options
    }

    private static func reading<Result>(
        _ read: () async throws -> Result
    ) async throws(HostError) -> Result {
        do {
            return try await read()
        } catch {
            throw HostError(error)
        }
    }
}

extension SampleOrigin {
    /// Sorts by name, then by identifier, serial number and firmware version.
    fileprivate var sortKey: String {
        [name, device?.localIdentifier, device?.serial, device?.firmwareVersion]
            .map { $0 ?? "" }.joined(separator: "\u{0}")
    }
}
