import Glibc

/// A method to call on an object of another program.
public struct BusCall: Hashable, Sendable {
    /// Who is called: a well-known name, `org.bluez`, or a unique one.
    public var destination: String
    /// The object.
    public var path: String
    /// The interface of the method.
    public var interface: String
    /// The method.
    public var member: String
    /// The arguments.
    public var body: [BusValue]

    /// Makes a call.
    public init(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ body: [BusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
    }
}

/// A signal, sent or received.
public struct BusSignal: Hashable, Sendable {
    /// The unique name of who sent it; nil for one to be sent.
    public var sender: String?
    /// The object it is about.
    public var path: String
    /// The interface of the signal.
    public var interface: String
    /// The signal.
    public var member: String
    /// What it says.
    public var body: [BusValue]

    /// Makes a signal.
    public init(
        sender: String? = nil, _ path: String, _ interface: String, _ member: String,
        _ body: [BusValue] = []
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
    }
}

/// Why something over the bus did not work.
public enum BusError: Error, Hashable, CustomStringConvertible {
    /// There is no bus at this address.
    case unavailable(address: String, code: Int32)
    /// The other program answered with an error; the message is its own.
    case remote(name: String, message: String)
    /// No answer came in time.
    case timedOut
    /// The connection has ended.
    case disconnected
    /// The system refused an operation with this `errno`.
    case failed(operation: String, code: Int32)

    /// What did not work, in words.
    public var description: String {
        switch self {
        case .unavailable(let address, let code):
            "no D-Bus at \(address): \(Self.message(of: code))"
        case .remote(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
        case .timedOut: "no answer came in time"
        case .disconnected: "the connection to D-Bus has ended"
        case .failed(let operation, let code): "\(operation): \(Self.message(of: code))"
        }
    }

    private static func message(of code: Int32) -> String {
        String(cString: strerror(code))
    }
}
