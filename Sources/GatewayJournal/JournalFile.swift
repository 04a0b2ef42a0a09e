public import HealthModel

/// The storage of a journal: committed batches, cursors and the ledger.
///
/// Every method that writes is one transaction, which survives a crash of the process unless the
/// file ``isVolatile``. One ``Journal`` calls it, one call at a time.
public protocol JournalFile {
    /// Whether its content ends with the process.
    var isVolatile: Bool { get }

    /// Whether every transaction waits for the disk.
    var waitsForDisk: Bool { get }

    /// Its size in bytes.
    var size: Int64 { get }

    /// How much it keeps for a sink that has not verified it, in bytes.
    var unverifiedBytes: Int64 { get }

    /// The corruption that was repaired when it was opened; nil if there was none.
    var damageAtOpening: JournalDamage? { get }

    /// Reads the last committed ledger.
    func ledger() throws -> Ledger

    /// Replaces the registered sinks.
    ///
    /// A new sink adopts the cursor of its previous name, or starts at its start position. Batches
    /// that no sink needs are removed.
    func register(_ sinks: [JournalSink]) throws

    /// Appends a batch, adds to the ledger, and saves cursors.
    ///
    /// - Parameters:
    ///   - batch: The records, as many as `published` in the addition; may be empty.
    ///   - addition: The counts to add to the ledger.
    ///   - place: The place of the batch; its first record is the next one of the ledger.
    ///   - sinks: The sinks to save as ``save(_:)`` does.
    func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws

    /// Reads whole batches after a cursor until there is at least one record and a limit is
    /// reached.
    ///
    /// - Returns: Nil if no batch follows.
    func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice?

    /// Returns the place of the first batch within `bound` that has a record after a cursor; nil if
    /// there is none.
    func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace?

    /// Returns the place of the next batch: after the last one, and not before its time.
    func end() throws -> JournalPlace

    /// Saves the ledger entries of some sinks by name, and removes batches that no sink needs:
    /// all have handled and, if they do, verified them.
    func save(_ sinks: [String: Ledger.Sink]) throws

    /// Checks that the file is still at the path where it was opened.
    ///
    /// - Throws: An error whose fault is `damaged` if it is not.
    func checkLocation() throws

    /// Prepares the file for the next run; the journal ends, and nothing is written after it.
    func close()

    /// Classifies an error that one of the other methods threw.
    func fault(of error: any Error) -> JournalFault

    /// Moves the corrupt file aside and continues with a new one that has all readable records.
    ///
    /// - Parameter ledger: The current ledger, with unsaved changes; it is stored in the new file.
    /// - Returns: The result; nil if there is no file to move aside.
    func repair(keeping ledger: Ledger) throws -> JournalDamage?
}

extension JournalFile {
    /// False: most files are persistent.
    public var isVolatile: Bool { false }
    /// True: most files wait.
    public var waitsForDisk: Bool { true }
    /// 1 MiB, which memory has in any case.
    public var unverifiedBytes: Int64 { 1 << 20 }
    /// Nil: no corruption.
    public var damageAtOpening: JournalDamage? { nil }
    /// Does nothing: a file without a path cannot be moved.
    public func checkLocation() throws {}
    /// Does nothing.
    public func close() {}
    /// Returns ``JournalFault/other``.
    public func fault(of error: any Error) -> JournalFault { .other }
    /// Returns nil: there is no file to move aside.
    public func repair(keeping ledger: Ledger) throws -> JournalDamage? { nil }
}

/// The kinds of errors of a journal file.
public enum JournalFault: Sendable {
    /// The disk is full; may succeed when space is available again.
    case full
    /// The file is corrupt.
    case damaged
    /// Any other error; may succeed later.
    case other
}

/// A corruption of the journal and the result of its repair.
public struct JournalDamage: Sendable, Equatable, CustomStringConvertible {
    /// The problem as text.
    public let problem: String
    /// The new path of the corrupt file; nil if it no longer exists.
    public let movedTo: String?
    /// The number of recovered records.
    public let kept: Int64
    /// The number of lost records; nil if unknown because the ledger is lost.
    public let missing: Int64?
    /// Whether the ledger was recovered; otherwise it starts with the recovered records.
    public let keepsLedger: Bool

    /// Describes a corruption.
    public init(
        problem: String, movedTo: String?, kept: Int64, missing: Int64?, keepsLedger: Bool
    ) {
        self.problem = problem
        self.movedTo = movedTo
        self.kept = kept
        self.missing = missing
        self.keepsLedger = keepsLedger
    }

    /// The problem and the result as one line.
    public var description: String {
        let place = movedTo.map { "; moved to \($0)" } ?? ""
        let loss = missing.map { "\($0) pending records lost" } ?? "unknown number of records lost"
        return "\(problem)\(place); \(kept) records recovered, \(loss), "
            + (keepsLedger ? "ledger and cursors recovered" : "ledger reset")
    }
}

/// The limits of one read from the journal, which only the first batch may exceed.
public struct JournalReadLimit: Sendable, Hashable {
    /// The maximum number of records.
    public var count: Int
    /// The maximum number of bytes.
    public var bytes: Int64

    /// Makes a limit.
    public init(count: Int, bytes: Int64 = .max) {
        self.count = count
        self.bytes = bytes
    }
}

/// The place of a batch in the journal.
public struct JournalPlace: Sendable, Hashable {
    /// The number of records published before it.
    public var first: Int64
    /// The number of bytes of lines before it.
    public var position: Int64
    /// When it was committed.
    public var time: Instant

    /// Makes a place.
    public init(first: Int64, position: Int64, time: Instant) {
        self.first = first
        self.position = position
        self.time = time
    }
}

/// The lower bound of the batches that a sink may still get.
public struct JournalBound: Sendable, Hashable {
    /// The lowest byte position.
    public var position: Int64 = .min
    /// The earliest commit time.
    public var time = Instant(nanosecondsSince1970: .min)
    /// Earlier times come from a clock that was not set and have no known age.
    public var unknownBefore = Instant(nanosecondsSince1970: .min)

    /// Makes a bound that admits everything.
    public init() {}

    /// Whether a batch at this place is within the bound.
    public func admits(_ place: JournalPlace) -> Bool {
        place.position >= position && (place.time >= time || place.time < unknownBefore)
    }
}
