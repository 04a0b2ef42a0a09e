import DBus
import GatewayCore
import Platform

/// What a client of bluetoothd wants: a state machine that takes events and returns actions.
///
/// ``BlueZClient`` has the bus, and carries the actions out.
protocol BlueZMachine: Sendable {
    /// Names a call, so that its answer is understood.
    associatedtype Request: Sendable
    /// What comes out at the other end.
    associatedtype Output: BlueZOutput

    /// What it can be commanded while it works; most machines do one thing until they end.
    associatedtype Command: Sendable = Never

    /// When it wants the next ``BlueZEvent/timer``.
    var wakeTime: BootInstant? { get }

    /// Takes one event and answers with what is to be done, in order.
    ///
    /// `tree` already shows what the event has changed.
    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Request, Output>]

    /// Applies a command and answers with what is to be done, in order.
    mutating func apply(
        _ command: Command, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Request, Output>]
}

extension BlueZMachine where Command == Never {
    mutating func apply(
        _ command: Never, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Request, Output>] {}
}

/// What happens to a client of bluetoothd.
enum BlueZEvent<Request: Sendable>: Sendable {
    /// bluetoothd is there, and the tree shows its objects.
    case available
    /// bluetoothd cannot be used; what it was asked is not answered any more.
    case unavailable(LinkError)
    /// The bus is gone, and with it everything; whoever runs the client is told too.
    case closed(LinkError)
    /// bluetoothd has said that something changed.
    case changed(ManagedObjects.Change)
    /// A call was answered.
    case finished(Request, Result<[BusValue], BusError>)
    /// The time that was asked for has come.
    case timer
    /// It is time to end; the calls that this makes are the last.
    case stop
}

/// What a client of bluetoothd does.
enum BlueZAction<Request: Sendable, Output: BlueZOutput>: Sendable {
    /// Call a method of an object of bluetoothd.
    case call(Request, BlueZCall)
    /// Hand something on.
    case output(Output)
    /// End for this reason, once the calls before it are answered.
    case end(LinkError)
}

/// A method of an object of bluetoothd, with its arguments.
struct BlueZCall: Hashable, Sendable {
    let path: String
    let interface: String
    let member: String
    var body: [BusValue] = []
    /// How long its answer may take.
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
