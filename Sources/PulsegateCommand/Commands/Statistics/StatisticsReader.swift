import GatewayCore
import GatewayHost
import HealthModel
import HealthStatistics
import HealthStore

/// Statistics of the store, with what the configuration says of devices.
struct StatisticsReader {
    /// The statistics of a span, and of which origin when that is asked for.
    struct Row {
        let statistics: Statistics
        var origin: SampleOrigin?
    }

    let store: HealthStore
    var query: SampleQuery
    let people: People

    /// When the first sample starts; nil when there is none before a time.
    func firstStart(before end: Instant) async throws(HostError) -> Instant? {
        try await Self.reading { () async throws in
            var query = query
            query.to = end
            query.order = .oldestFirst
            query.limit = 1
            return try await store.samples(matching: query).first?.start
        }
    }

    /// A row for each span, origins merged.
    func rows(in spans: [Range<Instant>]) async throws(HostError) -> [Row] {
        guard !spans.isEmpty else { return [] }
        return try await Self.reading { () async throws in
            try await store.statistics(of: query, in: spans, options: options()).map {
                Row(statistics: $0)
            }
        }
    }

    /// A row for each span and each origin that has samples there.
    func rowsByOrigin(in spans: [Range<Instant>]) async throws(HostError) -> [Row] {
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

    /// Who counts where several have counted the same.
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
            throw HostError(.failure, "\(error)")
        }
    }
}

extension SampleOrigin {
    /// By name; origins of one name by what tells them apart.
    fileprivate var sortKey: String {
        [name, device?.localIdentifier, device?.serial, device?.firmwareVersion]
            .map { $0 ?? "" }.joined(separator: "\u{0}")
    }
}
