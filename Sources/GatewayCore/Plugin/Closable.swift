/// A source or sink with something that must not outlive it, such as a program.
public protocol Closable: Sendable {
    /// Ends it within half a second.
    ///
    /// It is called when a sink was removed, and for every source and sink at the end of the gateway,
    /// also when the last call of a source or sink has not returned in time.
    func close() async
}
