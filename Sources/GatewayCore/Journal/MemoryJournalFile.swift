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
        let oldest = batches.first?.place.first ?? committed.intake.published
        committed.register(sinks, oldest: oldest)
        prune()
    }

    /// Appends a batch, adds to the ledger, and saves how far sinks have come.
    public func append(
        _ batch: RecordLines, addition: Ledger.Intake, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        if !batch.isEmpty { batches.append(batch, at: place) }
        committed.intake.add(addition)
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
            first: committed.intake.published,
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

extension Ledger {
    /// What all sinks have dealt with.
    package var doneByAll: Int64 { sinks.values.map(\.cursor).min() ?? intake.published }

    /// Makes these sinks, and no others, take part.
    ///
    /// - Parameter oldest: Where a sink begins that wants everything which is still there.
    package mutating func register(_ wanted: [JournalSink], oldest: Int64) {
        let moves = moves(among: wanted)
        var registered: [String: Ledger.Sink] = [:]
        for sink in wanted {
            let start = sink.begins == .start ? oldest : intake.published
            var account =
                moves[sink.name].flatMap { sinks[$0] } ?? sinks[sink.name]
                ?? Ledger.Sink(start: start, cursor: start)
            account.formerly = sink.formerly
            registered[sink.name] = account
        }
        sinks = registered
    }

    /// The former names whose accounts sinks take over now, by the sinks' own names.
    ///
    /// Whoever has an account takes over another one only when its own goes to somebody else: so two can
    /// swap their names, and a word about a former name that did its work may stay.
    private func moves(among wanted: [JournalSink]) -> [String: String] {
        let names = Set(wanted.map(\.name))
        var moves: [String: String] = [:]
        for sink in wanted {
            guard let former = sink.formerly, former != sink.name, sinks[former] != nil,
                sinks[sink.name]?.formerly != former
            else { continue }
            moves[sink.name] = former
        }
        while let stuck = moves.first(where: { name, former in
            let wouldLoseItsOwn = sinks[name] != nil && !moves.values.contains(name)
            return wouldLoseItsOwn || (names.contains(former) && moves[former] == nil)
        }) {
            moves[stuck.key] = nil
        }
        return moves
    }
}
