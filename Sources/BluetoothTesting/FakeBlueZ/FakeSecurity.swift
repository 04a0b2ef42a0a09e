/// The encryption that a ``FakeDevice`` requires before it accepts a subscription.
public struct FakeSecurity: Sendable {
    /// How a device is paired.
    public enum Pairing: Hashable, Sendable {
        /// Without a passkey.
        case justWorks
        /// The device shows a passkey, which is entered at the host.
        case showsPasskey(UInt32)
        /// The host shows a passkey, which is entered at the device.
        case takesPasskey(UInt32)
        /// Both show a passkey to compare.
        case comparesPasskey(UInt32)
        /// Classic Bluetooth: the device has a PIN.
        case pinCode(String)
        /// The device rejects pairing and drops the link.
        case refused
    }

    /// How long bluetoothd 5.66 does not answer a request whose pairing has failed.
    public static let unansweredSeconds = 30.0

    /// How the device is paired.
    public var pairing: Pairing
    /// Whether requests fail at once, as with an adapter that cannot be paired.
    public var failsAtOnce = false
    /// Whether bluetoothd loses the request while the link is being encrypted, as 5.66 sometimes
    /// does.
    public var losesRequest = false

    /// Makes the encryption of a device.
    public init(_ pairing: Pairing = .justWorks) {
        self.pairing = pairing
    }

    /// The question to the agent; nil when nobody is asked.
    ///
    /// - Parameter isRequested: Whether the program with the agent called `Pair`.
    func question(isRequested: Bool, hasTerminal: Bool) -> FakeAgentQuestion? {
        switch pairing {
        case .justWorks, .refused:
            isRequested ? nil : FakeAgentQuestion("RequestAuthorization")
        case .showsPasskey(let passkey) where hasTerminal:
            FakeAgentQuestion("RequestPasskey") { $0 == .passkey(passkey) }
        case .takesPasskey(let passkey) where hasTerminal:
            FakeAgentQuestion("DisplayPasskey", .passkey(passkey))
        case .comparesPasskey(let passkey) where hasTerminal:
            FakeAgentQuestion("RequestConfirmation", .passkey(passkey))
        case .pinCode(let pin): FakeAgentQuestion("RequestPinCode") { $0 == .pinCode(pin) }
        // The kernel falls back to Just Works, which such a device does not accept.
        case .showsPasskey, .takesPasskey, .comparesPasskey:
            FakeAgentQuestion("RequestAuthorization") { _ in false }
        }
    }
}

/// A call of an agent, and whether its answer is right.
struct FakeAgentQuestion: Sendable {
    let member: String
    let argument: FakeAgentArgument?
    let accepts: @Sendable (FakeAgentArgument?) -> Bool

    init(
        _ member: String, _ argument: FakeAgentArgument? = nil,
        accepts: @escaping @Sendable (FakeAgentArgument?) -> Bool = { _ in true }
    ) {
        self.member = member
        self.argument = argument
        self.accepts = accepts
    }
}

/// An argument or an answer of an agent.
enum FakeAgentArgument: Hashable, Sendable {
    case passkey(UInt32)
    case pinCode(String)
}

/// An agent registered with ``FakeBlueZ``.
public struct FakeAgent: Hashable, Sendable {
    /// The unique name of its program.
    public let sender: String
    /// The path of its object.
    public let path: String
    /// What it can ask its user: `NoInputNoOutput`, `KeyboardDisplay`.
    public let capability: String
}
