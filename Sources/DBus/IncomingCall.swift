import CSystemd
import Glibc
import Platform

/// A method call received from another program.
///
/// It is for modules that serve objects on the bus.
///
/// `@unchecked Sendable`: the message is touched on the loop's thread alone. Every method checks
/// that, and `deinit` has that thread release it; the loop lives at least as long as the call.
package final class IncomingCall: @unchecked Sendable {
    private let message: OpaquePointer
    private let connection: BusConnection
    private let loop: BusLoop
    private var isAnswered: Bool

    fileprivate init(_ message: OpaquePointer, on connection: BusConnection, _ loop: BusLoop) {
        self.message = sd_bus_message_ref(message)
        self.connection = connection
        self.loop = loop
        isAnswered = sd_bus_message_get_expect_reply(message) <= 0
    }

    deinit {
        nonisolated(unsafe) let message = message
        loop.thread.post { _ in sd_bus_message_unref(message) }
    }

    /// The unique name of the caller.
    package var sender: String { text(sd_bus_message_get_sender) }
    /// The path of the object.
    package var path: String { text(sd_bus_message_get_path) }
    /// The interface of the method; empty when the caller omitted it.
    package var interface: String { text(sd_bus_message_get_interface) }
    /// The name of the method.
    package var member: String { text(sd_bus_message_get_member) }

    private func text(_ part: (OpaquePointer) -> UnsafePointer<CChar>?) -> String {
        loop.checkIsolated()
        return BusConnection.string(part(message)) ?? ""
    }

    /// Reads the arguments.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` when they are malformed or too many.
    package func body() throws(BusError) -> [BusValue] {
        loop.checkIsolated()
        return try connection.body(of: message)
    }

    /// Replies with these values, unless the call is already answered or expects no reply.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` for values that D-Bus does not allow.
    package func reply(_ body: [BusValue]) throws(BusError) {
        guard canBeAnswered else { return }
        let answer = try OutgoingMessage("answering", on: connection, body: body) {
            sd_bus_message_new_method_return(message, &$1)
        }
        try connection.check("answering", sd_bus_send(answer.bus, answer.pointer, nil))
        isAnswered = true
    }

    /// Replies with an error, unless the call is already answered or expects no reply.
    package func fail(name: String, message text: String) {
        guard canBeAnswered else { return }
        isAnswered = true
        // An invalid name would close the connection.
        let isValid = !name.utf8.contains(0) && sd_bus_interface_name_is_valid(name) > 0
        (isValid ? name : "org.freedesktop.DBus.Error.Failed").withCString { name in
            text.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                // It fails only when the connection is lost; then no caller waits.
                sd_bus_reply_method_error(message, &error)
            }
        }
    }

    private var canBeAnswered: Bool {
        loop.checkIsolated()
        return !isAnswered && connection.usable != nil
    }

    /// Runs an action on the loop's thread: immediately when called there, otherwise later.
    package func onLoop(_ action: @escaping @Sendable (IncomingCall) -> Void) {
        guard !loop.isCurrent else { return action(self) }
        loop.thread.post { _ in action(self) }
    }
}

/// The handler of the calls on the objects at and below a path.
final class CallHandler {
    fileprivate let handle: (OpaquePointer) -> Void
    fileprivate var slot: BusSlot?

    fileprivate init(_ handle: @escaping (OpaquePointer) -> Void) {
        self.handle = handle
    }
}

extension BusConnection {
    func addCallHandler(
        _ prefix: String, on loop: BusLoop, _ handler: @escaping (IncomingCall) -> Void
    ) throws(BusError) {
        guard let bus = usable else { throw .disconnected }
        try Self.rejectNul(in: [prefix], "serving")
        guard sd_bus_object_path_is_valid(prefix) > 0 else {
            throw .failed(operation: "serving \(prefix)", code: EINVAL)
        }
        let registered = CallHandler { [unowned self] message in
            handler(IncomingCall(message, on: self, loop))
        }
        var slot: OpaquePointer?
        try check(
            "serving \(prefix)",
            sd_bus_add_fallback(
                bus, &slot, prefix, callArrived, Unmanaged.passUnretained(registered).toOpaque()))
        // `registered` owns the slot, so it is alive in the callback.
        registered.slot = slot.map(BusSlot.init)
        callHandlers.append(registered)
    }
}

private func callArrived(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    handleCallback(message, userdata) { (handler: CallHandler, message) in handler.handle(message) }
    // 1: handled, even if the reply comes later.
    return 1
}
