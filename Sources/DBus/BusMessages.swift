import Glibc

/// A method call on an object of another program.
public struct BusCall: Hashable, Sendable {
    /// The destination: a well-known name such as `org.bluez`, or a unique name.
    public var destination: String
    /// The path of the object.
    public var path: String
    /// The interface of the method.
    public var interface: String
    /// The name of the method.
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
    /// The unique name of the sender; nil for a signal to send.
    public var sender: String?
    /// The path of the object that emits it.
    public var path: String
    /// The interface of the signal.
    public var interface: String
    /// The name of the signal.
    public var member: String
    /// The arguments.
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

/// An error of a D-Bus operation.
public enum BusError: Error, Hashable, CustomStringConvertible {
    /// The connection to the bus at this address failed.
    case unavailable(address: String, code: Int32)
    /// The other program replied with an error.
    case remote(name: String, message: String)
    /// No reply arrived in time.
    case timedOut
    /// The connection has ended.
    case disconnected
    /// An operation failed with this `errno`.
    case failed(operation: String, code: Int32)

    /// A description of the error.
    public var description: String {
        switch self {
        case .unavailable(let address, let code):
            "cannot connect to D-Bus at \(address): \(Self.message(of: code))"
        case .remote(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
        case .timedOut: "timed out waiting for a reply"
        case .disconnected: "D-Bus connection closed"
        case .failed(let operation, let code): "\(operation): \(Self.message(of: code))"
        }
    }

    private static func message(of code: Int32) -> String {
        String(cString: strerror(code))
    }
}
