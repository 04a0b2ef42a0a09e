import GatewayCore
import Glibc
import JournalLog
import Platform
import Readings
import SQLiteJournal

/// The journal of earlier versions, an SQLite file, which is taken over once.
///
/// A new log gets its ledger, its cursors and its pending records in a folder with another name. The
/// file is then renamed, and after it the folder. Whatever step a crash follows, the next start
/// continues: only a complete folder is left without the file.
struct EarlierJournal {
    /// What was taken over.
    struct Result: Equatable {
        /// Where the file is now.
        var movedTo: String
        /// The number of pending records.
        var pending: Int64
        /// The damage that was found in it.
        var damage: JournalDamage?
    }

    private let folder: DataDirectory
    private let clock: any GatewayClock

    /// Describes the file in a data directory.
    init(in folder: DataDirectory, clock: any GatewayClock) {
        self.folder = folder
        self.clock = clock
    }

    private var path: String { folder.resolve(DataFiles.earlierJournal) }
    private var log: String { folder.resolve(DataFiles.journal) }
    private var draft: String { folder.resolve(DataFiles.journalDraft) }

    /// Says what the next start of a gateway takes over; nil when there is nothing.
    static func note(in folder: DataDirectory) -> String? {
        let path = folder.resolve(DataFiles.earlierJournal)
        guard Folder.exists(path) else { return nil }
        let pending = JournalInspector.ledger(at: path).map {
            "\($0.ingest.published - $0.minimumCursor) pending records"
        }
        return "the next start takes over \(path), the journal of an earlier version, with "
            + (pending ?? "what can be read of it")
    }

    /// Takes the file over; nil when there is none.
    ///
    /// When there is a log already, an earlier version ran again meanwhile: its pending records are
    /// appended as new ones. After a crash on the way the log ends with some of them; the rest follows.
    func takeOver() throws -> Result? {
        guard Folder.exists(path) else {
            if !Folder.exists(log), Folder.exists(draft) { try rename(draft, to: log) }
            return nil
        }
        var result = Result(movedTo: SystemCall.unusedPath("\(path).taken-over"), pending: 0)
        // The file is closed before it is renamed.
        do {
            let file = try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
            result.damage = file.damageAtOpening
            result.pending = Folder.exists(log) ? try append(file) : try copy(file)
        }
        try rename(path, to: result.movedTo)
        for suffix in ["-wal", "-shm", "-reserve"] { unlink(path + suffix) }
        if !Folder.exists(log) { try rename(draft, to: log) }
        SystemCall.syncDirectory(of: path)
        return result
    }

    /// Small files without a reserve, so that a disk that is almost full has space for them.
    private static let sizes = LogSizes(segment: 256 << 10, reserve: 0)

    /// Makes a log with the ledger and the pending records.
    private func copy(_ file: SQLiteJournalFile) throws -> Int64 {
        // The space that the earlier version kept for a full disk.
        unlink("\(path)-reserve")
        // Of a symbolic link only itself is removed.
        if unlink(draft) != 0 { Folder.remove(draft) }
        let log = try LogJournalFile(
            path: draft, durability: .crash, clock: clock, sizes: Self.sizes)
        let ledger = try file.ledger()
        let start = try file.place(after: ledger.minimumCursor, within: JournalBound())
        try log.adopt(ledger, at: start ?? file.end())
        let count = try forEachBatch(of: file) { try log.adopt($0, at: $1) }
        try log.synchronize()
        return count
    }

    /// Appends the pending records to the log that is there, as new ones.
    private func append(_ file: SQLiteJournalFile) throws -> Int64 {
        let log = try LogJournalFile(path: log, durability: .crash, clock: clock)
        var present = try JournalOverlap(of: file, with: log).count
        let count = try forEachBatch(of: file) { lines, place in
            let skipped = min(present, lines.count)
            present -= skipped
            try append(lines[skipped..<lines.count], at: place, to: log)
        }
        try log.synchronize()
        return count
    }

    private func append(
        _ lines: RecordLines, at place: JournalPlace, to log: LogJournalFile
    ) throws {
        guard !lines.isEmpty else { return }
        var place = place
        let end = try log.end()
        (place.first, place.position) = (end.first, end.position)
        place.time = max(place.time, end.time)
        var addition = Ledger.Ingest()
        addition.published = Int64(lines.count)
        addition.converted = addition.published
        try log.append(lines, addition: addition, at: place, saving: [:])
    }

    /// Calls the body with every batch that a sink needs; returns the number of records.
    private func forEachBatch(
        of file: SQLiteJournalFile, _ body: (RecordLines, JournalPlace) throws -> Void
    ) throws -> Int64 {
        var cursor = try file.ledger().minimumCursor
        var count: Int64 = 0
        while var place = try file.place(after: cursor, within: JournalBound()),
            let slice = try file.read(after: cursor, limit: JournalReadLimit(count: 1))
        {
            cursor = slice.end
            guard !slice.isLost else { continue }
            place.first = slice.start
            try body(slice.lines, place)
            count += slice.count
        }
        return count
    }

    private func rename(_ source: String, to target: String) throws(HostError) {
        guard Glibc.rename(source, target) == 0 else {
            throw .system("rename", source, errno: errno)
        }
    }
}

extension GatewayPlan {
    /// Says that the next start takes over the journal of an earlier version.
    package var takeoverNotes: [String] {
        guard !configuration.isJournalInMemory else { return [] }
        return EarlierJournal.note(in: folder).map { [$0] } ?? []
    }
}
