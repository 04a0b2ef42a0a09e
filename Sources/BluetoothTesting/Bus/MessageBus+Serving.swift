public import DBus

/// A method call on an object that a test serves.
public struct BusRequest: Hashable, Sendable {
    /// The unique name of the caller.
    public let sender: String
    /// The path of the object.
    public let path: String
    /// The interface of the method; empty when the caller omitted it.
    public let interface: String
    /// The name of the method.
    public let member: String
    /// The arguments.
    public let body: [BusValue]
}

/// The reply to a ``BusRequest``; it may be sent at any later time.
///
/// Only the first reply counts. When the object is released without a reply, the request is
/// answered with an error, so that the caller does not wait forever.
package final class BusReply: Sendable {
    private let call: IncomingCall

    fileprivate init(_ call: IncomingCall) {
        self.call = call
    }

    deinit {
        // The call knows whether it has been answered.
        call.onLoop {
            $0.fail(name: "org.freedesktop.DBus.Error.NoReply", message: "no reply")
        }
    }

    /// Replies with these values.
    ///
    /// For invalid values it replies with an error.
    package func `return`(_ body: [BusValue] = []) {
        do {
            try call.reply(body)
        } catch {
            call.fail(
                name: "org.freedesktop.DBus.Error.Failed", message: "cannot encode the reply")
        }
    }

    /// Replies with an error: a name such as `org.bluez.Error.Failed`, and a message.
    package func fail(name: String, message: String) {
        call.fail(name: name, message: message)
    }
}

extension MessageBus {
    /// Serves the objects at and below a path; every call on them is passed to the handler.
    ///
    /// That includes the interfaces that D-Bus itself defines, such as `Properties` and
    /// `Introspectable`, except `org.freedesktop.DBus.Peer`.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` when the path is invalid.
    package func serve(
        _ prefix: String, handler: @escaping (BusRequest, BusReply) -> Void
    ) throws(BusError) {
        try handleCalls(below: prefix) { call in
            let reply = BusReply(call)
            do {
                handler(try BusRequest(call), reply)
            } catch {
                reply.fail(
                    name: "org.freedesktop.DBus.Error.InvalidArgs",
                    message: "cannot decode the arguments")
            }
        }
    }
}

extension BusRequest {
    fileprivate init(_ call: IncomingCall) throws(BusError) {
        sender = call.sender
        path = call.path
        interface = call.interface
        member = call.member
        body = try call.body()
    }
}
