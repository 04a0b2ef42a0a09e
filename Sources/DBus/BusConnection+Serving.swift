import CSystemd
import Glibc

/// Objects below a path, and who answers for them.
final class ServedObject {
    let handler: (BusRequest, BusReply) -> Void
    /// Holds this in its served objects.
    unowned let connection: BusConnection
    fileprivate var slot: BusSlot?

    init(connection: BusConnection, handler: @escaping (BusRequest, BusReply) -> Void) {
        self.connection = connection
        self.handler = handler
    }
}

/// A call by somebody who waits for the answer; released on the loop's thread.
final class UnansweredRequest {
    fileprivate let message: OpaquePointer

    fileprivate init(_ message: OpaquePointer) {
        self.message = sd_bus_message_ref(message)
    }

    deinit {
        sd_bus_message_unref(message)
    }
}

extension BusConnection {
    /// The most requests that wait for an answer; more are refused.
    static let requestLimit = 4096

    func serve(
        _ prefix: String, handler: @escaping (BusRequest, BusReply) -> Void
    ) throws(BusError) {
        guard let bus = usable else { throw .disconnected }
        try Self.refuseNul(in: [prefix], "serving")
        guard sd_bus_object_path_is_valid(prefix) > 0 else {
            throw .failed(operation: "serving \(prefix)", code: EINVAL)
        }
        let served = ServedObject(connection: self, handler: handler)
        var slot: OpaquePointer?
        try check(
            "serving \(prefix)",
            sd_bus_add_fallback(
                bus, &slot, prefix, requestArrived, Unmanaged.passUnretained(served).toOpaque()))
        // The slot goes with `served`, so the callback never finds it gone.
        served.slot = slot.map(BusSlot.init)
        servedObjects.append(served)
    }

    fileprivate func take(_ message: OpaquePointer, for served: ServedObject) {
        let number = nextNumber()
        if sd_bus_message_get_expect_reply(message) > 0 {
            requests[number] = UnansweredRequest(message)
        }
        guard requests.count <= Self.requestLimit else {
            fail(number, "org.freedesktop.DBus.Error.LimitsExceeded", "too many calls wait")
            return
        }
        do {
            let request = BusRequest(
                sender: Self.string(sd_bus_message_get_sender(message)) ?? "",
                path: Self.string(sd_bus_message_get_path(message)) ?? "",
                interface: Self.string(sd_bus_message_get_interface(message)) ?? "",
                member: Self.string(sd_bus_message_get_member(message)) ?? "",
                body: try MessageReader.body(of: message))
            served.handler(request, BusReply(number, self))
        } catch {
            refusedMessageCount += 1
            fail(number, "org.freedesktop.DBus.Error.InvalidArgs", "the arguments are not readable")
        }
    }

    /// Answers a request, unless it is answered already.
    func answer(_ number: UInt64, _ body: [BusValue]) {
        guard let request = requests.removeValue(forKey: number) else { return }
        do {
            try send(body, to: request)
        } catch {
            fail(request, "org.freedesktop.DBus.Error.Failed", "the answer cannot be written")
        }
    }

    func fail(_ number: UInt64, _ name: String, _ text: String) {
        guard let request = requests.removeValue(forKey: number) else { return }
        fail(request, name, text)
    }

    private func send(_ body: [BusValue], to request: UnansweredRequest) throws(BusError) {
        let operation = "answering"
        let message = try OutgoingMessage(operation, on: self, saying: body) {
            sd_bus_message_new_method_return(request.message, &$1)
        }
        try check(operation, sd_bus_send(message.bus, message.pointer, nil))
    }

    private func fail(_ request: UnansweredRequest, _ name: String, _ text: String) {
        // A name that is none would end the connection.
        let isValid = !name.utf8.contains(0) && sd_bus_interface_name_is_valid(name) > 0
        (isValid ? name : "org.freedesktop.DBus.Error.Failed").withCString { name in
            text.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                // It fails only when the connection has: then nobody waits.
                sd_bus_reply_method_error(request.message, &error)
            }
        }
    }
}

private func requestArrived(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    handleCallback(message, userdata) { (served: ServedObject, message) in
        served.connection.take(message, for: served)
    }
    // 1: it is taken, whenever the answer comes.
    return 1
}
