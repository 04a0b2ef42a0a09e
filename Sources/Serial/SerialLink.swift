import Platform

/// A byte stream to a device.
protocol SerialLink: Sendable {
    /// Opens the stream and returns the path of the port or the address of the device.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func open() async throws -> String

    /// Waits for bytes; returns `nil` after ``wake()``.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func read() async throws -> ReceivedBytes?

    /// Ends the current or the next wait for bytes.
    func wake()

    /// Writes all bytes.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    func write(_ bytes: [UInt8], until deadline: BootInstant) async throws

    /// Closes the stream; may be called repeatedly. Waits end with ``SerialError/notOpen(path:)``.
    func close() async
}

/// Received bytes with their receipt time.
struct ReceivedBytes: Hashable, Sendable {
    let bytes: [UInt8]
    let receipt: BootInstant
}
