import CSystemd
import Glibc
import Platform

/// A call that has no answer yet.
final class PendingCall {
    let number: UInt64
    let reply: (Result<[BusValue], BusError>) -> Void
    /// Holds this in its calls.
    unowned let connection: BusConnection
    /// Nil for a call that could not be sent.
    fileprivate(set) var slot: BusSlot?

    init(
        number: UInt64, connection: BusConnection,
        reply: @escaping (Result<[BusValue], BusError>) -> Void
    ) {
        self.number = number
        self.connection = connection
        self.reply = reply
    }
}

extension BusConnection {
    /// The maximum length of a remote error text, in bytes.
    private static let errorTextLimit = 1_000

    /// Sends a call and returns its number.
    func call(
        _ call: BusCall, timeoutSeconds: Double, autoStart: Bool,
        reply: @escaping (Result<[BusValue], BusError>) -> Void
    ) -> UInt64 {
        let pending = PendingCall(number: nextNumber(), connection: self, reply: reply)
        calls[pending.number] = pending
        do {
            try send(call, pending, SystemTime.microseconds(ofSeconds: timeoutSeconds), autoStart)
        } catch {
            later { $0.finish(pending.number, .failure(error)) }
        }
        return pending.number
    }

    func cancel(call number: UInt64) {
        calls[number] = nil
    }

    private func send(
        _ call: BusCall, _ pending: PendingCall, _ microseconds: UInt64, _ autoStart: Bool
    ) throws(BusError) {
        let operation = "calling \(call.member)"
        let message = try makeMessage(call, operation)
        try check(operation, sd_bus_message_set_auto_start(message.pointer, autoStart ? 1 : 0))
        var slot: OpaquePointer?
        try check(
            operation,
            sd_bus_call_async(
                message.bus, &slot, message.pointer, replyArrived,
                Unmanaged.passUnretained(pending).toOpaque(), microseconds))
        // `pending` owns the slot, so it is alive in the callback.
        pending.slot = slot.map(BusSlot.init)
    }

    private func makeMessage(
        _ call: BusCall, _ operation: String
    ) throws(BusError) -> OutgoingMessage {
        try Self.rejectNul(
            in: [call.destination, call.path, call.interface, call.member], operation)
        return try OutgoingMessage(operation, on: self, body: call.body) {
            sd_bus_message_new_method_call(
                $0, &$1, call.destination, call.path, call.interface, call.member)
        }
    }

    /// Sends a call without a reply; it is lost when it cannot be sent.
    func sendWithoutReply(_ call: BusCall) {
        guard let message = try? makeMessage(call, "calling \(call.member)") else { return }
        // Without a cookie sd-bus marks the message as one without a reply.
        sd_bus_send(message.bus, message.pointer, nil)
    }

    fileprivate func finish(_ number: UInt64, _ result: Result<[BusValue], BusError>) {
        // Cancelled, or already failed because the connection has ended.
        guard let call = calls.removeValue(forKey: number) else { return }
        call.reply(result)
    }

    /// The result of a reply: its values or its error.
    func result(of message: OpaquePointer) -> Result<[BusValue], BusError> {
        if let error = error(of: message) { return .failure(error) }
        do {
            return .success(try body(of: message))
        } catch {
            return .failure(error)
        }
    }

    /// The error of an error reply; nil for other messages.
    func error(of message: OpaquePointer) -> BusError? {
        guard let error = sd_bus_message_get_error(message)?.pointee else { return nil }
        guard Self.isOwn(message) else {
            return .remote(name: Self.text(error.name), message: Self.text(error.message))
        }
        guard let bus = usable, sd_bus_is_open(bus) > 0 else { return .disconnected }
        return .timedOut
    }

    /// Whether sd-bus generated this error itself, as it does at a timeout and on disconnection.
    ///
    /// Such errors have a serial number that no bus assigns.
    private static func isOwn(_ message: OpaquePointer) -> Bool {
        var cookie: UInt64 = 0
        return sd_bus_message_get_cookie(message, &cookie) >= 0 && cookie == 0xFFFF_FFFF
    }

    private static func text(_ start: UnsafePointer<CChar>?) -> String {
        guard let start else { return "" }
        let length = strnlen(start, errorTextLimit)
        return start.withMemoryRebound(to: UInt8.self, capacity: length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }

    /// Rejects texts with a NUL, which C would truncate.
    static func rejectNul(in texts: [String], _ operation: String) throws(BusError) {
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw .failed(operation: operation, code: EINVAL)
        }
    }

    func check(_ operation: String, _ result: Int32) throws(BusError) {
        guard result < 0 else { return }
        let code = -result
        throw code == ENOTCONN ? .disconnected : .failed(operation: operation, code: code)
    }
}

private func replyArrived(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    handleCallback(message, userdata) { (call: PendingCall, message) in
        let connection = call.connection
        connection.finish(call.number, connection.result(of: message))
    }
    return 0
}
