package import GatewayCore
import Glibc
import HealthModel
import Platform
import SQLite

/// The journal's file on SQLite, which mends itself when it is damaged.
package final class SQLiteJournalFile: JournalFile {
    private let path: String
    private let durability: Durability
    private let clock: any GatewayClock
    private let keepFolder: @Sendable () throws -> Void
    /// Nil only when the file could not be opened again after it was mended or was not.
    private var opened: JournalDatabase?
    /// Whether the ledger was lost, and no sinks are registered since.
    private var hasLostLedger = false
    private var reserve: JournalReserve
    /// Whether the last batch found no room.
    private var isFull = false
    private var whereabouts: JournalLocation

    /// What was wrong with the file when it was opened.
    package private(set) var damageAtOpening: JournalDamage?

    /// Opens the journal at a path, or begins one; a damaged one is put aside.
    ///
    /// When the file is removed while it is in use, `keepFolder` sees that its folder is there and nobody
    /// else's before another file is made.
    ///
    /// - Throws: ``SQLiteError`` when the file cannot be used, is not a journal, or is newer than this
    ///   program.
    package init(
        path: String, durability: Durability, clock: any GatewayClock = SystemClock(),
        keepFolder: @escaping @Sendable () throws -> Void = {}
    ) throws {
        self.path = path
        self.durability = durability
        self.clock = clock
        reserve = JournalReserve(besides: path)
        self.keepFolder = keepFolder
        whereabouts = JournalLocation(path, at: clock.now())
        try JournalSalvage.completeSwap(of: path)
        if let problem = Self.flaw(of: path) {
            try salvageAtOpening(because: problem)
            return
        }
        do {
            if !Self.isNamed(path) { try begin() }
            let database = try open()
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

    /// What shows at first sight that the file is damaged.
    private static func flaw(of path: String) -> String? {
        var status = stat()
        // A journal gets its name when something is in it, so somebody has emptied this one.
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
            return "it was emptied"
        }
        return JournalHeader.isSound(path) ? nil : "its header is damaged"
    }

    /// Whether something is at the path, if only a link to what is not there yet.
    private static func isNamed(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Begins a journal, which has its name only when it is one.
    private func begin() throws {
        let draft = "\(path).new"
        for name in [draft, "\(draft)-journal"] { unlink(name) }
        _ = try JournalDatabase(draftAt: draft)
        try JournalSalvage.move(draft, to: path)
    }

    private func open() throws -> JournalDatabase {
        let database = try JournalDatabase(path: path, durability: durability)
        whereabouts = JournalLocation(path, at: clock.now())
        return database
    }

    private func database() throws -> JournalDatabase {
        if let opened { return opened }
        // A salvage may have failed at its last step; without it an empty journal would be begun here.
        try JournalSalvage.completeSwap(of: path)
        let database = try open()
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
            for index in sinks.indices { sinks[index].startPosition = .start }
        }
        try database().register(sinks)
        hasLostLedger = false
    }

    package func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        try whereabouts.lookNowAndThen(at: clock.now())
        guard !batch.isEmpty else {
            // Counts alone need little room.
            return try usingReserve {
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
        return try database.end(published: database.ledger().ingest.published)
    }

    /// On a disk that is full what is removed makes room again.
    package func save(_ sinks: [String: Ledger.Sink]) throws {
        try whereabouts.lookNowAndThen(at: clock.now())
        try usingReserve { try $0.save(sinks) }
        // It is tried again with the next records that are dealt with.
        if isFull { try? usingReserve { try $0.makeRoom() } }
    }

    /// Does what needs little room, with the reserve where there is none.
    private func usingReserve(_ write: (JournalDatabase) throws -> Void) throws {
        do {
            try write(database())
        } catch let error as SQLiteError where error.reason == .full && reserve.giveUp() {
            try write(database())
        }
    }

    package func checkLocation() throws { try whereabouts.look(at: clock.now()) }

    package func fault(of error: any Error) -> JournalFault {
        if error is JournalLocation.Moved { return .damaged }
        guard let error = error as? SQLiteError else { return .other }
        if error.isDamage { return .damaged }
        return error.reason == .full ? .full : .other
    }

    package func repair(keeping ledger: Ledger) throws -> JournalDamage? {
        do {
            try checkLocation()
        } catch {
            return try rescue(keeping: ledger)
        }
        return try salvage(because: "a part of it cannot be read", keeping: ledger)
    }

    private var time: Instant { clock.epoch().instant(at: clock.now()) }

    /// Goes on in a new file at the path with all that is in the one that has lost its name.
    private func rescue(keeping ledger: Ledger) throws -> JournalDamage {
        try keepFolder()
        let rescue = JournalRescue(path: path, time: time)
        let draft = try rescue.copy(database())
        let aside = try rescue.clearPlace(whereabouts)
        // The last reference: the file is closed.
        opened = nil
        try rescue.take(draft)
        opened = try open()
        reserve = JournalReserve(besides: path)
        return JournalDamage(
            problem: "it was removed, moved or replaced while the gateway ran", movedTo: aside,
            kept: ledger.ingest.published - ledger.minimumCursor, missing: 0, keepsLedger: true)
    }

    private func salvage(
        because problem: String, keeping ledger: Ledger?
    ) throws -> JournalDamage {
        // The last reference: the file is closed.
        opened = nil
        let salvage = JournalSalvage(
            path: path, durability: durability, time: time)
        let damage = try salvage.run(because: problem, keeping: ledger)
        opened = try open()
        return damage
    }

    /// The connection, for tests.
    var connection: SQLiteConnection {
        get throws { try database().connection }
    }
}
