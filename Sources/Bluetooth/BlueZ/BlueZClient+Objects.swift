package import DBus
import Platform

/// The objects that the machine offers to bluetoothd.
extension BlueZClient {
    func serveObjects(on bus: MessageBus) throws(BusError) {
        guard let path = Machine.objectsPath else { return }
        try bus.handleCalls(below: path) { [weak self] call in
            self?.assumeIsolated { $0.answer(call) }
        }
    }

    private func answer(_ call: IncomingCall) {
        guard isLoaded, call.sender == owner, let body = try? call.body() else {
            return call.fail(
                name: "org.freedesktop.DBus.Error.AccessDenied",
                message: "this object is only for bluetoothd")
        }
        let (answer, actions) = machine.answer(
            ObjectCall(
                path: call.path, interface: call.interface, member: call.member, body: body),
            at: clock.now())
        switch answer {
        case .values(let values): try? call.reply(values)
        case .error(let name, let message): call.fail(name: name, message: message)
        }
        perform(actions, isEnd: false)
    }
}

/// A call of bluetoothd on an object that this program offers.
package struct ObjectCall: Hashable, Sendable {
    package let path: String
    package let interface: String
    package let member: String
    package let body: [BusValue]

    package init(path: String, interface: String, member: String, body: [BusValue] = []) {
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
    }
}

/// The answer to an ``ObjectCall``.
package enum ObjectAnswer: Hashable, Sendable {
    /// The results of the method.
    case values([BusValue])
    /// The name of an error and its text.
    case error(String, String)

    /// There is no such method or object.
    package static let unknown = error("org.freedesktop.DBus.Error.UnknownMethod", "unknown method")
}
