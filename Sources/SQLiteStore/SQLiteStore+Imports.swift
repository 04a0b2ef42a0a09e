package import HealthModel
package import HealthStore
import SQLite

extension SQLiteStore {
    /// Notes what an import stores through a gateway: samples, of which the store has some already, and
    /// perhaps a workout.
    ///
    /// - Parameters:
    ///   - added: The samples that the import stores.
    ///   - all: All samples of the file.
    ///   - workout: The workout, if it is new.
    package func note(
        _ added: some Sequence<RecordID> & Sendable, among all: some Sequence<RecordID> & Sendable,
        workout: RecordID?, by file: ImportedFile
    ) throws {
        let rows = Self.rows(of: all)
        // Parts of what is in the file.
        let others = added.filter { !Self.contains(rows, SampleRows.home(of: $0)) }
        try connection.transaction {
            let changes = try ChangeLog(connection)
            let runs = try RowRuns(of: Self.rows(of: added), among: rows) {
                try !changes.hasRow(between: $0, $1)
            }
            let log = try ImportLog(connection)
            try log.begin(file)
            try log.note(delivered: runs, by: file)
            try log.note(others, of: .sample, by: file)
            try log.note(workout.map { [$0] } ?? [], of: .workout, by: file)
        }
    }

    /// The rows of samples, sorted.
    private static func rows(of ids: some Sequence<RecordID>) -> [Int64] {
        var rows = ids.map { SampleRows.home(of: $0) }
        rows.sort()
        return rows
    }

    private static func contains(_ rows: [Int64], _ row: Int64) -> Bool {
        var (first, end) = (0, rows.count)
        while first < end {
            let middle = (first + end) / 2
            if rows[middle] < row { first = middle + 1 } else { end = middle }
        }
        return first < rows.count && rows[first] == row
    }

    /// Whether the import of a file is known, also when it has stored nothing.
    package func knows(_ file: ImportedFile) throws -> Bool {
        guard try connection.userVersion >= Schema.importVersion else { return false }
        return try ImportLog(connection).isKnown(file)
    }

    /// The import that has stored a workout last; nil when none has.
    func importer(of workout: RecordID) throws -> ImportedFile? {
        guard let row = try DeletionRows(connection, .workout).find(workout)?.position.row else {
            return nil
        }
        let key = try ImportedRows(connection, .workout).imports(of: [(row, workout)]).first
        return key?.flatMap { $0 == 0 ? nil : ImportedFile(key: $0) }
    }

    /// The ids of records that the import of a file has noted one by one.
    package func noted(_ kind: RecordKind, by file: ImportedFile) throws -> [RecordID] {
        try ImportedRows(connection, kind).noted().filter { $0.value.file == file.key }
            .map(\.key)
    }

    /// Which of some records are in the store, and which of these the import of a file has stored, unless
    /// another import has stored them again since.
    package func stored(
        _ ids: [RecordID], _ kind: RecordKind, by file: ImportedFile
    ) throws -> (own: [RecordID], count: Int) {
        let rows = DeletionRows(connection, kind)
        var found: [(row: Int64, id: RecordID)] = []
        for id in Set(ids) {
            if let row = try rows.find(id)?.position.row { found.append((row, id)) }
        }
        guard try connection.userVersion >= Schema.importVersion else { return ([], found.count) }
        let imports = try ImportedRows(connection, kind).imports(of: found)
        let own = zip(found, imports).filter { $0.1 == file.key }
        return (own.map(\.0.id), found.count)
    }
}

/// Reads which import has stored a row.
private struct ImportedRows {
    /// A note that has a record.
    struct Note {
        let number: Int64
        /// The key of the file; 0 for none.
        let file: Int64
    }

    private let connection: SQLiteConnection
    private let kind: RecordKind

    init(_ connection: SQLiteConnection, _ kind: RecordKind) throws {
        self.connection = connection
        self.kind = kind
    }

    /// The last import of each row; nil for rows of none.
    func imports(of rows: [(row: Int64, id: RecordID)]) throws -> [Int64?] {
        let notes = try notes(of: rows, kind.rawValue)
        let noted = try noted()
        let delivered =
            kind == .sample ? try self.notes(of: rows, ImportLog.delivered) : notes.map { _ in nil }
        return rows.indices.map { index in
            let own = noted[rows[index].id]
            let last =
                own?.number ?? 0 > notes[index]?.number ?? 0 ? own : notes[index]
            if let last, last.file != 0 { return last.file }
            // A gateway has stored what an import delivered.
            return own.flatMap { $0.file == 0 ? nil : $0.file } ?? delivered[index]?.file
        }
    }

    /// The last note of a kind that has each row.
    private func notes(of rows: [(row: Int64, id: RecordID)], _ kind: Int64) throws -> [Note?] {
        var notes = [Note?](repeating: nil, count: rows.count)
        let order = rows.indices.sorted { rows[$0].row < rows[$1].row }
        guard let first = order.first, let last = order.last else { return [] }
        let find = try connection.prepare(
            """
            SELECT number, import, content FROM imported
            WHERE kind = ?1 AND first <= ?2 AND last >= ?3 ORDER BY number
            """)
        try find.bind(integer: kind, at: 1)
        try find.bind(integer: rows[last].row, at: 2)
        try find.bind(integer: rows[first].row, at: 3)
        try find.forEachRow { row in
            guard let runs = row.withBlob(at: 2, { RowRuns($0) }) else { throw unreadable(row) }
            let note = Note(number: row.integer(at: 0), file: row.integer(at: 1))
            var next = order.startIndex
            for run in runs.runs {
                while next < order.endIndex, rows[order[next]].row < run.lowerBound { next += 1 }
                while next < order.endIndex, rows[order[next]].row <= run.upperBound {
                    notes[order[next]] = note
                    next += 1
                }
            }
        }
        return notes
    }

    /// The last note of each record that is noted by its id.
    func noted() throws -> [RecordID: Note] {
        guard try connection.userVersion >= Schema.importVersion else { return [:] }
        let find = try connection.prepare(
            "SELECT number, import, content FROM imported WHERE kind = ? ORDER BY number")
        try find.bind(integer: -kind.rawValue, at: 1)
        var notes: [RecordID: Note] = [:]
        try find.forEachRow { note in
            let last = Note(number: note.integer(at: 0), file: note.integer(at: 1))
            let ids = note.withBlob(at: 2) { bytes in
                stride(from: 0, to: bytes.count, by: 16).map {
                    RecordID(bytes: bytes[$0..<min($0 + 16, bytes.count)])
                }
            }
            for id in ids {
                guard let id else { throw unreadable(note) }
                notes[id] = last
            }
        }
        return notes
    }

    private func unreadable(_ note: SQLiteStatement) -> SQLiteStoreError {
        .unreadable(
            table: "imported", row: note.integer(at: 0), column: "content", path: connection.path)
    }
}
