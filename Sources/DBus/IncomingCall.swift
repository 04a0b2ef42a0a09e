import CSystemd
import Glibc
import Platform

/// A method call of another program, as sd-bus delivered it.
///
/// It is what a room needs that serves objects on the bus; nothing else here serves any.
///
/// `@unchecked Sendable`: the message is touched on the loop's thread alone. Every method checks that,
/// and `deinit` has that thread release it; the loop lives at least as long as the call.
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
    /// The object.
    package var path: String { text(sd_bus_message_get_path) }
    /// The interface of the method; empty when the caller left it out.
    package var interface: String { text(sd_bus_message_get_interface) }
    /// The method.
    package var member: String { text(sd_bus_message_get_member) }

    private func text(_ part: (OpaquePointer) -> UnsafePointer<CChar>?) -> String {
        loop.checkIsolated()
        return BusConnection.string(part(message)) ?? ""
    }

    /// Reads the arguments.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` when they are not readable, or too many.
    package func body() throws(BusError) -> [BusValue] {
        loop.checkIsolated()
        do {
            return try MessageReader.body(of: message)
        } catch {
            connection.refusedMessageCount += 1
            throw error
        }
    }

    /// Answers with these values, unless the call is answered already or expects no answer.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` for values that D-Bus does not allow.
    package func reply(_ body: [BusValue]) throws(BusError) {
        guard canBeAnswered else { return }
        let answer = try OutgoingMessage("answering", on: connection, saying: body) {
            sd_bus_message_new_method_return(message, &$1)
        }
        try connection.check("answering", sd_bus_send(answer.bus, answer.pointer, nil))
        isAnswered = true
    }

    /// Answers with an error, unless the call is answered already or expects no answer.
    package func fail(name: String, message text: String) {
        guard canBeAnswered else { return }
        isAnswered = true
        // A name that is none would end the connection.
        let isValid = !name.utf8.contains(0) && sd_bus_interface_name_is_valid(name) > 0
        (isValid ? name : "org.freedesktop.DBus.Error.Failed").withCString { name in
            text.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                // It fails only when the connection has: then nobody waits.
                sd_bus_reply_method_error(message, &error)
            }
        }
    }

    private var canBeAnswered: Bool {
        loop.checkIsolated()
        return !isAnswered && connection.usable != nil
    }

    /// Does something with the call on the loop's thread: at once when that is the caller's, else later.
    package func onLoop(_ action: @escaping @Sendable (IncomingCall) -> Void) {
        guard !loop.isCurrent else { return action(self) }
        loop.thread.post { _ in action(self) }
    }
}

/// A path, and who takes the calls on the objects at and below it.
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
        try Self.refuseNul(in: [prefix], "serving")
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
        // The slot goes with `registered`, so the callback never finds it gone.
        registered.slot = slot.map(BusSlot.init)
        callHandlers.append(registered)
    }
}

private func callArrived(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    handleCallback(message, userdata) { (handler: CallHandler, message) in handler.handle(message) }
    // 1: it is taken, whenever the answer comes.
    return 1
}
