/// Opens streams to one device, one after the other.
protocol StreamOpener: Sendable {
    /// What messages call the stream while it is not open.
    var name: String { get }

    /// Opens a stream, or begins to: see ``StreamDescriptor/connectLimitSeconds``.
    ///
    /// It is called on the queue of the streams and may take some milliseconds.
    func open() throws(SerialError) -> any StreamDescriptor
}
