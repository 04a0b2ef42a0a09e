/// A sink that can ask its server whether it would accept records, for the command `doctor`.
public protocol ConnectionChecking: Sendable {
    /// Sends a request without a record, and returns when the server accepts it.
    ///
    /// It stores and writes nothing.
    ///
    /// - Throws: ``SinkError`` as a delivery would, with a reason that has no secret and no health
    ///   value: ``SinkError/rejected(_:reason:)`` when the server answers, but rejects a request
    ///   without a record; `CancellationError`.
    func checkConnection() async throws
}
