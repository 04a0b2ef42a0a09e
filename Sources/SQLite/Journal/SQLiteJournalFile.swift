package import GatewayCore
import Glibc

/// The journal's file on SQLite, which mends itself when it is damaged.
package final class SQLiteJournalFile: JournalFile {
    private let path: String
    private let durability: Durability
    private let clock: any GatewayClock
    /// Nil only when the file could not be opened again after it was mended or was not.
    private var opened: JournalDatabase?
    /// Whether the ledger was lost, and no sinks are registered since.
    private var hasLostLedger = false
    private var reserve: JournalReserve
    /// Whether the last batch found no room.
    private var isFull = false

    /// What was wrong with the file when it was opened.
    package private(set) var damageAtOpening: JournalDamage?

    /// Opens the journal at a path, or begins one; a damaged one is put aside.
    ///
    /// - Throws: ``SQLiteError`` when the file cannot be used, is not a journal, or is newer than this
    ///   program.
    package init(
        path: String, durability: Durability, clock: any GatewayClock = SystemClock()
    ) throws {
        self.path = path
        self.durability = durability
        self.clock = clock
        reserve = JournalReserve(besides: path)
        try JournalSalvage.completeSwap(of: path)
        guard JournalHeader.isSound(path) else {
            try salvageAtOpening(because: "its header is damaged")
            return
        }
        do {
            let database = try JournalDatabase(path: path, durability: durability)
            // It is read once, so that damage shows now.
            _ = try database.ledger()
            opened = database
        } catch let error as SQLiteError where error.isDamage {
            try salvageAtOpening(because: error.message)
        }
    }

    private func salvageAtOpening(because problem: String) throws {
        let damage = try salvage(because: problem, keeping: nil)
        damageAtOpening = damage
        hasLostLedger = !damage.keepsLedger
    }

    private func database() throws -> JournalDatabase {
        if let opened { return opened }
        // A salvage may have failed at its last step; without it an empty journal would be begun here.
        try JournalSalvage.completeSwap(of: path)
        let database = try JournalDatabase(path: path, durability: durability)
        opened = database
        return database
    }

    /// The file and its log.
    package var size: Int64 {
        [path, "\(path)-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    package func ledger() throws -> Ledger { try database().ledger() }

    /// A sink whose cursor was lost with the ledger begins at the oldest record there is.
    package func register(_ sinks: [JournalSink]) throws {
        var sinks = sinks
        if hasLostLedger {
            for index in sinks.indices { sinks[index].begins = .start }
        }
        try database().register(sinks)
        hasLostLedger = false
    }

    package func append(
        _ batch: RecordLines, addition: Ledger.Intake, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        do {
            try database().append(batch, addition: addition, at: place, saving: sinks)
        } catch let error as SQLiteError where error.reason == .full {
            isFull = true
            throw error
        }
        isFull = false
        reserve.take()
    }

    package func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        try database().read(after: cursor, limit: limit)
    }

    package func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        try database().place(after: cursor, within: bound)
    }

    package func end() throws -> JournalPlace {
        let database = try database()
        return try database.end(published: database.ledger().intake.published)
    }

    /// On a disk that is full what is removed makes room again.
    package func save(_ sinks: [String: Ledger.Sink]) throws {
        try usingReserve { try $0.save(sinks) }
        // It is tried again with the next records that are dealt with.
        if isFull { try? usingReserve { try $0.makeRoom() } }
    }

    private func usingReserve(_ write: (JournalDatabase) throws -> Void) throws {
        do {
            try write(database())
        } catch let error as SQLiteError where error.reason == .full && reserve.giveUp() {
            try write(database())
        }
    }

    package func fault(of error: any Error) -> JournalFault {
        guard let error = error as? SQLiteError else { return .other }
        if error.isDamage { return .damaged }
        return error.reason == .full ? .full : .other
    }

    package func repair(keeping ledger: Ledger) throws -> JournalDamage? {
        try salvage(because: "a part of it cannot be read", keeping: ledger)
    }

    private func salvage(
        because problem: String, keeping ledger: Ledger?
    ) throws -> JournalDamage {
        // The last reference: the file is closed.
        opened = nil
        let salvage = JournalSalvage(
            path: path, durability: durability, time: clock.epoch().instant(at: clock.now()))
        let damage = try salvage.run(because: problem, keeping: ledger)
        opened = try JournalDatabase(path: path, durability: durability)
        return damage
    }

    /// The connection, for tests.
    var connection: SQLiteConnection {
        get throws { try database().connection }
    }
}
