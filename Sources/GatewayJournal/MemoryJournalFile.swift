/// A journal in memory, for machines without a disk; its content ends with the process.
///
/// Its ledger starts at 0 in every run.
public final class MemoryJournalFile: JournalFile {
    /// The maximum buffer size of a sink in bytes, whatever its own limit is.
    public static let byteLimit: Int64 = 64 << 20

    private var committed = Ledger()
    private var batches = BatchQueue()

    /// Makes an empty journal.
    public init() {}

    /// True: the content ends with the process.
    public var isVolatile: Bool { true }
    /// False: there is none.
    public var waitsForDisk: Bool { false }

    /// The size of its lines in bytes.
    public var size: Int64 { Int64(batches.bytes) }

    /// The ledger of this run.
    public func ledger() throws -> Ledger { committed }

    /// Replaces the registered sinks.
    public func register(_ sinks: [JournalSink]) throws {
        let oldest = batches.first?.place.first ?? committed.ingest.published
        committed.register(sinks, oldest: oldest)
        prune()
    }

    /// Appends a batch, adds to the ledger, and saves cursors.
    public func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        var batch = batch
        // They would need as much memory again.
        batch.forgetRecords()
        if !batch.isEmpty { batches.append(batch, at: place) }
        committed.ingest.add(addition)
        try save(sinks)
    }

    /// Reads the batches after a cursor.
    public func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        batches.read(after: cursor, limit: limit)
    }

    /// Returns the first place after a cursor within a bound.
    public func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        batches.place(after: cursor, within: bound)
    }

    /// Returns the place of the next batch.
    public func end() throws -> JournalPlace {
        let last = batches.last
        return JournalPlace(
            first: committed.ingest.published,
            position: last.map { $0.place.position + Int64($0.lines.bytes.count) } ?? 0,
            time: last?.place.time ?? JournalTime.earliest)
    }

    /// Saves cursors.
    public func save(_ sinks: [String: Ledger.Sink]) throws {
        for (name, sink) in sinks where committed.sinks[name] != nil {
            committed.sinks[name] = sink
        }
        prune()
    }

    private func prune() {
        let done = committed.minimumCursor
        while let first = batches.first, first.end <= done { batches.removeFirst() }
    }
}
