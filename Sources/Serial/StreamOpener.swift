/// Opens streams to one device.
protocol StreamOpener: Sendable {
    /// The name in messages while the stream is not open.
    var name: String { get }

    /// Opens a stream, or starts connecting: see ``StreamDescriptor/connectLimitSeconds``.
    ///
    /// It is called on the queue of the streams and may block for some milliseconds.
    func open() throws(SerialError) -> any StreamDescriptor
}
