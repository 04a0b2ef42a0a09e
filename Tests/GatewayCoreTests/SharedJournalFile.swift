import GatewayCore
import Synchronization

/// A journal file in memory that a test can read while a journal writes it.
final class SharedJournalFile: JournalFile, Sendable {
    /// The error of a full file.
    struct Full: Error {}

    private let memory = Mutex(MemoryJournalFile())
    private let takesRecords: Bool

    /// Makes an empty file; one that accepts no records has space for counts only.
    init(takesRecords: Bool = true) {
        self.takesRecords = takesRecords
    }

    /// The stored cursor of a sink.
    func savedCursor(_ sink: String) -> Int64? {
        memory.withLock { memory in (try? memory.ledger())?.sinks[sink]?.cursor }
    }

    var size: Int64 { memory.withLock { $0.size } }

    func ledger() throws -> Ledger { try memory.withLock { try $0.ledger() } }

    func register(_ sinks: [JournalSink]) throws { try memory.withLock { try $0.register(sinks) } }

    func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        guard takesRecords || batch.isEmpty else { throw Full() }
        try memory.withLock {
            try $0.append(batch, addition: addition, at: place, saving: sinks)
        }
    }

    func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        try memory.withLock { try $0.read(after: cursor, limit: limit) }
    }

    func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        try memory.withLock { try $0.place(after: cursor, within: bound) }
    }

    func fault(of error: any Error) -> JournalFault { error is Full ? .full : .other }

    func end() throws -> JournalPlace { try memory.withLock { try $0.end() } }

    func save(_ sinks: [String: Ledger.Sink]) throws { try memory.withLock { try $0.save(sinks) } }
}
