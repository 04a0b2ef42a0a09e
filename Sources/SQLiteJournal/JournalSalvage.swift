import GatewayCore
import Glibc
import HealthModel
import Platform
import SQLite

/// Takes what can be read out of a damaged journal into a new one, and puts the damaged one aside.
///
/// The new file is complete before it takes the place of the old one, so that a crash or a full disk in
/// between changes nothing.
struct JournalSalvage {
    let path: String
    let durability: Durability
    let time: Instant

    /// So many batches are written in one transaction.
    private static let rowsAtOnce = 1_000

    /// Where the new file is made.
    static func draft(of path: String) -> String { "\(path).mending" }

    /// The last step of a salvage that was cut off between the moves; what is left of one that was cut
    /// off before is removed.
    static func completeSwap(of path: String) throws {
        let draft = draft(of: path)
        guard access(path, F_OK) != 0 else {
            unlink(draft)
            return
        }
        guard access(draft, F_OK) == 0 else { return }
        // The log of the damaged file, where that was moved without it: the draft has what it held.
        unlink("\(path)-wal")
        unlink("\(path)-shm")
        try move(draft, to: path)
    }

    /// Mends the journal.
    ///
    /// - Parameter known: The ledger as it is now, when somebody knows.
    func run(because problem: String, keeping known: Ledger?) throws -> JournalDamage {
        let draft = Self.draft(of: path)
        let copy = "\(path).mending-copy"
        let leftovers = ["\(draft)-journal", copy, "\(copy)-wal", "\(copy)-shm"]
        for name in leftovers + [draft] { unlink(name) }
        defer { for name in leftovers { unlink(name) } }
        let aside = Self.freeName(beside: path, at: time)
        let found: Found
        do {
            found = try fill(
                draft, from: DamagedJournal(path: path, copyPath: copy), keeping: known)
            try Self.move(path, to: aside)
        } catch {
            // As long as the journal is there, what is not it must not be taken for it.
            unlink(draft)
            throw error
        }
        if access("\(path)-wal", F_OK) == 0 { try Self.move("\(path)-wal", to: "\(aside)-wal") }
        unlink("\(path)-shm")
        try Self.move(draft, to: path)
        return JournalDamage(
            problem: problem, movedTo: aside, kept: found.kept,
            missing: found.keepsLedger ? max(found.waiting - found.kept, 0) : nil,
            keepsLedger: found.keepsLedger)
    }

    private struct Found {
        var kept: Int64 = 0
        var waiting: Int64 = 0
        var keepsLedger = false
    }

    private func fill(
        _ draft: String, from reader: DamagedJournal, keeping known: Ledger?
    ) throws -> Found {
        let target = try JournalDatabase(draftAt: draft)
        let ledger = known ?? reader.ledger()
        let done = ledger?.minimumCursor ?? 0
        var end = ledger?.ingest.published ?? 0
        var found = Found()
        found.keepsLedger = ledger != nil
        var rows = 0
        try target.connection.execute("BEGIN")
        try reader.forEachBatch(after: done, published: ledger?.ingest.published) { batch in
            guard ledger == nil || batch.end <= end, try target.insertIfNew(batch) else { return }
            found.kept += min(batch.end - done, Int64(batch.lines.count))
            end = max(end, batch.end)
            rows += 1
            if rows % Self.rowsAtOnce == 0 { try target.connection.execute("COMMIT; BEGIN") }
        }
        try target.connection.execute("COMMIT")
        let oldest = try target.place(after: 0, within: JournalBound())?.first ?? end
        let kept = ledger ?? reader.remains(published: end, oldest: oldest)
        found.waiting = kept.ingest.published - (ledger?.minimumCursor ?? oldest)
        try target.begin(with: kept)
        return found
    }

    /// `journal.sqlite.damaged-2026-11-21T18:15:00Z`, or with a number when that is there.
    static func freeName(beside path: String, at time: Instant) -> String {
        let seconds = time.description.prefix(19)
        let name = "\(path).damaged-\(seconds)Z"
        guard access(name, F_OK) == 0 else { return name }
        return (2...1_000).lazy.map { "\(name)-\($0)" }.first { access($0, F_OK) != 0 } ?? name
    }

    static func move(_ source: String, to target: String) throws {
        guard rename(source, target) != 0 else { return }
        let code = errno
        throw SQLiteError(
            reason: code == ENOSPC ? .full : .cannotOpen, operation: "put aside",
            message: SystemCall.message(of: code), path: source)
    }
}

extension JournalDatabase {
    /// Writes the row of a batch, unless there is one.
    fileprivate func insertIfNew(_ batch: JournalRow) throws -> Bool {
        let known = try place(after: batch.place.first, within: JournalBound())
        guard known.map({ $0.first >= batch.end }) ?? true else { return false }
        try insert(batch.lines, at: batch.place)
        return true
    }
}
