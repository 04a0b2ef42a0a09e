import Glibc

/// A file descriptor that a message has brought or brings, closed with the last reference
/// (D-Bus Specification 0.43, `UNIX_FD`).
///
/// Two descriptors are equal only when they are the same object.
public final class BusDescriptor: Hashable, Sendable {
    /// The descriptor; valid as long as this object.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// A copy of a descriptor that belongs to somebody else; nil when the process has too many.
    static func copy(of number: Int32) -> BusDescriptor? {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : BusDescriptor(owning: copy)
    }

    /// Whether both are the same object.
    public static func == (first: BusDescriptor, second: BusDescriptor) -> Bool { first === second }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
