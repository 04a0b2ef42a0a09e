public import HealthModel

/// Where samples go: a store, a repository, standard output.
///
/// A sink has one duty: take a batch, and return when all of it is stored. Queueing, batching, retry
/// and accounting are its runner's. The same batch may come again after a failure or a restart, with
/// the same ids: storing it twice must not store anything twice, where the destination can tell.
public protocol Sink: Sendable {
    /// Stores a batch, in order. Returning means that all of it is stored.
    ///
    /// - Throws: ``SinkError``, which says what the runner does next. Any other error is taken for
    ///   ``SinkError/retry(reason:after:)``.
    func write(_ batch: [Record]) async throws
}

/// A sink that passes records on as they stand in the journal, without a look at their values.
///
/// What a repository takes as JSON is there already; it need not be read and written again. Among the
/// lines may be some that are no records; when it throws ``SinkError/rejected(_:reason:)``, with no id if
/// there is no other, those count as lost. A batch that comes again after a failure is the same one or a
/// longer one; only after a drop does it begin later.
public protocol LineSink: Sink {
    /// Stores a batch that is given as lines of JSON, with the promises of ``Sink/write(_:)``.
    func write(_ batch: RecordLines) async throws
}

extension LineSink {
    /// Writes the lines of the records, and stores those.
    public func write(_ batch: [Record]) async throws {
        try await write(RecordBatch(batch).lines)
    }
}

/// Why a batch was not stored, sorted by what happens next.
public enum SinkError: Error, Hashable, CustomStringConvertible {
    /// It may work again later: after this many seconds when the destination said so.
    case retry(reason: String, after: Double?)
    /// Nothing will work before somebody mends something; nothing is lost meanwhile.
    case blocked(reason: String)
    /// These records will never be taken; the others of the batch were stored.
    case rejected(Set<RecordID>, reason: String)

    /// The reason, without any health value.
    public var description: String {
        switch self {
        case .retry(let reason, _), .blocked(let reason), .rejected(_, let reason): reason
        }
    }
}
