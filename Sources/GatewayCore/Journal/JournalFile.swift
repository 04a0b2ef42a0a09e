public import HealthModel

/// A place where committed batches, cursors and the ledger are kept together.
///
/// Every method that writes is one transaction: it has happened entirely or not at all when it throws,
/// and what has happened survives the death of the process, unless the file ``isVolatile``. One
/// ``Journal`` calls it, one call at a time.
public protocol JournalFile {
    /// Whether it is gone with the process.
    var isVolatile: Bool { get }

    /// How much room it takes, in bytes.
    var size: Int64 { get }

    /// What was wrong with it when it was opened, and is mended; nil when nothing was.
    var damageAtOpening: JournalDamage? { get }

    /// Reads the ledger as it was last committed.
    func ledger() throws -> Ledger

    /// Makes these sinks, and no others, take part from now on.
    ///
    /// A sink that is not known takes over the cursor of its former name, or starts where it wants to
    /// begin. Batches that no sink wants any more are removed.
    func register(_ sinks: [JournalSink]) throws

    /// Appends a batch, adds to the ledger, and saves how far sinks have come.
    ///
    /// - Parameters:
    ///   - batch: The records, as many as were `published` in the addition; there may be none.
    ///   - addition: What is added to the ledger.
    ///   - place: Where the batch stands; its first record is the one that the ledger counts next.
    ///   - sinks: What is saved as ``save(_:)`` does.
    func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws

    /// Reads what follows a cursor, by whole batches, until there is at least one record and a limit
    /// is reached.
    ///
    /// - Returns: Nil when no batch follows.
    func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice?

    /// The place of the batch that has the first record after a cursor, among those which a bound
    /// admits; nil when there is none.
    func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace?

    /// Where the next batch stands, as far as the batches tell: behind the last one, and not before
    /// its time.
    func end() throws -> JournalPlace

    /// Saves the parts of the ledger of some sinks, by their names, as they are now. Batches that all
    /// sinks have dealt with are removed.
    func save(_ sinks: [String: Ledger.Sink]) throws

    /// Sees that the file is where it was opened: else what is in it is gone with the process.
    ///
    /// - Throws: A failure of the kind `damaged` when it is not.
    func checkPlace() throws

    /// What kind of failure it is that one of the other methods threw.
    func fault(of error: any Error) -> JournalFault

    /// Puts the file aside, because it is damaged, and goes on in a new one with all that can still be
    /// read.
    ///
    /// - Parameter ledger: The ledger as it is now, with what is not saved yet; the new file keeps it.
    /// - Returns: What was done; nil when there is nothing that could be put aside.
    func repair(keeping ledger: Ledger) throws -> JournalDamage?
}

extension JournalFile {
    /// Most files stay.
    public var isVolatile: Bool { false }
    /// Most files are found as they were left.
    public var damageAtOpening: JournalDamage? { nil }
    /// Where there is no name it cannot be lost.
    public func checkPlace() throws {}
    /// A failure of no kind that can be told apart.
    public func fault(of error: any Error) -> JournalFault { .other }
    /// There is nothing to put aside.
    public func repair(keeping ledger: Ledger) throws -> JournalDamage? { nil }
}

/// Kinds of failure of a journal's file that are treated apart.
public enum JournalFault: Sendable {
    /// The disk is full; it works again when there is room.
    case full
    /// What is in the file makes no sense any more.
    case damaged
    /// Anything else; it may work again.
    case other
}

/// How a damaged journal was mended.
public struct JournalDamage: Sendable, Equatable, CustomStringConvertible {
    /// What was wrong, in words.
    public let problem: String
    /// Where the damaged file is now; nil when it is nowhere.
    public let movedTo: String?
    /// How many records could be read and are kept.
    public let kept: Int64
    /// How many records, up to the last one that was ever published, could not be read; nil when
    /// nobody knows, because the ledger is gone.
    public let missing: Int64?
    /// Whether the ledger was kept; otherwise it begins with what was found.
    public let keepsLedger: Bool

    /// Describes a damage.
    public init(
        problem: String, movedTo: String?, kept: Int64, missing: Int64?, keepsLedger: Bool
    ) {
        self.problem = problem
        self.movedTo = movedTo
        self.kept = kept
        self.missing = missing
        self.keepsLedger = keepsLedger
    }

    /// All of it in one sentence.
    public var description: String {
        let place = movedTo.map { "; what was there is \($0) now" } ?? ""
        let loss = missing.map { "\($0) waiting records lost" } ?? "how many are lost is not known"
        return "\(problem)\(place); \(kept) records kept, \(loss), "
            + (keepsLedger ? "ledger and cursors kept" : "ledger begun anew")
    }
}

/// How much is read from a journal at once.
public struct JournalReadLimit: Sendable, Hashable {
    /// Enough with so many records.
    public var count: Int
    /// Enough with so many bytes.
    public var bytes: Int64

    /// Makes a limit.
    public init(count: Int, bytes: Int64 = .max) {
        self.count = count
        self.bytes = bytes
    }
}

/// Where a batch stands in the journal.
public struct JournalPlace: Sendable, Hashable {
    /// How many records were published before it.
    public var first: Int64
    /// How many bytes of lines stand before it.
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

/// Which batches are not too old and not too far back.
public struct JournalBound: Sendable, Hashable {
    /// Not further back than this.
    public var position: Int64 = .min
    /// Not older than this.
    public var time = Instant(nanosecondsSince1970: .min)
    /// Times before this one were taken from a clock that was not set: they say nothing about an age.
    public var unknownBefore = Instant(nanosecondsSince1970: .min)

    /// A bound that admits everything.
    public init() {}

    /// Whether a batch at this place is within the bound.
    public func admits(_ place: JournalPlace) -> Bool {
        place.position >= position && (place.time >= time || place.time < unknownBefore)
    }
}
