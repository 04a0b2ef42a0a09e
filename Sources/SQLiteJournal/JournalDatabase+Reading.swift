import GatewayCore
import HealthModel
import SQLite

extension JournalDatabase {
    func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        var builder = JournalSliceBuilder(after: cursor, limit: limit)
        defer { selectBatches.reset() }
        try selectBatches.bind(integer: cursor, at: 1)
        while try selectBatches.step() {
            // A corrupt batch counts as missing.
            guard let batch = JournalRow(selectBatches), batch.end > cursor else { continue }
            guard builder.add(first: batch.place.first, batch.lines) else { break }
        }
        return builder.slice
    }

    func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        defer { selectPlaces.reset() }
        try selectPlaces.bind(integer: cursor, at: 1)
        try selectPlaces.bind(integer: bound.position, at: 2)
        try selectPlaces.bind(integer: bound.time.nanosecondsSince1970, at: 3)
        try selectPlaces.bind(integer: bound.unknownBefore.nanosecondsSince1970, at: 4)
        while try selectPlaces.step() {
            if let place = JournalPlace(selectPlaces) { return place }
        }
        return nil
    }

    /// The place of the next batch, derived from the last one.
    func end(published: Int64) throws -> JournalPlace {
        var end = JournalPlace(
            first: published, position: 0, time: Instant(nanosecondsSince1970: .min))
        let last = try connection.prepare(
            "SELECT first, position, time, length(lines) FROM batch ORDER BY first DESC LIMIT 1")
        try last.forEachRow { row in
            guard let place = JournalPlace(row) else { return }
            end.position = place.position + row.integer(at: 3)
            end.time = place.time
        }
        return end
    }
}

/// A row of the table `batch`.
struct JournalRow {
    let place: JournalPlace
    let lines: RecordLines

    var end: Int64 { place.first + Int64(lines.count) }

    /// Reads the row of `first, count, position, time, checksum, lines`; nil when it is corrupt.
    init?(_ row: SQLiteStatement) {
        guard !row.isNull(at: 5),
            let place = JournalPlace(
                first: row.integer(at: 0), position: row.integer(at: 2), time: row.integer(at: 3))
        else { return nil }
        let count = row.integer(at: 1)
        let checksum = row.isNull(at: 4) ? nil : row.integer(at: 4)
        // Only batches of the first schema version have no checksum, and they have no time either.
        guard checksum != nil || row.integer(at: 3) == 0 else { return nil }
        let bytes = row.withBlob(at: 5) { bytes -> [UInt8]? in
            let isValid =
                checksum.map { $0 == BatchChecksum.checksum(bytes, count: count, at: place) }
                ?? true
            return isValid ? [UInt8](bytes) : nil
        }
        guard let bytes else { return nil }
        let lines = RecordLines(bytes)
        guard Int64(lines.count) == count, count > 0 else { return nil }
        self.place = place
        self.lines = lines
    }
}

extension JournalPlace {
    /// Reads a row that begins with `first, position, time`; nil when a value is out of range.
    fileprivate init?(_ row: SQLiteStatement) {
        self.init(
            first: row.integer(at: 0), position: row.integer(at: 1), time: row.integer(at: 2))
    }

    fileprivate init?(first: Int64, position: Int64, time: Int64) {
        let range = 0...JournalDatabase.numberLimit
        guard range.contains(first), range.contains(position) else { return nil }
        self.init(
            first: first, position: position, time: Instant(nanosecondsSince1970: time))
    }
}
