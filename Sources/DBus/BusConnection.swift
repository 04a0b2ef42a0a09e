import CSystemd
import Glibc
import Platform

/// An sd-bus connection with its pending calls, match rules and call handlers.
///
/// Like sd-bus, it is not thread-safe.
///
/// `@unchecked Sendable`: only references to it cross threads. All its state is touched on its
/// loop's thread alone: ``MessageBus`` checks that for every call of its own, ``BusConnections``
/// and sd-bus's callbacks run there, and the `deinit`s of ``MessageBus`` and ``IncomingCall`` post
/// to that thread instead of calling.
final class BusConnection: @unchecked Sendable {
    /// How long a closed connection may continue to write queued messages.
    private static let lingerSeconds = 1.0
    /// The error codes of sd-bus for a lost connection.
    private static let lossCodes: Set<Int32> = [ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN]

    private enum Phase {
        case starting(deadline: UInt64)
        case open
        /// Closed by its owner; queued messages are still written.
        case lingering(deadline: UInt64)
        case ended
    }

    /// What a connection waits for.
    struct Wait {
        let descriptor: Int32
        let events: Int16
        let deadlineMicroseconds: UInt64
    }

    let thread: BusThread
    private let address: String
    private let closed: (BusError) -> Void
    private var phase: Phase
    private var bus: OpaquePointer?
    private var lastNumber: UInt64 = 0

    var calls: [UInt64: PendingCall] = [:]
    var matches: [UInt64: Match] = [:]
    var callHandlers: [CallHandler] = []
    /// The number of messages whose body was malformed or too large.
    var rejectedMessageCount = 0
    /// The number of malformed values that were left out of messages.
    var skippedValueCount = 0
    /// The number of elements that were left out of messages with too many values.
    var leftOutElementCount = 0
    /// Receives a description of every value that was left out, and of every rejected message.
    var skipped: (SkippedValue) -> Void = { _ in }

    init(
        address: String, thread: BusThread, setUpSeconds: Double, acceptsDescriptors: Bool,
        closed: @escaping (BusError) -> Void
    ) throws(BusError) {
        self.thread = thread
        self.address = address
        self.closed = closed
        phase = .starting(deadline: SystemTime.monotonicDeadline(inSeconds: setUpSeconds))
        bus = try Self.start(address, acceptsDescriptors: acceptsDescriptors)
        thread.post { $0.attach(self) }
    }

    private static func start(
        _ address: String, acceptsDescriptors: Bool
    ) throws(BusError) -> OpaquePointer {
        var bus: OpaquePointer?
        var code = sd_bus_new(&bus)
        if code >= 0 { code = sd_bus_set_address(bus, address) }
        if code >= 0 { code = sd_bus_set_bus_client(bus, 1) }
        // Otherwise messages with descriptors are not accepted, so none can be left open.
        if code >= 0 { code = sd_bus_negotiate_fds(bus, acceptsDescriptors ? 1 : 0) }
        if code >= 0 { code = sd_bus_start(bus) }
        guard code >= 0, let bus else {
            sd_bus_close_unref(bus)
            throw .unavailable(address: address, code: -code)
        }
        return bus
    }

    /// The connection for new operations; nil once it has ended.
    var usable: OpaquePointer? {
        switch phase {
        case .starting, .open: bus
        case .lingering, .ended: nil
        }
    }

    var uniqueName: String? {
        // Before the connection is ready, sd-bus would block here.
        guard let bus = usable, sd_bus_is_ready(bus) > 0 else { return nil }
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return nil }
        return String(cString: name)
    }

    var busID: String? {
        guard let bus = usable, sd_bus_is_ready(bus) > 0 else { return nil }
        var id = sd_id128_t()
        guard sd_bus_get_bus_id(bus, &id) >= 0 else { return nil }
        return withUnsafeBytes(of: id) { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// A unique number for a call or match.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Runs an action after the current call: no handler is called while a method of the bus runs.
    func later(_ action: @escaping (BusConnection) -> Void) {
        // The closure never leaves the loop's thread: it is made and called there.
        nonisolated(unsafe) let action = action
        thread.post { _ in action(self) }
    }
}

extension BusConnection {
    /// Processes up to `limit` messages; returns whether more may be pending.
    func process(limit: Int) -> Bool {
        for _ in 0..<limit {
            // A handler may have closed the connection.
            guard let bus else { return false }
            let result = sd_bus_process(bus, nil)
            guard result >= 0 else {
                end(code: -result)
                return false
            }
            noteReady()
            if result == 0 {
                checkDeadline()
                return false
            }
        }
        return true
    }

    private func noteReady() {
        if case .starting = phase, let bus, sd_bus_is_ready(bus) > 0 { phase = .open }
    }

    private func checkDeadline() {
        switch phase {
        case .starting(let deadline):
            if deadline <= SystemTime.monotonicMicroseconds() { end(code: ETIMEDOUT) }
        case .lingering(let deadline):
            if queuedMessageCount == 0 || deadline <= SystemTime.monotonicMicroseconds() {
                release()
            }
        case .open, .ended: break
        }
    }

    /// What sd-bus waits for; nil when the connection has ended.
    func nextWait() -> Wait? {
        guard let bus else { return nil }
        let descriptor = sd_bus_get_fd(bus)
        let events = sd_bus_get_events(bus)
        var deadline = UInt64.max
        let result = sd_bus_get_timeout(bus, &deadline)
        if let failure = [descriptor, events, result].first(where: { $0 < 0 }) {
            end(code: -failure)
            return nil
        }
        switch phase {
        case .starting(let limit), .lingering(let limit): deadline = min(deadline, limit)
        case .open, .ended: break
        }
        return Wait(
            descriptor: descriptor, events: Int16(truncatingIfNeeded: events),
            deadlineMicroseconds: deadline)
    }
}

extension BusConnection {
    /// Closes the connection for its owner; pending calls and matches fail later as disconnected.
    func close(flushing: Bool = true) {
        guard usable != nil else { return }
        let waiting = removePendingHandlers()
        if !waiting.isEmpty {
            later { _ in for answer in waiting { answer(.disconnected) } }
        }
        if flushing, queuedMessageCount > 0 {
            phase = .lingering(
                deadline: SystemTime.monotonicDeadline(inSeconds: Self.lingerSeconds))
        } else {
            release()
        }
    }

    /// Handles the loss of the connection: fails the pending calls and matches, then notifies the
    /// owner.
    private func end(code: Int32) {
        let isOwned = usable != nil
        let error = reason(code)
        let waiting = removePendingHandlers()
        release()
        guard isOwned else { return }
        for answer in waiting { answer(.disconnected) }
        closed(error)
    }

    private func reason(_ code: Int32) -> BusError {
        if case .starting = phase { return .unavailable(address: address, code: code) }
        return Self.lossCodes.contains(code)
            ? .disconnected : .failed(operation: "D-Bus connection", code: code)
    }

    /// Removes all calls, matches and handlers; returns the handlers to call with the error.
    private func removePendingHandlers() -> [(BusError) -> Void] {
        var waiting: [(BusError) -> Void] = calls.sorted { $0.key < $1.key }.map { _, call in
            { call.reply(.failure($0)) }
        }
        for match in matches.values {
            // Wrapped explicitly: an array of these functions is cast, not converted, which traps.
            if let installed = match.removeInstalledHandler() { waiting.append { installed($0) } }
        }
        calls = [:]
        matches = [:]
        callHandlers = []
        return waiting
    }

    var queuedMessageCount: Int {
        var count: UInt64 = 0
        guard let bus, sd_bus_get_n_queued_write(bus, &count) >= 0 else { return 0 }
        return Int(clamping: count)
    }

    private func release() {
        phase = .ended
        sd_bus_close_unref(bus)
        bus = nil
        thread.post { $0.detach(self) }
    }
}

/// An sd-bus slot; it is unregistered with the last reference, on the loop's thread.
final class BusSlot {
    private let slot: OpaquePointer

    init(_ slot: OpaquePointer) {
        self.slot = slot
    }

    deinit {
        sd_bus_slot_unref(slot)
    }
}
