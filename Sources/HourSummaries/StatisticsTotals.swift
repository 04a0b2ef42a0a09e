package import HealthModel
package import HealthStatistics

/// The statistics of spans while their samples are read: of all origins together, or of each.
package struct StatisticsTotals: Sendable {
    /// What is known of an origin.
    private struct Origin: Sendable {
        /// The index of the pass.
        let pass: Int
        let rank: Int
        /// The unit of the values; nil for the canonical unit.
        let unit: Unit?
    }

    private let type: QuantityType
    private let mode: SummaryMode
    private let rank: (@Sendable (SampleOrigin) -> Int)?
    private let empty: StatisticsPass
    /// The passes; that of all origins together is of nil.
    private var passes: [StatisticsPass] = []
    private var indices: [SampleOrigin?: Int] = [:]
    private var origins: [Int64: Origin] = [:]
    /// The row of the last sample's origin, which is often that of the next one.
    private var row: Int64?
    private var origin = Origin(pass: 0, rank: 0, unit: nil)

    /// Makes statistics without samples.
    package init(
        _ type: QuantityType, _ spans: [Range<Instant>], _ mode: SummaryMode,
        _ options: StatisticsOptions
    ) {
        self.type = type
        self.mode = mode
        rank = mode == .merged ? options.rank : nil
        empty = StatisticsPass(
            type, spans: spans, isRanked: rank != nil, gapLimitSeconds: options.gapLimitSeconds)
        if mode == .merged { _ = index(of: nil) }
    }

    /// Selects the origin of the rows that are added next.
    ///
    /// - Parameter read: Reads the origin when it is not known.
    package mutating func select(
        _ row: Int64, _ read: () throws -> StatisticsOrigin
    ) throws {
        guard row != self.row else { return }
        origin = try origin(row, read)
        self.row = row
    }

    /// Adds a row of the selected origin, which must not start before the last one; one whose value is no
    /// number in the canonical unit is left out.
    package mutating func add(_ next: StatisticsRow) {
        guard let value = next.value(from: origin.unit, in: type.canonicalUnit) else { return }
        passes[origin.pass].add(value, over: next.span, rank: origin.rank, key: next.number)
    }

    /// The parts of each span by origin, or by nil for all together.
    package func parts() -> [SampleOrigin?: [StatisticsPart]] {
        indices.mapValues { passes[$0].parts() }
    }

    private mutating func origin(
        _ row: Int64, _ read: () throws -> StatisticsOrigin
    ) throws -> Origin {
        if let known = origins[row] { return known }
        let stored = try read()
        let origin = Origin(
            pass: index(of: mode == .merged ? nil : stored.origin),
            rank: rank?(stored.origin) ?? 0, unit: stored.unit)
        origins[row] = origin
        return origin
    }

    private mutating func index(of origin: SampleOrigin?) -> Int {
        if let index = indices[origin] { return index }
        passes.append(empty)
        indices[origin] = passes.count - 1
        return passes.count - 1
    }
}
