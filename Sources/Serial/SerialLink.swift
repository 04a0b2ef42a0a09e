import GatewayCore

/// A byte stream to a device that its owner opens and closes.
protocol SerialLink: Sendable {
    /// Opens the stream, and answers with what was opened: the path of the port, the address.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func open() async throws -> String

    /// Waits for bytes, until a deadline when there is one; `nil` says that it has come.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func read(until deadline: BootInstant?) async throws -> ReceivedBytes?

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
