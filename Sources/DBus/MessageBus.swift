import Glibc
import Platform

/// A connection to a message bus.
///
/// It is made and used only by an actor whose executor is a ``BusLoop``; every handler is called on
/// that loop's thread, so it may call into the actor with `assumeIsolated`. No handler is called
/// while a method of the bus runs. No method blocks: results are delivered to handlers, exactly
/// once for each call, also when the connection ends.
///
/// Releasing the last reference closes the connection.
public final class MessageBus {
    /// The default address of the system bus.
    public static let systemAddress = "unix:path=/run/dbus/system_bus_socket"
    /// The default timeout for setting up a connection.
    public static let setUpSeconds = 10.0

    private let connection: BusConnection
    /// The loop lives at least as long as its connections.
    private let loop: BusLoop

    /// Starts to connect.
    ///
    /// Calls can be made immediately; they are sent as soon as the connection is set up.
    ///
    /// - Parameters:
    ///   - address: A D-Bus address such as `unix:path=…`; nil for the system bus.
    ///   - loop: The executor of the calling actor.
    ///   - setUpSeconds: The timeout for setting up the connection.
    ///   - acceptsDescriptors: Whether messages may bring file descriptors.
    ///   - closed: Called once when the connection is lost, after all pending calls have failed.
    /// - Throws: ``BusError/unavailable(address:code:)`` when no bus listens at the address.
    public init(
        address: String?, on loop: BusLoop, setUpSeconds: Double = MessageBus.setUpSeconds,
        acceptsDescriptors: Bool = false, closed: @escaping (BusError) -> Void
    ) throws(BusError) {
        loop.checkIsolated()
        let address = address ?? Self.systemAddress
        guard !address.utf8.contains(0) else {
            throw .unavailable(address: address, code: EINVAL)
        }
        self.loop = loop
        connection = try BusConnection(
            address: address, thread: loop.thread, setUpSeconds: setUpSeconds,
            acceptsDescriptors: acceptsDescriptors, closed: closed)
    }

    deinit {
        let connection = connection
        connection.thread.post { _ in connection.close() }
    }

    /// The unique name of this connection; nil until the bus has assigned it.
    public var uniqueName: String? {
        loop.checkIsolated()
        return connection.uniqueName
    }

    /// The identifier of the bus, which every start of a bus makes anew; nil until it is connected.
    public var busID: String? {
        loop.checkIsolated()
        return connection.busID
    }

    /// The number of messages discarded because their body was malformed or too large.
    public var rejectedMessageCount: Int {
        loop.checkIsolated()
        return connection.rejectedMessageCount
    }

    /// The number of malformed values that were left out of messages.
    public var skippedValueCount: Int {
        loop.checkIsolated()
        return connection.skippedValueCount
    }

    /// The number of elements that were left out of the array arguments of messages, because these
    /// have more than a million values.
    public var leftOutElementCount: Int {
        loop.checkIsolated()
        return connection.leftOutElementCount
    }

    /// Sets the handler of malformed values that were left out, and of messages that were discarded.
    ///
    /// It is called before the handler of the message, at most 100 times for each message.
    public func onSkippedValue(_ handler: @escaping (SkippedValue) -> Void) {
        loop.checkIsolated()
        connection.skipped = handler
    }

    /// The number of messages queued for sending.
    ///
    /// A caller that sends many messages should let the queue drain regularly: its cost grows with
    /// its length.
    public var queuedMessageCount: Int {
        loop.checkIsolated()
        return connection.queuedMessageCount
    }

    /// Calls a method of another program.
    ///
    /// - Parameters:
    ///   - call: The method, and its arguments.
    ///   - timeoutSeconds: The time after which the call fails with ``BusError/timedOut``, counted
    ///     from when the connection is set up.
    ///   - autoStart: Whether the bus may start the program that is called.
    ///   - reply: Called once with the values returned by the method, or the error.
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

    /// Calls a method of another program without waiting for a reply, which is not sent.
    ///
    /// The call is lost when it is invalid or the connection has ended.
    public func send(_ call: BusCall) {
        loop.checkIsolated()
        connection.sendWithoutReply(call)
    }

    /// Adds a match rule for signals (D-Bus Specification 0.43, "Match Rules").
    ///
    /// - Parameters:
    ///   - rule: A match rule such as `type='signal',interface='org.bluez.Device1'`.
    ///   - installed: Called once when the bus has added the rule, or with the error; then no
    ///     signal is delivered.
    ///   - handler: Called with every matching signal, in the order sent.
    public func addMatch(
        _ rule: String, installed: @escaping (BusError?) -> Void = { _ in },
        handler: @escaping (BusSignal) -> Void
    ) {
        loop.checkIsolated()
        connection.addMatch(rule, installed: installed, handler: handler)
    }

    /// Passes every call on the objects at and below a path to a handler, which answers it.
    ///
    /// That includes the interfaces that D-Bus itself defines, such as `Properties` and
    /// `Introspectable`, except `org.freedesktop.DBus.Peer`.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` when the path is invalid.
    package func handleCalls(
        below prefix: String, handler: @escaping (IncomingCall) -> Void
    ) throws(BusError) {
        loop.checkIsolated()
        try connection.addCallHandler(prefix, on: loop, handler)
    }

    /// Sends a signal.
    ///
    /// - Parameters:
    ///   - signal: The signal to send; its sender is ignored.
    ///   - destination: The only receiver; nil for all connections with a matching rule.
    /// - Throws: ``BusError/failed(operation:code:)`` when it is malformed or the queue is full.
    public func emit(_ signal: BusSignal, to destination: String? = nil) throws(BusError) {
        loop.checkIsolated()
        try connection.emit(signal, to: destination)
    }

    /// Closes the connection, after queued messages are written (`flushing`) or immediately.
    ///
    /// Pending calls fail with ``BusError/disconnected``. A second call does nothing.
    public func close(flushing: Bool = true) {
        loop.checkIsolated()
        connection.close(flushing: flushing)
    }
}

/// A pending call that can be cancelled.
public struct BusCallToken {
    private let number: UInt64
    private let connection: BusConnection

    init(_ number: UInt64, _ connection: BusConnection) {
        self.number = number
        self.connection = connection
    }

    /// Cancels the call; its handler is not called any more.
    ///
    /// The other program is not notified: it may still execute the method.
    public func cancel() {
        precondition(
            connection.thread.isCurrent, "a BusCallToken is used only on its loop's thread")
        connection.cancel(call: number)
    }
}
