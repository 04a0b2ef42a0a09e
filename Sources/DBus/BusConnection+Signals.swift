import CSystemd
import Glibc

/// A match rule for signals with its handler.
final class Match {
    let number: UInt64
    let handler: (BusSignal) -> Void
    /// Holds this in its matches.
    unowned let connection: BusConnection
    fileprivate var installed: ((BusError?) -> Void)?
    fileprivate var slot: BusSlot?

    init(
        number: UInt64, connection: BusConnection, installed: @escaping (BusError?) -> Void,
        handler: @escaping (BusSignal) -> Void
    ) {
        self.number = number
        self.connection = connection
        self.installed = installed
        self.handler = handler
    }

    /// Returns the `installed` handler once, so that it is called at most once.
    func removeInstalledHandler() -> ((BusError?) -> Void)? {
        defer { installed = nil }
        return installed
    }
}

extension BusConnection {
    func addMatch(
        _ rule: String, installed: @escaping (BusError?) -> Void,
        handler: @escaping (BusSignal) -> Void
    ) {
        let match = Match(
            number: nextNumber(), connection: self, installed: installed, handler: handler)
        matches[match.number] = match
        do {
            try install(rule, match)
        } catch {
            later { $0.finish(match.number, error) }
        }
    }

    private func install(_ rule: String, _ match: Match) throws(BusError) {
        guard let bus = usable else { throw .disconnected }
        try Self.rejectNul(in: [rule], "adding a match rule")
        var slot: OpaquePointer?
        try check(
            "adding match rule \(rule)",
            sd_bus_add_match_async(
                bus, &slot, rule, signalArrived, matchInstalled,
                Unmanaged.passUnretained(match).toOpaque()))
        // `match` owns the slot, so it is alive in the callback.
        match.slot = slot.map(BusSlot.init)
    }

    fileprivate func finish(_ number: UInt64, _ error: BusError?) {
        guard let match = matches[number] else { return }
        if error != nil { matches[number] = nil }
        match.removeInstalledHandler()?(error)
    }

    /// Sends a signal to one connection, or to all that have a match for it.
    func emit(_ signal: BusSignal, to destination: String?) throws(BusError) {
        let operation = "sending \(signal.member)"
        try Self.rejectNul(
            in: [signal.path, signal.interface, signal.member, destination ?? ""], operation)
        let message = try OutgoingMessage(operation, on: self, body: signal.body) {
            sd_bus_message_new_signal($0, &$1, signal.path, signal.interface, signal.member)
        }
        if let destination {
            try check(operation, sd_bus_message_set_destination(message.pointer, destination))
        }
        try check(operation, sd_bus_send(message.bus, message.pointer, nil))
    }

    fileprivate func signal(_ message: OpaquePointer) -> BusSignal? {
        do {
            return BusSignal(
                sender: Self.string(sd_bus_message_get_sender(message)),
                Self.string(sd_bus_message_get_path(message)) ?? "",
                Self.string(sd_bus_message_get_interface(message)) ?? "",
                Self.string(sd_bus_message_get_member(message)) ?? "",
                try body(of: message))
        } catch {
            return nil
        }
    }

    static func string(_ start: UnsafePointer<CChar>?) -> String? {
        start.map { String(cString: $0) }
    }
}

private func signalArrived(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    handleCallback(message, userdata) { (match: Match, message) in
        // A rule without a type also matches calls and replies.
        guard sd_bus_message_is_signal(message, nil, nil) > 0 else { return }
        if let signal = match.connection.signal(message) { match.handler(signal) }
    }
    // 0: other matches get it too.
    return 0
}

private func matchInstalled(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    handleCallback(message, userdata) { (match: Match, message) in
        match.connection.finish(match.number, match.connection.error(of: message))
    }
    return 0
}
