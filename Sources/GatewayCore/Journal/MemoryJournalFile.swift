/// A journal that is kept in memory, for boxes without a disk: nothing of it outlives the process.
///
/// Its ledger begins with 0 in every run.
public final class MemoryJournalFile: JournalFile {
    /// No sink may lag further, in bytes, whatever its own limit is.
    public static let byteLimit: Int64 = 64 << 20

    private var committed = Ledger()
    private var batches = BatchQueue()

    /// Begins an empty journal.
    public init() {}

    /// It is gone with the process.
    public var isVolatile: Bool { true }

    /// How many bytes of lines it holds.
    public var size: Int64 { Int64(batches.bytes) }

    /// The account of this run.
    public func ledger() throws -> Ledger { committed }

    /// Makes these sinks, and no others, take part.
    public func register(_ sinks: [JournalSink]) throws {
        let oldest = batches.first?.place.first ?? committed.ingest.published
        committed.register(sinks, oldest: oldest)
        prune()
    }

    /// Appends a batch, adds to the ledger, and saves how far sinks have come.
    public func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        if !batch.isEmpty { batches.append(batch, at: place) }
        committed.ingest.add(addition)
        try save(sinks)
    }

    /// Reads the batches after a cursor.
    public func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        batches.read(after: cursor, limit: limit)
    }

    /// The first place after a cursor that a bound admits.
    public func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        batches.place(after: cursor, within: bound)
    }

    /// Where the next batch stands.
    public func end() throws -> JournalPlace {
        let last = batches.last
        return JournalPlace(
            first: committed.ingest.published,
            position: last.map { $0.place.position + Int64($0.lines.bytes.count) } ?? 0,
            time: last?.place.time ?? JournalTime.earliest)
    }

    /// Saves how far sinks have come.
    public func save(_ sinks: [String: Ledger.Sink]) throws {
        for (name, sink) in sinks where committed.sinks[name] != nil {
            committed.sinks[name] = sink
        }
        prune()
    }

    private func prune() {
        let done = committed.doneByAll
        while let first = batches.first, first.end <= done { batches.removeFirst() }
    }
}
