package import GatewayCore
import Glibc
import HealthModel
import Platform
import Readings

/// A journal as an append-only log of segments in a folder.
///
/// A commit is one write of frames at the end of the newest segment, whose blocks were allocated when
/// it was made. A segment is written once, and removed when every sink has passed it. While there is no
/// space for another segment, the ledger is written in turns to two places at the end of the newest
/// one, so that sinks can go on and segments can be removed.
package final class LogJournalFile: JournalFile {
    /// How often a segment that is not synchronized with each commit is written to the disk, in seconds.
    static let syncIntervalSeconds = 10.0

    let durability: Durability
    /// Whether every commit waits until it is on the disk.
    package var waitsForDisk: Bool { durability == .powerLoss }
    let clock: any GatewayClock
    private let path: String
    let prepareFolder: @Sendable () throws -> Void
    private let fixedSizes: LogSizes?
    var folder: LogFolder
    var sizes: LogSizes
    var reserve: LogReserve
    /// The random number of the journal, which every frame has.
    let journal: UInt64
    var nextFrame: UInt64
    /// The highest number in a name of the folder.
    var lastName: UInt64
    /// The segments in their order; the last one is ``current`` when that is there.
    var segments: [Segment]
    /// The newest segment, opened for writing; nil when it is damaged or could not be made.
    var current: WritableSegment?
    /// Files that stay open for reading, and to write what was removed again.
    var files = OpenSegments()
    var committed: Ledger
    var next: JournalPlace
    /// Whether the ledger was lost and no sinks have been registered since.
    var hasLostLedger: Bool
    /// The newest segment that is on the disk in any case: it stays, with its ledger.
    var lastSynced: UInt64?
    var lastSync: BootInstant?
    var location: LogLocation
    /// The read errors by segment; see ``read(after:limit:)``.
    var readFailures: [UInt64: Int] = [:]

    /// The damage that was found when the folder was opened.
    package let damageAtOpening: JournalDamage?

    /// Opens the log in a folder, or creates one; what is damaged is left out.
    ///
    /// When the folder is removed while in use, `prepareFolder` checks that the folder above exists and
    /// is private before a new one is created.
    ///
    /// - Throws: ``LogError`` when the folder cannot be used, or a newer version wrote it.
    package init(
        path: String, durability: Durability, clock: any GatewayClock = SystemClock(),
        sizes: LogSizes? = nil, prepareFolder: @escaping @Sendable () throws -> Void = {}
    ) throws {
        self.path = path
        self.durability = durability
        self.clock = clock
        self.prepareFolder = prepareFolder
        fixedSizes = sizes
        let folder = try LogFolder(path: path)
        self.folder = folder
        self.sizes = sizes ?? LogSizes(fileSystem: folder.fileSystemSize)
        reserve = LogReserve(size: self.sizes.reserve, in: folder)
        let contents = try LogContents(folder)
        journal = contents.journal ?? UInt64.random(in: 1...UInt64.max)
        nextFrame = contents.lastNumber + 1
        lastName = try folder.lastName()
        segments = contents.segments
        committed = contents.ledger
        next = contents.end
        hasLostLedger = !contents.hasLedger
        location = LogLocation(at: clock.now())
        for name in contents.unused { folder.remove(LogFolder.name(of: name)) }
        let time = clock.epoch().instant(at: clock.now())
        let movedTo = Self.moveForeign(contents.foreign, from: folder, at: time)
        damageAtOpening = Self.damage(contents, movedTo: movedTo)
        for segment in segments.suffix(OpenSegments.limit) {
            _ = try files.file(of: segment.name, in: folder)
        }
        try begin(contents)
    }

    /// Makes a segment of this run; on a full disk the newest one of the last run is used further.
    private func begin(_ contents: LogContents) throws(LogError) {
        let last = segments.last
        do throws(LogError) {
            try startSegment(holding: 0)
            if contents.isNewestIntact, let last { endSegment(last) }
        } catch {
            guard error.isFull, contents.isNewestIntact, let newest = segments.last else {
                throw error
            }
            let file = try SegmentFile.open(
                LogFolder.name(of: newest.name), in: folder, forWriting: true)
            guard let file else { throw error }
            current = WritableSegment(newest, file: file)
            files.add(file, of: newest.name)
        }
    }

    private static func damage(_ contents: LogContents, movedTo: String?) -> JournalDamage? {
        guard !contents.problems.isEmpty else { return nil }
        let ledger = contents.ledger
        let pending = ledger.ingest.published - ledger.minimumCursor
        return JournalDamage(
            problem: contents.problems.joined(separator: ", "), movedTo: movedTo,
            kept: max(pending - contents.missing, 0),
            missing: contents.isMissingKnown ? contents.missing : nil,
            keepsLedger: contents.hasLedger)
    }

    /// Moves segments that do not belong to this journal out of the way.
    private static func moveForeign(
        _ names: [UInt64], from folder: LogFolder, at time: Instant
    ) -> String? {
        guard !names.isEmpty else { return nil }
        let path = unusedName(beside: folder.path, at: time)
        guard let target = try? LogFolder(path: path) else { return nil }
        for name in names { _ = folder.move(LogFolder.name(of: name), to: target) }
        return path
    }

    /// An unused path such as `journal.damaged-2026-11-21T18:15:00Z`.
    static func unusedName(beside path: String, at time: Instant) -> String {
        SystemCall.unusedPath("\(path).damaged-\(time.description.prefix(19))Z")
    }

    /// The size of its segments and its reserve.
    package var size: Int64 {
        segments.reduce(reserve.isAllocated ? Int64(reserve.size) : 0) { $0 + Int64($1.size) }
    }

    package func ledger() throws -> Ledger { committed }

    /// Registers sinks; one whose cursor was lost with the ledger starts at the oldest record.
    package func register(_ sinks: [JournalSink]) throws {
        var sinks = sinks
        if hasLostLedger {
            for index in sinks.indices { sinks[index].startPosition = .start }
        }
        var ledger = committed
        let oldest = segments.first?.place.first ?? committed.ingest.published
        ledger.register(sinks, oldest: min(oldest, committed.ingest.published))
        // Without a change nothing is written, so that a full disk does not prevent the start.
        guard ledger.sinks != committed.sinks else { return }
        try writeLedger(ledger)
        hasLostLedger = false
    }

    package func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        try checkLocationPeriodically()
        var ledger = committed
        ledger.ingest.add(addition)
        for (name, sink) in sinks where ledger.sinks[name] != nil { ledger.sinks[name] = sink }
        guard !batch.isEmpty else { return try writeLedger(ledger) }
        try write(batch, at: place, ledger, withSinks: !sinks.isEmpty)
    }

    package func end() throws -> JournalPlace { next }

    package func save(_ sinks: [String: Ledger.Sink]) throws {
        try checkLocationPeriodically()
        var ledger = committed
        for (name, sink) in sinks where ledger.sinks[name] != nil { ledger.sinks[name] = sink }
        try writeLedger(ledger)
    }

    package func fault(of error: any Error) -> JournalFault {
        guard let error = error as? LogError else { return .other }
        if error.problem == .moved { return .damaged }
        return error.isFull ? .full : .other
    }
}
