import Platform

/// A byte stream to a device that its owner opens and closes.
protocol SerialLink: Sendable {
    /// Opens the stream, and answers with what was opened: the path of the port, the address.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func open() async throws -> String

    /// Waits for bytes; `nil` says that it was woken before any came.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func read() async throws -> ReceivedBytes?

    /// Ends the wait for bytes that is under way, else the next one.
    func wake()

    /// Sends bytes; all of them have been taken when it returns.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func write(_ bytes: [UInt8], until deadline: BootInstant) async throws

    /// Closes the stream, once or more often; waits end with ``SerialError/notOpen(path:)``.
    func close() async
}

/// Bytes and when the host noticed them.
struct ReceivedBytes: Hashable, Sendable {
    let bytes: [UInt8]
    let receipt: BootInstant
}
