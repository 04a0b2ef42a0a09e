import DBus
import GatewayCore
import Platform

/// A state machine that uses bluetoothd: it handles events and returns actions.
///
/// ``BlueZClient`` receives the events from the bus and performs the actions.
protocol BlueZMachine: Sendable {
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
}

extension BlueZMachine {
    static var agentPath: String? { nil }
}

extension BlueZMachine where Command == Never {
    mutating func apply(
        _ command: Never, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Request, Output>] {}
}

/// An event for a client of bluetoothd.
enum BlueZEvent<Request: Sendable>: Sendable {
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
enum BlueZAction<Request: Sendable, Output: BlueZOutput>: Sendable {
    /// Call a method of an object of bluetoothd.
    case call(Request, BlueZCall)
    /// Answer the question with this number.
    case answer(Int, AgentAnswer)
    /// Report something to the user of the client.
    case output(Output)
    /// End for this reason, after the preceding calls are answered.
    case end(LinkError)
}

/// A method of an object of bluetoothd, with its arguments.
struct BlueZCall: Hashable, Sendable {
    let path: String
    let interface: String
    let member: String
    var body: [BusValue] = []
    /// The timeout of the call.
    let timeoutSeconds: Double
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
