import HealthModel
import HealthStatistics
import HourSummaries
import SQLite

/// A row of the table `summary`.
extension SummaryRow {
    // MARK: Reading

    static let columns = """
        hour, person, origin, started, started_mean, continued, continued_mean, latest,
        latest_start_ns, latest_end_ns, covered_ns, sum, minimum, maximum, integral, seconds, energy
        """

    /// Reads the columns of ``columns``.
    init(_ row: SQLiteStatement) {
        var part = StatisticsPart()
        part.started = Self.readings(row, at: 3)
        part.continued = Self.readings(row, at: 5)
        if !row.isNull(at: 7) {
            let start = Instant(nanosecondsSince1970: row.integer(at: 8))
            let end = Instant(nanosecondsSince1970: row.integer(at: 9))
            part.latest = StatisticsPart.Latest(
                key: row.integer(at: 7), span: start..<max(start, end))
        }
        part.covered = row.integer(at: 10)
        part.sum = row.real(at: 11)
        if !row.isNull(at: 12) {
            part.minimum = row.real(at: 12)
            part.maximum = row.real(at: 13)
            part.integral = row.real(at: 14)
            part.seconds = row.real(at: 15)
            part.energy = row.real(at: 16)
        }
        self.init(
            hour: SummaryHours.stored(row.integer(at: 0)),
            scope: SummaryScope(person: row.integer(at: 1), origin: row.integer(at: 2)),
            part: part)
    }

    private static func readings(
        _ row: SQLiteStatement, at column: Int32
    ) -> StatisticsPart.Readings {
        // The bounds keep the sum of all rows of a damaged file within the range of an integer.
        StatisticsPart.Readings(
            count: Int(min(max(0, row.integer(at: column)), Int64(UInt32.max))),
            mean: row.real(at: column + 1))
    }

    // MARK: Writing

    static let insertSQL = """
        INSERT INTO summary (type, \(columns))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Inserts the row with ``insertSQL``.
    func insert(type: Int64, isCumulative: Bool, with statement: SQLiteStatement) throws {
        let (person, origin) = scope.columns
        let latest = part.latest
        let integers: [(Int32, Int64?)] = [
            (1, type), (2, hour), (3, person), (4, origin), (5, Int64(part.started.count)),
            (7, Int64(part.continued.count)), (9, latest?.key),
            (10, latest?.span.lowerBound.nanosecondsSince1970),
            (11, latest?.span.upperBound.nanosecondsSince1970), (12, part.covered),
        ]
        for (index, value) in integers { try statement.bind(integer: value, at: index) }
        try statement.bind(real: isCumulative ? part.sum : nil, at: 13)
        let reals: [(Int32, Double)] = [
            (6, part.started.mean), (8, part.continued.mean), (14, part.minimum),
            (15, part.maximum), (16, part.integral), (17, part.seconds), (18, part.energy),
        ]
        for (index, value) in reals {
            try statement.bind(real: isCumulative ? nil : value, at: index)
        }
        try statement.run()
    }
}
