import HealthModel
import HealthStore
import SQLite

/// Writes batches of records, each in one transaction.
final class RecordWriter {
    let connection: SQLiteConnection
    let sampleRows: SampleRows
    let insertEvent: SQLiteStatement
    let insertCategory: SQLiteStatement
    let correlations: CorrelationStatements
    let insertWorkout: SQLiteStatement
    let versions: RecordVersions
    let links: MemberLinks
    let deletedRecords: DeletedRecords
    let summaryMarks: SummaryMarks
    let changeLog: ChangeLog
    private let importLog: ImportLog
    /// The file whose import stores records; nil otherwise.
    private var importedFile: ImportedFile?
    private let importedPeople: ImportedPeople
    /// The new rows of this transaction; those of samples are in `sampleRows`.
    private var newRows: [RecordKind: [Int64]] = [:]
    /// The records that this transaction has left out, because they were deleted.
    var refused: [RecordKind: [RecordID]] = [:]
    /// The earlier versions that this transaction has removed or left out.
    var replaced: [ChangeLog.Replaced: [RecordID]] = [:]
    /// The number of samples that this transaction has removed.
    var removedSampleCount = 0
    /// The rows of correlations in which this transaction has replaced a sample.
    var changedCorrelations: Set<Int64> = []
    private let now: @Sendable () -> Instant
    private let updateLongestDuration: SQLiteStatement
    private let dataVersion: SQLiteStatement
    /// The version of the file for which the cached rows are right; nil before the first batch.
    private var cachedVersion: Int64?
    let devices: RowIdentifiers<Device>
    let sources: RowIdentifiers<SourceRevision>
    let people: RowIdentifiers<String>
    let types: RowIdentifiers<QuantityType>
    let otherTypes: RowIdentifiers<String>
    private let units: RowIdentifiers<Unit>
    let origins: RowIdentifiers<StoredOrigin>
    /// The duration of the longest sample in nanoseconds, by the row of its type; missing means 0.
    private var longest: [Int64: Int64] = [:]

    /// - Parameter now: The clock that dates replacements.
    init(
        _ connection: SQLiteConnection,
        now: @escaping @Sendable () -> Instant = SQLiteHealthStore.systemTime
    ) throws {
        self.connection = connection
        self.now = now
        sampleRows = try SampleRows(connection)
        insertEvent = try connection.prepare(Self.insertEventSQL)
        insertCategory = try connection.prepare(Self.insertCategorySQL)
        correlations = try CorrelationStatements(connection)
        insertWorkout = try connection.prepare(Self.insertWorkoutSQL)
        versions = try RecordVersions(connection)
        links = MemberLinks(connection)
        deletedRecords = try DeletedRecords(connection)
        summaryMarks = try SummaryMarks(connection)
        changeLog = try ChangeLog(connection)
        importLog = try ImportLog(connection)
        importedPeople = try ImportedPeople(connection)
        updateLongestDuration = try connection.prepare(
            "UPDATE type SET longest_ns = max(longest_ns, ?2) WHERE id = ?1")
        dataVersion = try connection.prepare("PRAGMA data_version")
        devices = try RowIdentifiers(devicesOn: connection)
        sources = try RowIdentifiers(sourcesOn: connection)
        people = try RowIdentifiers(peopleOn: connection)
        types = try RowIdentifiers(of: "type", on: connection) { $0.name }
        otherTypes = try RowIdentifiers(of: "type", on: connection) { $0 }
        units = try RowIdentifiers(of: "unit", on: connection) { $0.string }
        origins = try RowIdentifiers(originsOn: connection) {
            [units, people, devices, sources] origin in
            OriginRow(
                unit: try units.row(of: origin.unit), person: try origin.person.map(people.row),
                device: try origin.device.map(devices.row),
                source: try origin.source.map(sources.row), isEntered: origin.isEntered)
        }
    }

    /// Saves all records or, when it throws, none.
    ///
    /// - Parameters:
    ///   - restoring: Whether deleted records are stored again.
    ///   - file: The file whose import stores the records.
    func save(
        _ records: [Record], restoring: Bool = false, of file: ImportedFile? = nil
    ) throws -> SaveOutcome {
        importedFile = file
        defer { importedFile = nil }
        return try inTransaction {
            if let file { try begin(file, records) }
            var outcome = SaveOutcome()
            var rest = try notDeleted(records, restoring: restoring).inOrderOfRows()[...]
            outcome.deleted = records.count - rest.count
            while !rest.isEmpty { try insertFirst(of: &rest, &outcome) }
            return outcome
        }
    }

    private func begin(_ file: ImportedFile, _ records: [Record]) throws {
        try importedPeople.check(records, row: people.row, path: connection.path)
        try importLog.begin(file)
    }

    /// Saves all records one by one or, when it throws, none; returns what became of each.
    func saveEach(_ records: [Record]) throws -> [SaveResult] {
        try inTransaction {
            let isAnyDeleted = try !deletedRecords.isEmpty()
            return try records.map { record in
                if isAnyDeleted, try isRefused(record) { return .deletedBefore }
                return try insert(record)
            }
        }
    }

    /// Writes in one transaction, with all that belongs to the records.
    private func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try connection.transaction {
                try checkCaches()
                try changeLog.begin()
                let result = try body()
                try sampleRows.count()
                try summaryMarks.write()
                try noteChanges()
                return result
            }
        } catch {
            clearCaches()
            throw error
        }
    }

    /// Notes what this transaction has stored and removed.
    private func noteChanges() throws {
        newRows[.sample] = sampleRows.takeNewHomes()
        for kind in RecordKind.allCases {
            try changeLog.note(stored: newRows[kind] ?? [], of: kind)
        }
        let displaced = sampleRows.takeNewDisplaced()
        removeHomes(of: displaced)
        if let importedFile { try noteImport(of: importedFile) } else { try noteOthers() }
        try importLog.note(displaced, of: .sample, by: importedFile)
        newRows.removeAll(keepingCapacity: true)
        try noteReplaced()
        // Other sinks may have got them again.
        for (kind, ids) in refused { try changeLog.note(removed: ids, of: kind) }
        refused.removeAll()
    }

    /// Notes the earlier versions that this transaction has removed.
    private func noteReplaced() throws {
        // One by one: other rows lie between them.
        for row in changedCorrelations.sorted() {
            try changeLog.note(stored: [row], of: .correlation)
        }
        changedCorrelations.removeAll()
        guard !replaced.isEmpty else { return }
        let time = now()
        for (group, ids) in replaced {
            try changeLog.note(replaced: ids, of: group, at: time)
        }
        replaced.removeAll()
        try sampleRows.count(removed: removedSampleCount)
        removedSampleCount = 0
    }

    /// Removes the homes of new samples that are not there, because another sample is.
    private func removeHomes(of displaced: [RecordID]) {
        for id in displaced {
            let home = SampleRows.home(of: id)
            if let index = newRows[.sample]?.lastIndex(of: home) {
                newRows[.sample]?.remove(at: index)
            }
        }
    }

    /// Notes samples that no import has stored, within the rows of an import.
    private func noteOthers() throws {
        let rows = newRows[.sample] ?? []
        guard let first = rows.min(), let last = rows.max(), try importLog.has(first...last) else {
            return
        }
        try importLog.note(changeLog.runs(of: rows, .sample), of: .sample, by: nil)
    }

    /// Notes what an import has stored in this transaction.
    private func noteImport(of file: ImportedFile) throws {
        for kind in RecordKind.allCases {
            let runs = try changeLog.runs(of: newRows[kind] ?? [], kind)
            try importLog.note(runs, of: kind, by: file)
        }
    }

    /// Clears the caches when another connection has changed the file, as it may have removed rows.
    ///
    /// It replaces the check of foreign keys, which would take a sixth of the time of an insert.
    private func checkCaches() throws {
        defer { dataVersion.reset() }
        let version = try dataVersion.step() ? dataVersion.integer(at: 0) : nil
        if version != cachedVersion { clearCaches() }
        cachedVersion = version
    }

    /// Inserts the first record, or a group of samples, and removes what it has inserted.
    private func insertFirst(
        of records: inout ArraySlice<Record>, _ outcome: inout SaveOutcome
    ) throws {
        let samples = records.prefix(SampleRows.groupCount).prefix { $0.isPlainSample }
        if samples.count == SampleRows.groupCount {
            let stored = try insertGroup(samples)
            outcome.stored += stored
            outcome.alreadyStored += samples.count - stored
            records = records[samples.endIndex...]
        } else if let record = records.popFirst() {
            switch try insert(record) {
            case .stored: outcome.stored += 1
            case .olderVersion:
                outcome.olderVersions += 1
                if importedFile == nil { try noteOlder(record) }
            case .memberConflict: outcome.conflicts.append(record.id)
            default: outcome.alreadyStored += 1
            }
        }
    }

    /// Inserts a record; returns what became of it.
    func insert(_ record: Record) throws -> SaveResult {
        if let version = RecordVersion(record) { return try insert(record, version) }
        return try insertNew(record)
    }

    /// Inserts a record that replaces no other.
    func insertNew(_ record: Record) throws -> SaveResult {
        let isNew: Bool
        switch record {
        case .sample(let sample): isNew = try insert(sample)
        case .category(let sample): isNew = try insert(sample)
        case .correlation(let correlation): return try insert(correlation)
        case .workout(let workout): isNew = try insert(workout)
        case .event(let event): isNew = try insert(event)
        case .deletion: return .deleted
        }
        return isNew ? .stored : .alreadyStored
    }

    /// Notes the row of the last statement; false when it inserted none.
    func noteIfNew(_ kind: RecordKind) -> Bool {
        guard connection.changes > 0 else { return false }
        newRows[kind, default: []].append(connection.lastInsertedRow)
        return true
    }

    /// Updates the longest duration, which queries use to find samples that started before their
    /// span.
    func updateLongest(_ type: Int64, to nanoseconds: Int64) throws {
        guard nanoseconds > 0, nanoseconds > longest[type, default: 0] else { return }
        try updateLongestDuration.bind(integer: type, at: 1)
        try updateLongestDuration.bind(integer: nanoseconds, at: 2)
        try updateLongestDuration.run()
        longest[type] = nanoseconds
    }

    private func clearCaches() {
        devices.removeAll()
        sources.removeAll()
        people.removeAll()
        types.removeAll()
        otherTypes.removeAll()
        units.removeAll()
        origins.removeAll()
        longest.removeAll()
        // Clear the bindings of the record that failed.
        sampleRows.reset()
        insertEvent.reset()
        insertCategory.reset()
        insertWorkout.reset()
        versions.reset()
        links.reset()
        changedCorrelations.removeAll()
        removedSampleCount = 0
        correlations.reset()
        deletedRecords.reset()
        summaryMarks.reset()
        changeLog.reset()
        importLog.reset()
        importedPeople.reset()
        newRows.removeAll()
        replaced.removeAll()
        refused.removeAll()
    }
}
