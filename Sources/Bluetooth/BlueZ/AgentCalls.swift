import DBus

/// The calls of bluetoothd to the agent that have no answer yet.
struct AgentCalls {
    /// The maximum number of calls; bluetoothd makes one at a time for each adapter.
    static let limit = 16

    private var calls: [Int: IncomingCall] = [:]
    private var lastNumber = 0

    /// Adds a call; returns the number of its answer, or nil when it was rejected.
    mutating func add(_ call: IncomingCall) -> Int? {
        guard calls.count < Self.limit else {
            Self.answer(call, .reject)
            return nil
        }
        lastNumber += 1
        calls[lastNumber] = call
        return lastNumber
    }

    /// Answers a call, unless it has been answered or canceled.
    mutating func answer(_ number: Int, _ answer: AgentAnswer) {
        guard let call = calls.removeValue(forKey: number) else { return }
        Self.answer(call, answer)
    }

    /// Cancels all calls.
    mutating func cancelAll() {
        for call in calls.values { Self.answer(call, .cancel) }
        calls = [:]
    }

    private static func answer(_ call: IncomingCall, _ answer: AgentAnswer) {
        switch answer {
        case .accept: reply(to: call, [])
        case .passkey(let passkey): reply(to: call, [.uint32(passkey)])
        case .pinCode(let pin): reply(to: call, [.string(pin)])
        case .reject: call.fail(name: "org.bluez.Error.Rejected", message: "rejected")
        case .cancel: call.fail(name: "org.bluez.Error.Canceled", message: "canceled")
        }
    }

    private static func reply(to call: IncomingCall, _ body: [BusValue]) {
        do {
            try call.reply(body)
        } catch {
            // A text that D-Bus does not allow.
            call.fail(name: "org.bluez.Error.Rejected", message: "invalid answer")
        }
    }
}
