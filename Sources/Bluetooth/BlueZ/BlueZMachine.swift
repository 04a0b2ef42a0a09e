package import DBus
package import GatewayCore
package import Platform

/// A state machine that uses bluetoothd: it handles events and returns actions.
///
/// ``BlueZClient`` receives the events from the bus and performs the actions.
package protocol BlueZMachine: Sendable {
    /// Identifies a call, so that its answer can be matched to it.
    associatedtype Request: Sendable
    /// What the machine reports to its user.
    associatedtype Output: BlueZOutput

    /// A change requested while the machine runs; most machines accept none.
    associatedtype Command: Sendable = Never

    /// The path of the agent that answers bluetoothd's questions about pairing; nil without one.
    ///
    /// The machine registers it and receives the questions as ``BlueZEvent/agent(_:)``.
    static var agentPath: String? { get }
    /// The path of the objects that the machine offers to bluetoothd; nil without any.
    static var objectsPath: String? { get }

    /// The time of the next ``BlueZEvent/timer``.
    var wakeTime: BootInstant? { get }

    /// Handles one event and returns the actions to perform, in order.
    ///
    /// `tree` already contains the changes of the event.
    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Request, Output>]

    /// Applies a command and returns the actions to perform, in order.
    mutating func apply(
        _ command: Command, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Request, Output>]

    /// Answers a call of bluetoothd on an object of the machine, and returns the actions that follow.
    mutating func answer(
        _ call: ObjectCall, at now: BootInstant
    ) -> (ObjectAnswer, [BlueZAction<Request, Output>])
}

extension BlueZMachine {
    package static var agentPath: String? { nil }
    package static var objectsPath: String? { nil }

    package mutating func answer(
        _ call: ObjectCall, at now: BootInstant
    ) -> (ObjectAnswer, [BlueZAction<Request, Output>]) { (.unknown, []) }
}

extension BlueZMachine where Command == Never {
    package mutating func apply(
        _ command: Never, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Request, Output>] {}
}

/// An event for a client of bluetoothd.
package enum BlueZEvent<Request: Sendable>: Sendable {
    /// bluetoothd is running, and the tree contains its objects.
    case available
    /// bluetoothd cannot be used; pending calls are not answered any more.
    case unavailable(LinkError)
    /// The bus connection is lost; the client ends with this error.
    case closed(LinkError)
    /// An object of bluetoothd changed.
    case changed(ManagedObjects.Change)
    /// A call was answered.
    case finished(Request, Result<[BusValue], BusError>)
    /// bluetoothd has asked the agent something.
    case agent(AgentEvent)
    /// The machine's wake time has come.
    case timer
    /// The client is stopping; the machine makes its final calls.
    case stop
}

/// An action of a client of bluetoothd.
package enum BlueZAction<Request: Sendable, Output: BlueZOutput>: Sendable {
    /// Call a method of an object of bluetoothd.
    case call(Request, BlueZCall)
    /// Send bluetoothd a signal of an object of the machine.
    case emit(BusSignal)
    /// Answer the question with this number.
    case answer(Int, AgentAnswer)
    /// Report something to the user of the client.
    case output(Output)
    /// End for this reason, after the preceding calls are answered.
    case end(LinkError)
}

/// A method of an object of bluetoothd, with its arguments.
package struct BlueZCall: Hashable, Sendable {
    package let path: String
    package let interface: String
    package let member: String
    package var body: [BusValue]
    /// The timeout of the call.
    package let timeoutSeconds: Double

    package init(
        path: String, interface: String, member: String, body: [BusValue] = [],
        timeoutSeconds: Double
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
        self.timeoutSeconds = timeoutSeconds
    }
}

extension BlueZEvent {
    var isStop: Bool {
        if case .stop = self { true } else { false }
    }
}

extension BlueZAction {
    var isEnd: Bool {
        if case .end = self { true } else { false }
    }
}
