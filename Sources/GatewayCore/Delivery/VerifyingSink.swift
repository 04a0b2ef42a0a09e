/// A sink that can verify what it has stored.
///
/// The journal keeps what such a sink has not verified, within limits, and delivers it again when
/// the store turns out to be damaged or another one. Storing must be idempotent.
public protocol VerifyingSink: Sink {
    /// Returns what is known about the records of all batches so far.
    ///
    /// It is called before each batch and after the last one.
    ///
    /// - Parameter isAtEnd: Whether no batch follows.
    /// - Throws: ``SinkError``, as ``Sink/write(_:)`` does; the batch that follows waits.
    func verify(isAtEnd: Bool) async throws -> StoreState
}

/// What a sink knows about the records that it was given.
public enum StoreState: Sendable, Hashable {
    /// They are stored, but were not verified since.
    case unverified
    /// They were found intact on the disk.
    case verified
    /// The store was opened: it may be another one, or lack the newest of them.
    case opened(StoreContent)
    /// There is no space to store more: the journal gives up the records that are not verified.
    case full
}

/// What a store that was opened has of the records that were stored before.
public enum StoreContent: Sendable, Hashable {
    /// Nothing: it is new.
    case nothing
    /// An earlier state, which lacks up to a number of records.
    case earlier(missing: Int64)
    /// All of it, as far as is known; perhaps without the newest.
    case everything
}
