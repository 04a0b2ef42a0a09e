import HealthModel
import SQLite

/// A row of the table `sample`.
struct SampleRow {
    let id: RecordID
    let type: Int64
    let origin: Int64
    let start: Int64
    let duration: Int64
    let value: Double
    let metadata: String?
}

/// The table of quantity samples: at which number the row of an id is.
///
/// The number, the home of an id, has 39 bits of its time in milliseconds and 17 bits of its hash. So
/// most samples are appended, an id needs no index, and one that is stored already is found by the
/// table itself. When another id has the home, which happens to one of some hundred thousand samples of the
/// same millisecond, the row gets a negative number, and `displaced` has its id.
final class SampleRows {
    /// The number of samples in one statement: SQLite needs about half the time for each sample then.
    static let groupCount = 16
    private static let parameterCount = 8

    private let connection: SQLiteConnection
    private let insertOne: SQLiteStatement
    private let insertGroup: SQLiteStatement
    private let findHome: SQLiteStatement
    private let findDisplaced: SQLiteStatement
    private let lowest: SQLiteStatement
    private let displace: SQLiteStatement
    private let tally: SQLiteStatement
    /// The number of new samples that `tally` does not count yet.
    private var newCount = 0
    /// The numbers of rows that were inserted, and of others between them.
    private(set) var inserted = RowRanges()
    /// The homes of the samples that were inserted by this transaction.
    ///
    /// Of a group that was stored in part it has all, because SQLite only counts the new ones.
    private(set) var newHomes: [Int64] = []

    /// The samples of this transaction that are not at their home, because another one is.
    private(set) var newDisplaced: [RecordID] = []
    private let findAny: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        let places = Array(repeating: "?", count: Self.groupCount).joined(separator: ", ")
        findAny = try connection.prepare(
            "SELECT 1 FROM sample WHERE sequence IN (\(places)) LIMIT 1")
        insertOne = try connection.prepare(Self.insertSQL(1))
        insertGroup = try connection.prepare(Self.insertSQL(Self.groupCount))
        findHome = try connection.prepare("SELECT id FROM sample WHERE sequence = ?")
        findDisplaced = try connection.prepare(Self.findDisplacedSQL)
        lowest = try connection.prepare("SELECT min(sequence) FROM sample")
        displace = try connection.prepare("INSERT OR REPLACE INTO displaced VALUES (?, ?, ?)")
        tally = try connection.prepare("UPDATE tally SET stored = stored + ?")
    }

    /// The number of the row of an id, unless it is displaced.
    static func home(of id: RecordID) -> Int64 {
        let milliseconds = id.high >> 16 & (1 << 39 - 1)
        return Int64(milliseconds << 17 | (id.low ^ id.high) & (1 << 17 - 1))
    }

    /// Inserts a sample; false when its id is stored.
    @discardableResult
    func insert(_ sample: SampleRow) throws -> Bool {
        try bind(sample, at: Self.home(of: sample.id), to: insertOne, from: 1)
        try insertOne.runRetainingBindings()
        if connection.changes > 0 {
            note(Self.home(of: sample.id), of: sample.id)
            return true
        }
        return try insertDisplaced(sample)
    }

    /// Inserts samples that are as many as a group; returns how many were new.
    func insert(group samples: [SampleRow]) throws -> Int {
        var parameter: Int32 = 1
        for sample in samples {
            try bind(sample, at: Self.home(of: sample.id), to: insertGroup, from: parameter)
            parameter += Int32(Self.parameterCount)
        }
        try insertGroup.runRetainingBindings()
        var stored = connection.changes
        for sample in samples { inserted.insert(Self.home(of: sample.id)) }
        if stored > 0 { newHomes += samples.map { Self.home(of: $0.id) } }
        newCount += stored
        guard stored < samples.count else { return stored }
        for sample in samples where try insertDisplaced(sample) { stored += 1 }
        return stored
    }

    /// Inserts samples that are as many as a group, and notes exactly which of them are new; returns how
    /// many.
    func insertExactly(group samples: [SampleRow]) throws -> Int {
        for (place, sample) in zip(Int32(1)..., samples) {
            try findAny.bind(integer: Self.home(of: sample.id), at: place)
        }
        defer { findAny.reset() }
        guard try findAny.step() else { return try insert(group: samples) }
        return try samples.count { try insert($0) }
    }

    /// Adds the new samples to the number of those that were ever stored.
    func count() throws {
        guard newCount > 0 else { return }
        try tally.bind(integer: Int64(newCount), at: 1)
        try tally.run()
        newCount = 0
    }

    /// Counts samples that were removed.
    func count(removed: Int) throws {
        let tally = try connection.prepare("UPDATE tally SET removed = removed + ?")
        try tally.bind(integer: Int64(removed), at: 1)
        try tally.run()
    }

    /// Forgets which rows were inserted.
    func forgetInserted() { inserted = RowRanges() }

    /// Returns the homes of the samples that this transaction has inserted, and forgets them.
    func takeNewHomes() -> [Int64] {
        defer { newHomes.removeAll(keepingCapacity: true) }
        return newHomes
    }

    /// Returns the samples that this transaction has inserted elsewhere than at their homes, and forgets
    /// them.
    func takeNewDisplaced() -> [RecordID] {
        defer { newDisplaced.removeAll() }
        return newDisplaced
    }

    private func note(_ number: Int64, of id: RecordID) {
        inserted.insert(number)
        newHomes.append(Self.home(of: id))
        newCount += 1
    }

    /// Returns the number of the row of an id; nil when there is none.
    func find(_ id: RecordID) throws -> Int64? {
        let home = Self.home(of: id)
        if try self.id(at: home) == id { return home }
        defer { findDisplaced.reset() }
        try findDisplaced.bind(id, at: 1)
        return try findDisplaced.step() ? findDisplaced.integer(at: 0) : nil
    }

    /// Clears the bindings of a record that failed.
    func reset() {
        newCount = 0
        newHomes.removeAll()
        newDisplaced.removeAll()
        for statement in [insertOne, insertGroup, displace, findAny] { statement.reset() }
    }

    /// Inserts a sample whose home another id has; false when its id is stored.
    private func insertDisplaced(_ sample: SampleRow) throws -> Bool {
        guard try find(sample.id) == nil else { return false }
        let (number, isTooLow) = min(try lowestNumber(), 0).subtractingReportingOverflow(1)
        guard !isTooLow else {
            throw SQLiteStoreError.unreadable(
                table: "sample", row: .min, column: "sequence", path: connection.path)
        }
        try bind(sample, at: number, to: insertOne, from: 1)
        try insertOne.runRetainingBindings()
        try displace.bind(sample.id, at: 1)
        try displace.bind(integer: number, at: 2)
        try displace.bind(integer: Self.home(of: sample.id), at: 3)
        try displace.run()
        note(number, of: sample.id)
        newDisplaced.append(sample.id)
        return true
    }

    private func lowestNumber() throws -> Int64 {
        defer { lowest.reset() }
        return try lowest.step() ? lowest.integer(at: 0) : 0
    }

    private func id(at number: Int64) throws -> RecordID? {
        defer { findHome.reset() }
        try findHome.bind(integer: number, at: 1)
        return try findHome.step() ? RecordID(findHome, at: 0) : nil
    }

    private func bind(
        _ sample: SampleRow, at number: Int64, to row: SQLiteStatement, from first: Int32
    ) throws {
        try row.bind(integer: number, at: first)
        try row.bind(sample.id, at: first + 1)
        try row.bind(integer: sample.type, at: first + 2)
        try row.bind(integer: sample.origin, at: first + 3)
        try row.bind(integer: sample.start, at: first + 4)
        try row.bind(integer: sample.duration, at: first + 5)
        try row.bind(real: sample.value, at: first + 6)
        try row.bind(text: sample.metadata, at: first + 7)
    }

    private static let findDisplacedSQL = """
        SELECT sample.sequence FROM displaced
        JOIN sample ON sample.sequence = displaced.sequence AND sample.id = displaced.id
        WHERE displaced.id = ?
        """

    // Only a number that is taken is ignored; any other conflict is an error.
    private static func insertSQL(_ count: Int) -> String {
        let row = "(" + Array(repeating: "?", count: parameterCount).joined(separator: ", ") + ")"
        return """
            INSERT INTO sample (
                sequence, id, type, origin, start_ns, duration_ns, value, metadata
            ) VALUES \(Array(repeating: row, count: count).joined(separator: ", "))
            ON CONFLICT (sequence) DO NOTHING
            """
    }
}
