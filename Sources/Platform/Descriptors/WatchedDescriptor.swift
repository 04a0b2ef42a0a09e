/// An open descriptor to wait for, and the error type of its owner.
///
/// It stays open as long as the value lives, so a ``DescriptorWatch`` retains it.
public protocol WatchedDescriptor: Sendable {
    /// The error that the owner throws.
    associatedtype Failure: Error

    /// The file descriptor.
    var number: Int32 { get }

    /// The error for a wait on a closed watch.
    var notOpen: Failure { get }

    /// The error for an operation that failed with this `errno`.
    func failure(of operation: String, code: Int32) -> Failure
}
