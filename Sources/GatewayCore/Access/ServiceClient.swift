import Glibc
import Synchronization

/// Who sends requests to the gateway, as the transport knows it.
public final class ServiceClient: Sendable {
    /// The name and the purpose that a client gives in `hello`.
    package struct Introduction: Equatable, Sendable {
        package let name: PlainName
        package let purpose: String?

        /// Makes an introduction.
        package init(name: PlainName, purpose: String? = nil) {
            self.name = name
            self.purpose = purpose
        }
    }

    /// The name of the transport.
    public let transport: PlainName
    /// The user or account that the transport has verified; nil without one.
    public let user: PlainName?
    /// Whether it is the owner of the gateway, who needs no grant.
    public let isOwner: Bool
    private let introduced: Mutex<Introduction?>

    /// Makes a client that its transport has verified.
    ///
    /// - Parameter name: The name that the transport gives it; nil for a client that gives its own in
    ///   `hello`.
    public init(
        transport: PlainName, user: PlainName?, isOwner: Bool, name: PlainName? = nil
    ) {
        self.transport = transport
        self.user = user
        self.isOwner = isOwner
        introduced = Mutex(name.map { Introduction(name: $0) })
    }

    /// Makes a client of a user of this machine; the owner is the gateway's own user, or root.
    public convenience init(transport: PlainName, userID: UInt32, name: PlainName? = nil) {
        self.init(
            transport: transport, user: PlainName("\(userID)"),
            isOwner: userID == geteuid() || userID == 0, name: name)
    }

    /// Its identity; nil before it has given its name.
    package var id: ClientID? {
        introduction.map { ClientID(transport: transport, user: user, name: $0.name) }
    }

    /// The name and the purpose.
    package var introduction: Introduction? { introduced.withLock { $0 } }

    /// Notes the name; false when the client has given another one before.
    package func introduce(_ new: Introduction) -> Bool {
        introduced.withLock { introduced in
            guard introduced == nil || introduced?.name == new.name else { return false }
            introduced = new
            return true
        }
    }
}
