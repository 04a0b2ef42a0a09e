/// An open descriptor that can be waited for, and the errors that its owner speaks of it with.
///
/// It stays open as long as the value lives: that is why a ``DescriptorWatch`` holds on to it.
package protocol WatchedDescriptor: Sendable {
    /// What its owner throws.
    associatedtype Failure: Error

    /// The system's number.
    var number: Int32 { get }

    /// What ends a wait when the watch is closed.
    var notOpen: Failure { get }

    /// The system refused an operation with this `errno`.
    func failure(of operation: String, code: Int32) -> Failure
}
