package import GatewayCore
import Glibc
import HealthModel
import Platform
import Readings
import SQLite

/// A journal in an SQLite file, which is recovered automatically when it is corrupt.
package final class SQLiteJournalFile: JournalFile {
    private let path: String
    private let durability: Durability
    private let clock: any GatewayClock
    private let prepareFolder: @Sendable () throws -> Void
    /// Nil only when the file could not be reopened after a recovery.
    private var opened: JournalDatabase?
    /// Whether the ledger was lost and no sinks have been registered since.
    private var hasLostLedger = false
    private var reserve: JournalReserve
    /// Whether the last append failed because of a full disk.
    private var isFull = false
    private var location: JournalLocation

    /// The damage that was found and repaired when the file was opened.
    package private(set) var damageAtOpening: JournalDamage?

    /// Opens the journal at a path, or creates one; a corrupt one is recovered and kept as a
    /// backup.
    ///
    /// When the file is removed while in use, `prepareFolder` checks that its folder exists and is
    /// private before a new file is created.
    ///
    /// - Throws: ``SQLiteError`` when the file cannot be used, is not a journal, or has a newer
    ///   schema
    ///   version.
    package init(
        path: String, durability: Durability, clock: any GatewayClock = SystemClock(),
        prepareFolder: @escaping @Sendable () throws -> Void = {}
    ) throws {
        self.path = path
        self.durability = durability
        self.clock = clock
        reserve = JournalReserve(besides: path)
        self.prepareFolder = prepareFolder
        location = JournalLocation(path, at: clock.now())
        try JournalRecovery.completeReplacement(of: path)
        if let problem = Self.visibleCorruption(of: path) {
            try recoverAtOpening(because: problem)
            return
        }
        do {
            if !Self.exists(path) { try create() }
            let database = try open()
            // Reading the ledger detects corruption now.
            _ = try database.ledger()
            opened = database
        } catch let error as SQLiteError where error.isCorruption {
            try recoverAtOpening(because: error.message)
        }
    }

    private func recoverAtOpening(because problem: String) throws {
        let damage = try recover(because: problem, keeping: nil)
        damageAtOpening = damage
        hasLostLedger = !damage.keepsLedger
    }

    /// The corruption that is visible without opening the database; nil when there is none.
    private static func visibleCorruption(of path: String) -> String? {
        var status = stat()
        // A new journal is renamed to its path when complete, so an empty one was truncated.
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
            return "the file is empty"
        }
        return JournalHeader.isValid(path) ? nil : "the file header is corrupt"
    }

    /// Whether the path exists, including a symbolic link without a target.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Creates a journal at a temporary path and moves it to its path when complete.
    private func create() throws {
        let draft = "\(path).new"
        for name in [draft, "\(draft)-journal"] { unlink(name) }
        _ = try JournalDatabase(draftAt: draft)
        try JournalRecovery.move(draft, to: path)
    }

    private func open() throws -> JournalDatabase {
        let database = try JournalDatabase(path: path, durability: durability)
        location = JournalLocation(path, at: clock.now())
        return database
    }

    private func database() throws -> JournalDatabase {
        if let opened { return opened }
        // The last step of a recovery may have failed; without it an empty journal would be
        // created.
        try JournalRecovery.completeReplacement(of: path)
        let database = try open()
        opened = database
        return database
    }

    /// The size of the file and its log.
    package var size: Int64 {
        [path, "\(path)-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    package func ledger() throws -> Ledger { try database().ledger() }

    /// Registers sinks; one whose cursor was lost with the ledger starts at the oldest record.
    package func register(_ sinks: [JournalSink]) throws {
        var sinks = sinks
        if hasLostLedger {
            for index in sinks.indices { sinks[index].startPosition = .start }
        }
        try database().register(sinks)
        hasLostLedger = false
    }

    package func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        try location.checkPeriodically(at: clock.now())
        guard !batch.isEmpty else {
            // Counters alone need little space.
            return try withReserve {
                try $0.append(batch, addition: addition, at: place, saving: sinks)
            }
        }
        do {
            try database().append(batch, addition: addition, at: place, saving: sinks)
        } catch let error as SQLiteError where error.reason == .full {
            isFull = true
            throw error
        }
        isFull = false
        reserve.allocate()
    }

    package func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        try database().read(after: cursor, limit: limit)
    }

    package func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        try database().place(after: cursor, within: bound)
    }

    package func end() throws -> JournalPlace {
        let database = try database()
        return try database.end(published: database.ledger().ingest.published)
    }

    /// Saves cursors; on a full disk the space of removed batches is returned to the file system.
    package func save(_ sinks: [String: Ledger.Sink]) throws {
        try location.checkPeriodically(at: clock.now())
        try withReserve { try $0.save(sinks) }
        // Retried with the next saved cursor.
        if isFull { try? withReserve { try $0.reclaimSpace() } }
    }

    /// Runs a small write, and releases the reserve when the disk is full.
    private func withReserve(_ write: (JournalDatabase) throws -> Void) throws {
        do {
            try write(database())
        } catch let error as SQLiteError where error.reason == .full && reserve.release() {
            try write(database())
        }
    }

    package func checkLocation() throws { try location.check(at: clock.now()) }

    package func fault(of error: any Error) -> JournalFault {
        if error is JournalLocation.Moved { return .damaged }
        guard let error = error as? SQLiteError else { return .other }
        if error.isCorruption { return .damaged }
        return error.reason == .full ? .full : .other
    }

    package func repair(keeping ledger: Ledger) throws -> JournalDamage? {
        do {
            try checkLocation()
        } catch {
            return try restore(keeping: ledger)
        }
        return try recover(because: "a part of the file is unreadable", keeping: ledger)
    }

    private var time: Instant { clock.epoch().instant(at: clock.now()) }

    /// Continues in a copy at the path after the open file was removed or moved.
    private func restore(keeping ledger: Ledger) throws -> JournalDamage {
        try prepareFolder()
        let restoration = JournalRestoration(path: path, time: time)
        let draft = try restoration.copy(database())
        let backupPath = try restoration.clearPath(location)
        // This releases the last reference, which closes the file.
        opened = nil
        try restoration.install(draft)
        opened = try open()
        reserve = JournalReserve(besides: path)
        return JournalDamage(
            problem: "the file was removed, moved or replaced while in use", movedTo: backupPath,
            kept: ledger.ingest.published - ledger.minimumCursor, missing: 0, keepsLedger: true)
    }

    private func recover(
        because problem: String, keeping ledger: Ledger?
    ) throws -> JournalDamage {
        // This releases the last reference, which closes the file.
        opened = nil
        let recovery = JournalRecovery(
            path: path, durability: durability, time: time)
        let damage = try recovery.run(because: problem, keeping: ledger)
        opened = try open()
        return damage
    }

    /// The connection, for tests.
    var connection: SQLiteConnection {
        get throws { try database().connection }
    }
}
