import GatewayCore
import Glibc
import HealthModel
import Platform
import SQLite

/// Recovers the intact parts of a corrupt journal into a new file, and keeps the corrupt one as a
/// backup.
///
/// The new file is complete before it replaces the old one, so a crash or a full disk in between
/// changes nothing.
struct JournalRecovery {
    let path: String
    let durability: Durability
    let time: Instant

    /// The number of batches in one transaction.
    private static let rowsPerTransaction = 1_000

    /// The temporary path of the new file.
    static func draft(of path: String) -> String { "\(path).mending" }

    /// Completes a recovery that was interrupted between the renames, or removes the temporary file
    /// of one that was interrupted earlier.
    static func completeReplacement(of path: String) throws {
        let draft = draft(of: path)
        guard access(path, F_OK) != 0 else {
            unlink(draft)
            return
        }
        guard access(draft, F_OK) == 0 else { return }
        // A leftover log of the corrupt file: its content is in the draft already.
        unlink("\(path)-wal")
        unlink("\(path)-shm")
        try move(draft, to: path)
    }

    /// Replaces the journal by a recovered one.
    ///
    /// - Parameter known: The current ledger, when it is in memory.
    func run(because problem: String, keeping known: Ledger?) throws -> JournalDamage {
        let draft = Self.draft(of: path)
        let copy = "\(path).mending-copy"
        let leftovers = ["\(draft)-journal", copy, "\(copy)-wal", "\(copy)-shm"]
        for name in leftovers + [draft] { unlink(name) }
        defer { for name in leftovers { unlink(name) } }
        let backupPath = Self.unusedName(beside: path, at: time)
        let result: RecoveryResult
        do {
            result = try fill(
                draft, from: CorruptJournalReader(path: path, copyPath: copy), keeping: known)
            try Self.move(path, to: backupPath)
        } catch {
            // An incomplete draft must not replace a journal that still exists.
            unlink(draft)
            throw error
        }
        if access("\(path)-wal", F_OK) == 0 {
            try Self.move("\(path)-wal", to: "\(backupPath)-wal")
        }
        unlink("\(path)-shm")
        try Self.move(draft, to: path)
        return JournalDamage(
            problem: problem, movedTo: backupPath, kept: result.recovered,
            missing: result.hasLedger ? max(result.waiting - result.recovered, 0) : nil,
            keepsLedger: result.hasLedger)
    }

    private struct RecoveryResult {
        var recovered: Int64 = 0
        var waiting: Int64 = 0
        var hasLedger = false
    }

    private func fill(
        _ draft: String, from reader: CorruptJournalReader, keeping known: Ledger?
    ) throws -> RecoveryResult {
        let target = try JournalDatabase(draftAt: draft)
        let ledger = known ?? reader.ledger()
        let done = ledger?.minimumCursor ?? 0
        var end = ledger?.ingest.published ?? 0
        var result = RecoveryResult()
        result.hasLedger = ledger != nil
        var rows = 0
        try target.connection.execute("BEGIN")
        try reader.forEachBatch(after: done, published: ledger?.ingest.published) { batch in
            guard ledger == nil || batch.end <= end, try target.insertIfNew(batch) else { return }
            result.recovered += min(batch.end - done, Int64(batch.lines.count))
            end = max(end, batch.end)
            rows += 1
            if rows % Self.rowsPerTransaction == 0 {
                try target.connection.execute("COMMIT; BEGIN")
            }
        }
        try target.connection.execute("COMMIT")
        let oldest = try target.place(after: 0, within: JournalBound())?.first ?? end
        let newLedger = ledger ?? reader.partialLedger(published: end, oldest: oldest)
        result.waiting = newLedger.ingest.published - (ledger?.minimumCursor ?? oldest)
        try target.initialize(with: newLedger)
        return result
    }

    /// An unused path such as `journal.sqlite.damaged-2026-11-21T18:15:00Z`.
    static func unusedName(beside path: String, at time: Instant) -> String {
        SystemCall.unusedPath("\(path).damaged-\(time.description.prefix(19))Z")
    }

    static func move(_ source: String, to target: String) throws {
        guard rename(source, target) != 0 else { return }
        let code = errno
        throw SQLiteError(
            reason: code == ENOSPC ? .full : .cannotOpen, operation: "rename",
            message: SystemCall.message(of: code), path: source)
    }
}

extension JournalDatabase {
    /// Inserts a batch unless it, or one that overlaps it, exists.
    fileprivate func insertIfNew(_ batch: JournalRow) throws -> Bool {
        let known = try place(after: batch.place.first, within: JournalBound())
        guard known.map({ $0.first >= batch.end }) ?? true else { return false }
        try insert(batch.lines, at: batch.place)
        return true
    }
}
