public import DBus

/// A call that somebody makes on an object that a test serves.
public struct BusRequest: Hashable, Sendable {
    /// The unique name of the caller.
    public let sender: String
    /// The object.
    public let path: String
    /// The interface of the method; empty when the caller left it out.
    public let interface: String
    /// The method.
    public let member: String
    /// The arguments.
    public let body: [BusValue]
}

/// The answer that a ``BusRequest`` waits for; it may be given at any later time.
///
/// Only the first answer counts. A request whose reply object is released without one is answered with
/// an error, so that no caller waits in vain.
package final class BusReply: Sendable {
    private let call: IncomingCall

    fileprivate init(_ call: IncomingCall) {
        self.call = call
    }

    deinit {
        // The call knows whether it has been answered.
        call.onLoop {
            $0.fail(name: "org.freedesktop.DBus.Error.NoReply", message: "nobody answers")
        }
    }

    /// Answers with these values.
    ///
    /// Values that D-Bus does not allow are answered with an error.
    package func `return`(_ body: [BusValue] = []) {
        do {
            try call.reply(body)
        } catch {
            call.fail(
                name: "org.freedesktop.DBus.Error.Failed", message: "the answer cannot be written")
        }
    }

    /// Answers with an error: its name, `org.bluez.Error.Failed`, and a text for people.
    package func fail(name: String, message: String) {
        call.fail(name: name, message: message)
    }
}

extension MessageBus {
    /// Answers for the objects at and below a path; every call on them comes to the handler.
    ///
    /// That includes the interfaces that D-Bus itself defines, such as `Properties` and `Introspectable`,
    /// but for `org.freedesktop.DBus.Peer`.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` when the path is none.
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
                    message: "the arguments are not readable")
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
