import HealthModel
import SQLite

/// Removes records in small steps, each a short transaction, the oldest first.
///
/// What they refer to (devices, people, units) stays: it is little, and the writer remembers its rows.
final class RecordRemover {
    /// The most records of a step, so that nobody waits for one: it takes a few milliseconds.
    static let stepRows = 1_000

    private let connection: SQLiteConnection
    private let oldestType: SQLiteStatement
    private let oldEvent: SQLiteStatement
    private let removeOldSamples: SQLiteStatement
    private let removeOldEvents: SQLiteStatement
    private let usedBytes: SQLiteStatement
    private let spans: SQLiteStatement
    private let removeFirstSamples: SQLiteStatement
    private let removeFirstEvents: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        oldestType = try connection.prepare(Self.oldestTypeSQL)
        oldEvent = try connection.prepare(Self.oldEventSQL)
        removeOldSamples = try connection.prepare(Self.removeOldSamplesSQL)
        removeOldEvents = try connection.prepare(Self.removeOldEventsSQL)
        usedBytes = try connection.prepare(
            """
            SELECT (all_pages.page_count - free.freelist_count) * size.page_size
            FROM pragma_page_count all_pages, pragma_freelist_count free, pragma_page_size size
            """)
        spans = try connection.prepare(Self.spansSQL)
        removeFirstSamples = try connection.prepare(Self.removeFirst("sample"))
        removeFirstEvents = try connection.prepare(Self.removeFirst("event"))
    }

    /// Removes records in one step; 0 when nothing is beyond the bounds.
    func removeStep(beyond bounds: Retention.Bounds) throws -> Int {
        if let start = bounds.start {
            let removed = try removeStep(before: start.nanosecondsSince1970)
            guard removed == 0 else { return removed }
        }
        guard let bytes = bounds.bytes, try number(usedBytes) > bytes else { return 0 }
        return try connection.transaction { try removeFirst() }
    }

    // MARK: By age

    private func removeStep(before start: Int64) throws -> Int {
        guard try hasEvent(before: start) || oldestType(before: start) != nil else { return 0 }
        return try connection.transaction {
            try removeOldEvents.bind(integer: start, at: 1)
            var removed = try remove(removeOldEvents, limit: Self.stepRows, at: 2)
            while removed < Self.stepRows, let type = try oldestType(before: start) {
                try removeOldSamples.bind(integer: type, at: 1)
                try removeOldSamples.bind(integer: start, at: 2)
                let more = try remove(removeOldSamples, limit: Self.stepRows - removed, at: 3)
                // An index that says otherwise than its table is damaged, and no reason to stay here.
                guard more > 0 else { break }
                removed += more
            }
            return removed
        }
    }

    private func hasEvent(before start: Int64) throws -> Bool {
        defer { oldEvent.reset() }
        try oldEvent.bind(integer: start, at: 1)
        return try oldEvent.step()
    }

    /// The type whose first sample is the oldest of all, when that began before the time.
    private func oldestType(before start: Int64) throws -> Int64? {
        defer { oldestType.reset() }
        try oldestType.bind(integer: start, at: 1)
        return try oldestType.step() ? oldestType.integer(at: 0) : nil
    }

    // MARK: By size

    /// Removes what was stored first, the same part of samples and of events: the two have no common
    /// order but their times, and a wrong clock would decide which of them goes.
    private func removeFirst() throws -> Int {
        let events = try eventsOfAStep()
        try removeFirstEvents.bind(integer: Int64(events), at: 1)
        try removeFirstEvents.run()
        let removed = connection.changes
        return removed
            + (try remove(removeFirstSamples, limit: Self.stepRows - events, at: 1))
    }

    private func eventsOfAStep() throws -> Int {
        defer { spans.reset() }
        guard try spans.step() else { return 0 }
        let (samples, events) = (Double(spans.integer(at: 0)), Double(spans.integer(at: 1)))
        guard events > 0 else { return 0 }
        guard samples > 0 else { return Self.stepRows }
        let part = Double(Self.stepRows) * events / (samples + events)
        return min(max(Int(part), 1), Self.stepRows - 1)
    }

    // MARK: -

    private func remove(_ statement: SQLiteStatement, limit: Int, at index: Int32) throws -> Int {
        try statement.bind(integer: Int64(limit), at: index)
        try statement.run()
        return connection.changes
    }

    private func number(_ statement: SQLiteStatement) throws -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : 0
    }
}

// MARK: - Statements

extension RecordRemover {
    private static let oldestTypeSQL = """
        SELECT id, (SELECT min(start_ns) FROM sample WHERE type = type.id) AS oldest
        FROM type WHERE oldest < ? ORDER BY oldest LIMIT 1
        """

    private static let oldEventSQL = "SELECT 1 FROM event WHERE at_ns < ? LIMIT 1"

    private static let removeOldSamplesSQL = """
        DELETE FROM sample WHERE sequence IN (
            SELECT sequence FROM sample WHERE type = ?1 AND start_ns < ?2
            ORDER BY start_ns LIMIT ?3)
        """

    private static let removeOldEventsSQL = """
        DELETE FROM event WHERE sequence IN (
            SELECT sequence FROM event WHERE at_ns < ?1 ORDER BY at_ns LIMIT ?2)
        """

    private static let spansSQL = "SELECT \(span("sample")), \(span("event"))"

    /// One look at each end of the key, where max - min in one SELECT would read every row.
    private static func span(_ table: String) -> String {
        """
        coalesce((SELECT max(sequence) FROM \(table))
            - (SELECT min(sequence) FROM \(table)) + 1, 0)
        """
    }

    private static func removeFirst(_ table: String) -> String {
        """
        DELETE FROM \(table) WHERE sequence IN (
            SELECT sequence FROM \(table) ORDER BY sequence LIMIT ?)
        """
    }

    /// All that touch the records: each goes by an index, so that a step costs the same in a large file.
    static let statements = [
        oldestTypeSQL, oldEventSQL, removeOldSamplesSQL, removeOldEventsSQL, spansSQL,
        removeFirst("sample"), removeFirst("event"),
    ]
}
