package import HealthModel
package import HealthStatistics

/// How the origins of samples are counted.
package enum SummaryMode: Sendable {
    /// All origins together.
    case merged
    /// Each origin on its own.
    case byOrigin
}

/// A piece with its statistics by origin, or by nil for all together.
package struct SummaryPart: Sendable {
    package let piece: StatisticsPiece
    /// Nil when they have to be calculated from samples.
    package var parts: [SampleOrigin?: StatisticsPart]?

    package init(piece: StatisticsPiece, parts: [SampleOrigin?: StatisticsPart]? = nil) {
        self.piece = piece
        self.parts = parts
    }
}

/// Combines the summaries of hours into the statistics of a piece.
package struct SummaryCombiner {
    private let type: QuantityType
    private let mode: SummaryMode
    private let origin: (Int64) throws -> SampleOrigin
    private var origins: [Int64: SampleOrigin] = [:]

    /// - Parameter origin: Reads a row of `origin`.
    package init(
        _ type: QuantityType, _ mode: SummaryMode,
        origin: @escaping (Int64) throws -> SampleOrigin
    ) {
        self.type = type
        self.mode = mode
        self.origin = origin
    }

    /// Divides a piece at the hours that cannot be combined, whose samples are read.
    ///
    /// - Parameter rows: Calls its body with each row of the hours, in order of the hour.
    package mutating func parts(
        of piece: StatisticsPiece, _ hours: Range<Int64>,
        _ rows: ((SummaryRow) throws -> Void) throws -> Void
    ) throws -> [SummaryPart] {
        var builder = PieceBuilder(piece.index, type, from: hours.lowerBound)
        var group: [SummaryRow] = []
        try rows { row in
            if let first = group.first, first.hour != row.hour {
                builder.add(try combined(group), of: first.hour)
                group.removeAll(keepingCapacity: true)
            }
            group.append(row)
        }
        if let first = group.first { builder.add(try combined(group), of: first.hour) }
        builder.close(at: hours.upperBound)
        return builder.parts
    }

    /// Combines the rows of one hour; nil when samples have to be read.
    private mutating func combined(
        _ rows: [SummaryRow]
    ) throws -> [SampleOrigin?: StatisticsPart]? {
        guard mode == .byOrigin else {
            return rows.part(isCumulative: type.isCumulative).map { [nil: $0] }
        }
        var parts: [SampleOrigin?: StatisticsPart] = [:]
        for row in rows {
            guard case .origin(let number, _) = row.scope else { continue }
            let origin = try origins[number] ?? origin(number)
            origins[number] = origin
            guard parts.updateValue(row.part, forKey: origin) == nil else { return nil }
        }
        return parts
    }
}

/// The pieces of a piece, in order of time.
private struct PieceBuilder {
    private let index: Int
    private let type: QuantityType
    private var start: Int64
    private var open: [SampleOrigin?: StatisticsPart] = [:]
    private(set) var parts: [SummaryPart] = []

    init(_ index: Int, _ type: QuantityType, from start: Int64) {
        self.index = index
        self.type = type
        self.start = start
    }

    /// Adds the statistics of an hour; nil when its samples have to be read.
    mutating func add(_ hour: [SampleOrigin?: StatisticsPart]?, of number: Int64) {
        guard let hour else {
            close(at: number)
            let span = SummaryHours.span(of: number..<number + 1)
            parts.append(
                SummaryPart(
                    piece: StatisticsPiece(index: index, span: span, hours: nil)))
            start = number + 1
            return
        }
        for (origin, part) in hour {
            open[origin, default: StatisticsPart()].append(part, type.aggregationStyle)
        }
    }

    mutating func close(at hour: Int64) {
        guard start < hour else { return }
        let hours = start..<hour
        let piece = StatisticsPiece(index: index, span: SummaryHours.span(of: hours), hours: hours)
        parts.append(SummaryPart(piece: piece, parts: open))
        open = [:]
        start = hour
    }
}
