import HealthModel
import HealthStatistics
import HourSummaries
import SQLite

/// The origins of samples that are summarised.
struct SummaryOrigins {
    struct Origin {
        /// The row of the origin, the same for all that are one ``SampleOrigin`` of one person.
        let row: Int64
        /// The row of the person; 0 for none.
        let person: Int64
        /// The unit of the values; nil for the canonical unit.
        let unit: Unit?
    }

    private struct Owner: Hashable {
        let origin: SampleOrigin
        let person: Int64
    }

    private let connection: SQLiteConnection
    private let reader: StatisticsReader
    private var origins: [Int64: Origin] = [:]
    private var rows: [Owner: Int64] = [:]

    init(_ connection: SQLiteConnection, _ reader: StatisticsReader) {
        self.connection = connection
        self.reader = reader
    }

    mutating func origin(of row: StatisticsRow) throws -> Origin {
        if let known = origins[row.origin] { return known }
        let stored = try reader.origin(row.origin, ofSample: row.number)
        let owner = Owner(origin: stored.origin, person: try person(ofOrigin: row.origin))
        let first = rows[owner] ?? row.origin
        rows[owner] = first
        let origin = Origin(row: first, person: owner.person, unit: stored.unit)
        origins[row.origin] = origin
        return origin
    }

    private func person(ofOrigin row: Int64) throws -> Int64 {
        let find = try connection.prepare("SELECT coalesce(person, 0) FROM origin WHERE id = ?")
        try find.bind(integer: row, at: 1)
        return try find.step() ? find.integer(at: 0) : 0
    }
}
