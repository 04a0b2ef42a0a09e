public import GatewayCore

/// A journal's file that keeps everything in memory, and fails when a test wants it to.
public final class InMemoryJournalFile: JournalFile {
    /// Thrown by a call that a test lets fail.
    public struct Failure: Error, CustomStringConvertible {
        /// What a log would show.
        public var description: String { "the test's disk fails" }
    }

    private let memory = MemoryJournalFile()
    private var calls = 0
    private let fault: JournalFault
    private let fails: @Sendable (_ call: Int) -> Bool

    /// Makes an empty file.
    ///
    /// `fails` decides for each call that reads or writes batches or moves cursors, counted from 1, and
    /// `fault` is what such a failure is.
    public init(
        fault: JournalFault = .other,
        fails: @escaping @Sendable (_ call: Int) -> Bool = { _ in false }
    ) {
        self.fault = fault
        self.fails = fails
    }

    /// How many bytes of lines it holds.
    public var size: Int64 { memory.size }

    /// The ledger as last committed.
    public func ledger() throws -> Ledger { try memory.ledger() }

    /// Makes these sinks, and no others, take part.
    public func register(_ sinks: [JournalSink]) throws { try memory.register(sinks) }

    /// Appends a batch, adds to the ledger, and saves how far sinks have come.
    public func append(
        _ batch: RecordLines, addition: Ledger.Ingest, at place: JournalPlace,
        saving sinks: [String: Ledger.Sink]
    ) throws {
        try mayFail()
        try memory.append(batch, addition: addition, at: place, saving: sinks)
    }

    /// Reads the batches after a cursor.
    public func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        try mayFail()
        return try memory.read(after: cursor, limit: limit)
    }

    /// The first place after a cursor that a bound admits.
    public func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        try mayFail()
        return try memory.place(after: cursor, within: bound)
    }

    /// Where the next batch stands.
    public func end() throws -> JournalPlace { try memory.end() }

    /// Saves how far sinks have come.
    public func save(_ sinks: [String: Ledger.Sink]) throws {
        try mayFail()
        try memory.save(sinks)
    }

    /// What a test says it is.
    public func fault(of error: any Error) -> JournalFault { fault }

    private func mayFail() throws {
        calls += 1
        if fails(calls) { throw Failure() }
    }
}
