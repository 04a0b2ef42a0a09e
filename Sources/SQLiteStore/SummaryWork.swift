import HealthModel
import HealthStatistics
import HourSummaries
import SQLite

/// Hours of a type whose summary has to be calculated.
struct SummaryWork: Equatable {
    let type: QuantityType
    /// The row of the type.
    let row: Int64
    /// All hours that are missing, or the first ones that have changed.
    let hours: Range<Int64>
}

/// What the store has of the summaries of a type.
struct SummaryState {
    let row: Int64
    let type: QuantityType
    /// The first hour without a summary; nil when there are none.
    let until: Int64?
    /// Whether a type that is declared otherwise now made the summaries.
    let isOfEarlierDeclaration: Bool
    /// The first hour that was changed.
    let firstMark: Int64?
    /// The starts of the first and the last sample.
    let starts: ClosedRange<Instant>

    /// What to calculate next; nil when all is done.
    ///
    /// The hours of the newest sample are left out, because more samples will come.
    var work: SummaryWork? {
        let newest = SummaryHours.hour(of: starts.upperBound.adding(nanoseconds: -SummaryHours.gap))
        let oldest = SummaryHours.hour(of: starts.lowerBound.adding(nanoseconds: -SummaryHours.gap))
        if let firstMark, let until, firstMark < until { return work(firstMark..<until) }
        let first = until ?? oldest
        return first < newest ? work(first..<newest) : nil
    }

    private func work(_ hours: Range<Int64>) -> SummaryWork {
        SummaryWork(type: type, row: row, hours: hours)
    }
}

/// Reads the states of all types.
struct SummaryStates {
    private let connection: SQLiteConnection
    private let types: QuantityTypes

    init(_ connection: SQLiteConnection, _ types: QuantityTypes) {
        self.connection = connection
        self.types = types
    }

    /// The states of the types with samples that have summaries.
    func all() throws -> [SummaryState] {
        let find = try connection.prepare(
            """
            SELECT type.id, name, until_hour, unit, style,
                (SELECT min(first_hour) FROM summary_mark WHERE type = type.id),
                (SELECT min(start_ns) FROM sample WHERE type = type.id) AS oldest,
                (SELECT max(start_ns) FROM sample WHERE type = type.id)
            FROM type LEFT JOIN summary_progress ON summary_progress.type = type.id
            WHERE oldest IS NOT NULL AND longest_ns BETWEEN 0 AND \(SummaryHours.longestSample)
            """)
        var states: [SummaryState] = []
        try find.forEachRow { row in
            guard let type = row.text(at: 1).flatMap(types.named) else { return }
            states.append(state(of: row, type))
        }
        return states
    }

    private func state(of row: SQLiteStatement, _ type: QuantityType) -> SummaryState {
        let oldest = Instant(nanosecondsSince1970: row.integer(at: 6))
        let newest = Instant(nanosecondsSince1970: row.integer(at: 7))
        let until = row.isNull(at: 2) ? nil : SummaryHours.stored(row.integer(at: 2))
        return SummaryState(
            row: row.integer(at: 0), type: type, until: until,
            isOfEarlierDeclaration: until != nil
                && !type.hasSummaries(unit: row.text(at: 3), style: row.text(at: 4)),
            firstMark: row.isNull(at: 5) ? nil : SummaryHours.stored(row.integer(at: 5)),
            starts: oldest...max(oldest, newest))
    }
}

extension QuantityType {
    /// Whether summaries with this unit and this style are of this type as it is declared.
    func hasSummaries(unit: String?, style: String?) -> Bool {
        canonicalUnit.string == unit && aggregationStyle.rawValue == style
    }
}
