public import GatewayCore

/// A journal's file that keeps everything in memory, and fails when a test wants it to.
public final class InMemoryJournalFile: JournalFile {
    /// Thrown by a call that a test lets fail.
    public struct Failure: Error, CustomStringConvertible {
        /// What a log would show.
        public var description: String { "the test's disk fails" }
    }

    private var committed = Ledger()
    private var batches: [(first: Int64, count: Int64, lines: [UInt8])] = []
    private var calls = 0
    private let fails: @Sendable (_ call: Int) -> Bool

    /// Makes an empty file.
    ///
    /// `fails` decides for each writing call, counted from 1.
    public init(fails: @escaping @Sendable (_ call: Int) -> Bool = { _ in false }) {
        self.fails = fails
    }

    /// The ledger as last committed.
    public func ledger() throws -> Ledger { committed }

    /// Makes these sinks, and no others, take part.
    public func register(sinks: [String]) throws {
        let start = committed.intake.published
        committed.sinks = committed.sinks.filter { sinks.contains($0.key) }
        for name in sinks where committed.sinks[name] == nil {
            committed.sinks[name] = Ledger.Sink(start: start, cursor: start)
        }
    }

    /// Appends a batch and adds to the ledger.
    public func append(_ batch: [UInt8], addition: Ledger.Intake) throws {
        try mayFail()
        if addition.published > 0 {
            batches.append((committed.intake.published, addition.published, batch))
        }
        committed.intake.add(addition)
    }

    /// Reads the batches after a cursor.
    public func read(after cursor: Int64, limit: Int) throws -> JournalSlice? {
        var lines: [UInt8] = []
        var end = cursor
        for batch in batches where batch.first >= cursor && end - cursor < Int64(limit) {
            lines += batch.lines
            end = batch.first + batch.count
        }
        return end > cursor
            ? JournalSlice(start: cursor, end: end, lines: RecordLines(lines)) : nil
    }

    /// Moves a cursor.
    public func advance(
        _ sink: String, to cursor: Int64, adding outcome: Ledger.Outcome
    ) throws {
        try mayFail()
        committed.sinks[sink]?.cursor = cursor
        committed.sinks[sink]?.outcome.add(outcome)
        let done = committed.sinks.values.map(\.cursor).min() ?? 0
        batches.removeAll { $0.first < done }
    }

    private func mayFail() throws {
        calls += 1
        if fails(calls) { throw Failure() }
    }
}
