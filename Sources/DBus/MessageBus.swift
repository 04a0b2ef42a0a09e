import Glibc
import Platform

/// A connection to a message bus.
///
/// It is made and used by an actor whose executor is a ``BusLoop``, and by nobody else; every handler is
/// called on that loop's thread, so it may call into the actor with `assumeIsolated`. No handler is
/// called while a method of the bus runs. Nothing here waits: calls are answered through handlers,
/// each exactly once, also when the connection ends.
///
/// A bus that is released is closed.
public final class MessageBus {
    /// Where the system bus is when nobody says otherwise.
    public static let systemAddress = "unix:path=/run/dbus/system_bus_socket"
    /// How long it may take until a connection can be used.
    public static let setUpSeconds = 10.0

    private let connection: BusConnection
    /// The loop lives at least as long as its connections.
    private let loop: BusLoop

    /// Begins to connect.
    ///
    /// Calls can be made at once; they are sent as soon as the connection stands.
    ///
    /// - Parameters:
    ///   - address: A D-Bus address such as `unix:path=…`; nil for the system bus.
    ///   - loop: The executor of the calling actor.
    ///   - setUpSeconds: When to give up.
    ///   - closed: Called once, when the connection has ended by itself, after all open calls were told.
    /// - Throws: ``BusError/unavailable(address:code:)`` when nobody listens there.
    public init(
        address: String?, on loop: BusLoop, setUpSeconds: Double = MessageBus.setUpSeconds,
        closed: @escaping (BusError) -> Void
    ) throws(BusError) {
        loop.checkIsolated()
        let address = address ?? Self.systemAddress
        guard !address.utf8.contains(0) else {
            throw .unavailable(address: address, code: EINVAL)
        }
        self.loop = loop
        connection = try BusConnection(
            address: address, thread: loop.thread, setUpSeconds: setUpSeconds, closed: closed)
    }

    deinit {
        let connection = connection
        connection.thread.post { _ in connection.close() }
    }

    /// The name that the bus gave this connection; nil until it has.
    public var uniqueName: String? {
        loop.checkIsolated()
        return connection.uniqueName
    }

    /// How many messages came whose body could not be read, and were left out.
    public var refusedMessageCount: Int {
        loop.checkIsolated()
        return connection.refusedMessageCount
    }

    /// How many messages wait until the bus takes them.
    ///
    /// Who sends many at once does well to let them go now and then: the queue's upkeep grows with it.
    public var queuedMessageCount: Int {
        loop.checkIsolated()
        return connection.queuedMessageCount
    }

    /// Calls a method of another program.
    ///
    /// - Parameters:
    ///   - call: The method, and its arguments.
    ///   - timeoutSeconds: When to answer with ``BusError/timedOut``; it counts from when the connection stands.
    ///   - autoStart: Whether the bus may start the program that is called.
    ///   - reply: Called once with what the method returned, or why it did not.
    @discardableResult
    public func call(
        _ call: BusCall, timeoutSeconds: Double, autoStart: Bool = true,
        reply: @escaping (Result<[BusValue], BusError>) -> Void
    ) -> BusCallToken {
        loop.checkIsolated()
        let number = connection.call(
            call, timeoutSeconds: timeoutSeconds, autoStart: autoStart, reply: reply)
        return BusCallToken(number, connection)
    }

    /// Asks for the signals that a rule describes (D-Bus Specification 0.43, "Match Rules").
    ///
    /// - Parameters:
    ///   - rule: Such as `type='signal',interface='org.bluez.Device1'`.
    ///   - installed: Called once when the bus knows the rule, or with why it refused; then no signal comes.
    ///   - handler: Called with every signal that fits, in the order they were sent.
    public func addMatch(
        _ rule: String, installed: @escaping (BusError?) -> Void = { _ in },
        handler: @escaping (BusSignal) -> Void
    ) {
        loop.checkIsolated()
        connection.addMatch(rule, installed: installed, handler: handler)
    }

    /// Hands every call on the objects at and below a path to a handler, which has it answered.
    ///
    /// That includes the interfaces that D-Bus itself defines, such as `Properties` and `Introspectable`,
    /// but for `org.freedesktop.DBus.Peer`.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` when the path is none.
    package func handleCalls(
        below prefix: String, handler: @escaping (IncomingCall) -> Void
    ) throws(BusError) {
        loop.checkIsolated()
        try connection.addCallHandler(prefix, on: loop, handler)
    }

    /// Sends a signal.
    ///
    /// - Parameters:
    ///   - signal: What to say; its sender is left out.
    ///   - destination: The only receiver; nil for everybody with a match for it.
    /// - Throws: ``BusError/failed(operation:code:)`` when it is not well formed or too much waits.
    public func emit(_ signal: BusSignal, to destination: String? = nil) throws(BusError) {
        loop.checkIsolated()
        try connection.emit(signal, to: destination)
    }

    /// Ends the connection, once what waits has been written, or at once without that.
    ///
    /// Calls without an answer get ``BusError/disconnected``. A second call does nothing.
    public func close(writingRest: Bool = true) {
        loop.checkIsolated()
        connection.close(writingRest: writingRest)
    }
}

/// A call under way, for somebody who may lose interest.
public struct BusCallToken {
    private let number: UInt64
    private let connection: BusConnection

    init(_ number: UInt64, _ connection: BusConnection) {
        self.number = number
        self.connection = connection
    }

    /// Forgets the call; its handler is not called any more.
    ///
    /// The other program is not told: it may still do what it was asked for.
    public func cancel() {
        precondition(
            connection.thread.isCurrent, "a BusCallToken is used only on its loop's thread")
        connection.cancel(call: number)
    }
}
