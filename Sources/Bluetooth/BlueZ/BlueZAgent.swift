import DBus

/// The agent of a program: bluetoothd asks it about pairings (BlueZ D-Bus API, org.bluez.Agent).
///
/// It never asks to be the default agent, so a desktop's agent stays in charge of other devices. The
/// first agent of the machine is the default one without asking.
package enum BlueZAgent {
    /// What an agent can ask its user.
    package enum Capability: String, Hashable, Sendable {
        /// Nothing: devices are paired without a passkey.
        case nothing = "NoInputNoOutput"
        /// Passkeys are shown, entered and compared.
        case terminal = "KeyboardDisplay"
    }

    /// The path of the agent's object.
    package static let path = "/org/pulsegate/agent"
    private static let registrationSeconds = 5.0

    /// The call that registers the agent.
    package static func registration(_ capability: Capability) -> BlueZCall {
        BlueZCall(
            path: BlueZName.agentManagerPath, interface: BlueZName.agentManager,
            member: "RegisterAgent",
            body: [.objectPath(path), .string(capability.rawValue)],
            timeoutSeconds: registrationSeconds)
    }
}

/// An event of an agent.
package enum AgentEvent: Hashable, Sendable {
    /// bluetoothd asks, and waits for the answer with this number for at most a minute.
    case asked(AgentQuestion, number: Int)
    /// bluetoothd does not wait for answers any more.
    case canceled
}

/// A question of bluetoothd about the pairing of a device.
package struct AgentQuestion: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The PIN of a classic device.
        case pinCode
        /// The passkey that the device shows.
        case passkey
        /// A PIN to enter on the device.
        case shownPinCode(String)
        /// A passkey to enter on the device.
        case shownPasskey(UInt32)
        /// Whether the device shows the same passkey.
        case comparison(UInt32)
        /// Whether to pair without a passkey.
        case authorization
        /// Whether a paired device may use a service of this machine.
        case service
    }

    /// The path of the device.
    package let device: String
    package let kind: Kind

    /// Reads a call; nil when it is malformed or no question.
    init?(_ member: String, _ body: [BusValue]) {
        guard case .objectPath(let device)? = body.first else { return nil }
        self.device = device
        switch (member, body.dropFirst().first) {
        case ("RequestPinCode", nil): kind = .pinCode
        case ("RequestPasskey", nil): kind = .passkey
        case ("DisplayPinCode", .string(let pin)?): kind = .shownPinCode(pin)
        case ("DisplayPasskey", .uint32(let passkey)?): kind = .shownPasskey(passkey)
        case ("RequestConfirmation", .uint32(let passkey)?): kind = .comparison(passkey)
        case ("RequestAuthorization", nil): kind = .authorization
        case ("AuthorizeService", .string?): kind = .service
        default: return nil
        }
    }
}

/// An answer to bluetoothd.
package enum AgentAnswer: Hashable, Sendable {
    case accept
    case passkey(UInt32)
    case pinCode(String)
    case reject
    case cancel
}
