import DBus

/// The agent of the machine.
extension BlueZClient {
    /// Serves the agent's object, if the machine has one.
    func serveAgent(on bus: MessageBus) throws(BusError) {
        guard let path = Machine.agentPath else { return }
        try bus.handleCalls(below: path) { [weak self] call in
            self?.assumeIsolated { $0.receive(call) }
        }
    }

    private func receive(_ call: IncomingCall) {
        guard isLoaded, call.sender == owner, call.path == Machine.agentPath,
            call.interface == BlueZName.agent
        else {
            return call.fail(
                name: "org.freedesktop.DBus.Error.AccessDenied",
                message: "this object is only for bluetoothd")
        }
        switch call.member {
        case "Release", "Cancel":
            agentCalls.cancelAll()
            try? call.reply([])
            handle(.agent(.canceled))
        default: ask(call)
        }
    }

    private func ask(_ call: IncomingCall) {
        guard let body = try? call.body(), let question = AgentQuestion(call.member, body) else {
            return call.fail(
                name: "org.freedesktop.DBus.Error.UnknownMethod", message: "not understood")
        }
        guard let number = agentCalls.add(call) else { return }
        handle(.agent(.asked(question, number: number)))
    }
}
