package import GatewayCore
import Glibc
import Synchronization

/// Who sends requests to the service, as its transport knows it.
package final class ServiceClient: Sendable {
    /// The name and the purpose that a client gives in `hello`.
    package struct Introduction: Equatable, Sendable {
        let name: PlainName
        let purpose: String?
    }

    /// The name of the transport.
    package let transport: PlainName
    /// The user or account that the transport has verified; nil without one.
    package let user: PlainName?
    /// Whether it is the owner of the gateway, who needs no grant.
    package let isOwner: Bool
    private let introduced = Mutex<Introduction?>(nil)

    /// Makes a client that its transport has verified.
    package init(transport: PlainName, user: PlainName?, isOwner: Bool) {
        self.transport = transport
        self.user = user
        self.isOwner = isOwner
    }

    /// Makes a client of a user of this machine; the owner is the gateway's own user, or root.
    package convenience init(transport: PlainName, userID: UInt32) {
        self.init(
            transport: transport, user: PlainName("\(userID)"),
            isOwner: userID == geteuid() || userID == 0)
    }

    /// Its identity; nil before it has given its name.
    package var id: ClientID? {
        introduction.map { ClientID(transport: transport, user: user, name: $0.name) }
    }

    /// The name and the purpose.
    var introduction: Introduction? { introduced.withLock { $0 } }

    /// Notes the name; false when the client has given another one before.
    func introduce(_ new: Introduction) -> Bool {
        introduced.withLock { introduced in
            guard introduced == nil || introduced?.name == new.name else { return false }
            introduced = new
            return true
        }
    }
}
