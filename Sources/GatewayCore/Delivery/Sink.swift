public import HealthModel

/// A destination of records: a store, a repository, standard output.
///
/// A sink stores a batch and returns when all of it is stored. Queueing, batching, retries and
/// accounting are the task of ``SinkRunner``. A batch may be delivered again after a failure or a
/// restart, with the same ids: storing must be idempotent if the destination permits.
public protocol Sink: Sendable {
    /// Stores a batch in order, and returns when all of it is stored.
    ///
    /// - Throws: ``SinkError``, which determines what the runner does next. Any other error is
    ///   handled as ``SinkError/retry(reason:after:)``.
    func write(_ batch: [Record]) async throws

    /// Whether it gets the deletions of records, as `Record.deletion`; false unless it says otherwise.
    ///
    /// A deletion follows its record. Its record may also be one that this sink never got.
    var acceptsDeletions: Bool { get }

    /// The longest time in seconds that the records of a continuous stream wait for others; 1 unless it says
    /// otherwise.
    ///
    /// A long one suits a destination for which every batch is costly, as a flash memory, and whose readers
    /// ask the gateway first: what somebody waits for is delivered at once.
    var longestPause: Double { get }
}

extension Sink {
    /// False: deletions are left out.
    public var acceptsDeletions: Bool { false }

    /// One second.
    public var longestPause: Double { 1 }
}

/// A sink that accepts records as lines of JSON without decoding them.
///
/// Some lines may not be records; if the sink throws ``SinkError/rejected(_:reason:)``, possibly
/// without ids, those count as lost. A batch after a failure is the same one or a longer one; only
/// after a drop does it start later.
public protocol LineSink: Sink {
    /// Whether it reads ``GatewayJournal/RecordLines/records``, which cost memory; false unless it says
    /// otherwise.
    var readsRecords: Bool { get }

    /// Stores a batch of JSON lines, with the contract of ``Sink/write(_:)``.
    func write(_ batch: RecordLines) async throws
}

extension LineSink {
    /// False: it reads lines only.
    public var readsRecords: Bool { false }

    /// Encodes the records as lines and stores those.
    public func write(_ batch: [Record]) async throws {
        try await write(RecordBatch(batch).lines)
    }
}

/// The reason why a batch was not stored, by what the runner does next.
public enum SinkError: Error, Hashable, CustomStringConvertible {
    /// Retry later, after this many seconds if the destination requested it.
    case retry(reason: String, after: Double?)
    /// There is no space left, which somebody may free at any time: retry every few seconds.
    case storageFull(reason: String)
    /// Blocked until the user fixes a problem; the records wait in the journal.
    case blocked(reason: String)
    /// Closed by its reader, which is no failure; the records wait in the journal.
    case closed(reason: String)
    /// These records were rejected permanently; the others of the batch were stored.
    case rejected(Set<RecordID>, reason: String)

    /// The reason, without any health value.
    public var description: String {
        switch self {
        case .retry(let reason, _), .rejected(_, let reason): reason
        case .storageFull(let reason), .blocked(let reason), .closed(let reason): reason
        }
    }
}
