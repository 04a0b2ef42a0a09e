/// A place where committed batches, cursors and the ledger are kept together.
///
/// Every method is one transaction: it has happened entirely or not at all when it throws, and what
/// has happened survives the death of the process. One ``Journal`` calls it, one call at a time.
public protocol JournalFile {
    /// Reads the ledger as it was last committed.
    func ledger() throws -> Ledger

    /// Makes the sinks with these names, and no others, take part from now on.
    ///
    /// A new sink starts behind what has been published so far.
    func register(sinks: [String]) throws

    /// Appends a batch and adds to the ledger.
    ///
    /// - Parameters:
    ///   - batch: JSON lines, each with its newline.
    ///   - addition: What is added to the ledger; `published` is the number of lines.
    func append(_ batch: [UInt8], addition: Ledger.Intake) throws

    /// Reads whole batches that follow a cursor, until there are at least `limit` records.
    ///
    /// - Returns: Nil when nothing follows.
    func read(after cursor: Int64, limit: Int) throws -> JournalSlice?

    /// Moves a sink's cursor forward and adds to its part of the ledger. Batches that all sinks have
    /// dealt with are removed.
    func advance(_ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome) throws
}

/// Records as they stand in the journal.
public struct JournalSlice: Sendable, Equatable {
    /// The cursor that it was read after.
    public let start: Int64
    /// The cursor of a sink that has dealt with all of it.
    public let end: Int64
    /// The records as JSON lines.
    public let lines: RecordLines

    /// Makes a slice.
    public init(start: Int64, end: Int64, lines: RecordLines) {
        self.start = start
        self.end = end
        self.lines = lines
    }
}
