import GatewayCore

/// Why a client does not get what it asked for; its code tells programs apart what to do.
package struct AccessError: Error, Equatable, CustomStringConvertible {
    /// The reason, for programs.
    package enum Code: String, Sendable {
        /// The client has not asked: send `requestAccess`.
        case notAsked
        /// The client has asked: wait for the owner.
        case undecided
        /// The owner has denied it, or nobody else may do this.
        case denied
        /// The gateway cannot read the table of access.
        case failure
    }

    /// The reason.
    package let code: Code
    /// The message for people.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The error about a type without a grant.
    init(_ kind: AccessKind, _ type: String, _ decision: AccessDecision, of client: ClientID) {
        let what = "no access to \(kind.rawValue) \(type)"
        switch decision {
        case .denied, .granted:
            self.init(.denied, "\(what): it was denied to \(client)")
        case .undecided:
            self.init(
                .undecided,
                "\(what): the gateway's user has not decided; grant it there with "
                    + "`pulsegate access grant \(client) --\(kind.rawValue) \(type)`")
        case .notAsked:
            self.init(
                .notAsked,
                "\(what): ask for it with `pulsegate access request --\(kind.rawValue) \(type)`")
        }
    }

    /// The error of a client that needs access to share every type.
    static func everything(isDenied: Bool, to client: ClientID) -> AccessError {
        AccessError(
            isDenied ? .denied : .notAsked,
            "a file can have records of any type, so it needs access to share all of them; the gateway's "
                + "user grants it with `pulsegate access grant \(client) --share all`")
    }

    /// The error of a client that may read the state of the gateway, and no record.
    static func onlyMetrics(isDenied: Bool) -> AccessError {
        AccessError(
            isDenied ? .denied : .notAsked,
            "no access to read a record: `metrics` is only the state of the gateway; ask for types with "
                + "`pulsegate access request --read TYPES`")
    }

    /// The error of a client that may read no record of any type.
    static func noRecords(_ decisions: AccessDecisions) -> AccessError {
        let what = "no access to read a record"
        if decisions.isWaiting {
            return AccessError(
                .undecided,
                "\(what): the gateway's user has not decided; see `pulsegate access list`")
        }
        guard decisions.others != .denied, decisions.types(.denied).isEmpty else {
            return AccessError(.denied, "\(what): it was denied")
        }
        return AccessError(
            .notAsked, "\(what): ask for types with `pulsegate access request --read TYPES`")
    }

    /// The error of a request that only the owner may send.
    static func ownerOnly(_ request: String) -> AccessError {
        AccessError(.denied, "only the gateway's user may send `\(request)`")
    }

    /// The error of a device whose protocol is a program, from a client that is not the owner.
    static let programOfOwner = AccessError(
        .denied, "only the gateway's user may adopt a device whose protocol is a program")

    /// The error of a file that may be a terminal of a person, from a client that is not the owner.
    static let portOfOwner = AccessError(
        .denied,
        "only the gateway's user may adopt this path; others may adopt Bluetooth addresses, "
            + "/dev/serial/…, /dev/pulsegate/… and ports such as /dev/ttyUSB0")

    /// The error of a client that has not given its name.
    static let noName = AccessError(
        .notAsked, "the name of the client is missing; send `hello` with a `name` first")

    /// The error while the table of access cannot be read.
    static func unreadable(_ reason: String) -> AccessError {
        AccessError(.failure, "the access of clients is not known: \(reason)")
    }
}
