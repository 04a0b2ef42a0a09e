public import GatewayCore

/// A journal file in memory, with injected failures.
public final class InMemoryJournalFile: JournalFile {
    /// An injected failure.
    public struct Failure: Error, CustomStringConvertible {
        /// The text for the log.
        public var description: String { "test disk failure" }
    }

    private let memory = MemoryJournalFile()
    private var calls = 0
    private let fault: JournalFault
    private let fails: @Sendable (_ call: Int) -> Bool

    /// Makes an empty file.
    ///
    /// `fails` decides for each call that reads or writes batches or moves cursors, counted from 1,
    /// whether it fails; `fault` is the classification of these failures.
    public init(
        fault: JournalFault = .other,
        fails: @escaping @Sendable (_ call: Int) -> Bool = { _ in false }
    ) {
        self.fault = fault
        self.fails = fails
    }

    /// The size of all lines in bytes.
    public var size: Int64 { memory.size }

    /// The last committed ledger.
    public func ledger() throws -> Ledger { try memory.ledger() }

    /// Registers these sinks and removes all others.
    public func register(_ sinks: [JournalSink]) throws { try memory.register(sinks) }

    /// Appends a batch, updates the ledger, and saves the cursors of sinks.
    public func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        try failIfRequested()
        try memory.append(batch, addition: addition, at: place, saving: sinks)
    }

    /// Reads the batches after a cursor.
    public func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        try failIfRequested()
        return try memory.read(after: cursor, limit: limit)
    }

    /// The first position after a cursor within a bound.
    public func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        try failIfRequested()
        return try memory.place(after: cursor, within: bound)
    }

    /// The position of the next batch.
    public func end() throws -> JournalPlace { try memory.end() }

    /// Saves the cursors of sinks.
    public func save(_ sinks: [String: Ledger.Sink]) throws {
        try failIfRequested()
        try memory.save(sinks)
    }

    /// The classification given by the test.
    public func fault(of error: any Error) -> JournalFault { fault }

    private func failIfRequested() throws {
        calls += 1
        if fails(calls) { throw Failure() }
    }
}
