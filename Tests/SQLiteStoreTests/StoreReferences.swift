import HealthModel
import HealthStore
import SQLite

@testable import SQLiteStore

extension StoreCheck {
    /// Finds rows that refer to missing ones, and deleted records that are stored nevertheless, in a store
    /// of the present version.
    ///
    /// The gateway does not stop for them: every other record is whole.
    ///
    /// - Returns: One sentence for each kind of finding, with the number of rows.
    func references() throws -> [String] {
        let connection = try SQLiteStore.reader(path, access: .readOnly)
        var findings: [String] = []
        for (text, sql) in Self.conditions {
            let count = try connection.prepare("SELECT count(*) FROM \(sql)")
            guard try count.step(), count.integer(at: 0) > 0 else { continue }
            findings.append("\(text): \(count.integer(at: 0))")
        }
        let stored = try deletedButStored(connection)
        if stored > 0 { findings.append("deleted records that are stored: \(stored)") }
        return findings
    }

    private static let conditions = [
        (
            "displaced ids without a sample",
            """
            displaced WHERE NOT EXISTS (
                SELECT 1 FROM sample
                WHERE sample.sequence = displaced.sequence AND sample.id = displaced.id)
            """
        ),
        (
            "negative numbers of samples that are not displaced",
            """
            sample WHERE sequence < 0 AND NOT EXISTS (
                SELECT 1 FROM displaced WHERE displaced.sequence = sample.sequence)
            """
        ),
        (
            "members without a correlation",
            "member WHERE correlation NOT IN (SELECT sequence FROM correlation)"
        ),
        (
            "members without a sample",
            """
            member WHERE sample IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM sample WHERE sequence = member.sample)
                OR category IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM category WHERE sequence = member.category)
            """
        ),
        (
            "members that are linked twice",
            """
            (SELECT 1 FROM member GROUP BY correlation, sample, category HAVING count(*) > 1)
            """
        ),
        (
            "versions without a record",
            """
            version WHERE id NOT IN (
                SELECT id FROM sample UNION ALL SELECT id FROM category
                UNION ALL SELECT id FROM correlation UNION ALL SELECT id FROM workout)
            """
        ),
        (
            "a wrong number of removed samples",
            "tally WHERE stored - removed <> (SELECT count(*) FROM sample)"
        ),
        (
            "samples without an origin",
            "sample WHERE origin NOT IN (SELECT id FROM origin)"
        ),
        (
            "origins of a missing person",
            "origin WHERE person IS NOT NULL AND person NOT IN (SELECT id FROM person)"
        ),
    ]

    private func deletedButStored(_ connection: SQLiteConnection) throws -> Int {
        let rows = try connection.prepare("SELECT id, kind FROM deletion")
        var count = 0
        try rows.forEachRow { row in
            guard let id = RecordID(row, at: 0), let kind = RecordKind(rawValue: row.integer(at: 1))
            else { return count += 1 }
            if try DeletionRows(connection, kind).find(id) != nil { count += 1 }
        }
        return count
    }
}
