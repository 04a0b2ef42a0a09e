import CSystemd
import Glibc
import Platform

/// A connection of sd-bus, with what waits on it: answers, matches, handlers of calls.
///
/// sd-bus is not safe for use by several threads, and neither is this.
///
/// `@unchecked Sendable`: only references to it cross threads. All its state is touched on its loop's
/// thread alone: ``MessageBus`` checks that for every call of its own, ``BusConnections`` and sd-bus's
/// callbacks run there, and the `deinit`s of ``MessageBus`` and ``IncomingCall`` post to that thread
/// instead of calling.
final class BusConnection: @unchecked Sendable {
    /// How long an ended connection may go on writing what waits to be sent.
    private static let lingerSeconds = 1.0
    /// What sd-bus answers with when the other end is gone.
    private static let lossCodes: Set<Int32> = [ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN]

    private enum Phase {
        case starting(deadline: UInt64)
        case open
        /// The owner has closed it; what was queued is still written.
        case lingering(deadline: UInt64)
        case ended
    }

    /// When to look at a connection again.
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
    /// Messages whose body was not well formed, or too much.
    var refusedMessageCount = 0

    init(
        address: String, thread: BusThread, setUpSeconds: Double,
        closed: @escaping (BusError) -> Void
    ) throws(BusError) {
        self.thread = thread
        self.address = address
        self.closed = closed
        phase = .starting(deadline: SystemTime.monotonicDeadline(inSeconds: setUpSeconds))
        bus = try Self.start(address)
        thread.post { $0.attach(self) }
    }

    private static func start(_ address: String) throws(BusError) -> OpaquePointer {
        var bus: OpaquePointer?
        var code = sd_bus_new(&bus)
        if code >= 0 { code = sd_bus_set_address(bus, address) }
        if code >= 0 { code = sd_bus_set_bus_client(bus, 1) }
        // No message that brings descriptors is taken, so none can be left open.
        if code >= 0 { code = sd_bus_negotiate_fds(bus, 0) }
        if code >= 0 { code = sd_bus_start(bus) }
        guard code >= 0, let bus else {
            sd_bus_close_unref(bus)
            throw .unavailable(address: address, code: -code)
        }
        return bus
    }

    /// The connection for something new; nil once it has ended.
    var usable: OpaquePointer? {
        switch phase {
        case .starting, .open: bus
        case .lingering, .ended: nil
        }
    }

    var uniqueName: String? {
        // Before the connection is ready, sd-bus would wait for that here.
        guard let bus = usable, sd_bus_is_ready(bus) > 0 else { return nil }
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return nil }
        return String(cString: name)
    }

    /// A number for a call or match, never given twice.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Does something after the caller is done: no handler is called while its owner calls.
    func later(_ action: @escaping (BusConnection) -> Void) {
        // The closure never leaves the loop's thread: it is made and called there.
        nonisolated(unsafe) let action = action
        thread.post { _ in action(self) }
    }
}

extension BusConnection {
    /// Lets sd-bus work, and answers whether there may be more to do at once.
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

    /// What sd-bus waits for now; nil when the connection has ended.
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
    /// Ends the connection for its owner; what waits is told later that it is disconnected.
    func close(writingRest: Bool = true) {
        guard usable != nil else { return }
        let waiting = takeWaiting()
        if !waiting.isEmpty {
            later { _ in for answer in waiting { answer(.disconnected) } }
        }
        if writingRest, queuedMessageCount > 0 {
            phase = .lingering(
                deadline: SystemTime.monotonicDeadline(inSeconds: Self.lingerSeconds))
        } else {
            release()
        }
    }

    /// The connection is lost: everything that waits is told, then the owner.
    private func end(code: Int32) {
        let isOwned = usable != nil
        let error = reason(code)
        let waiting = takeWaiting()
        release()
        guard isOwned else { return }
        for answer in waiting { answer(.disconnected) }
        closed(error)
    }

    private func reason(_ code: Int32) -> BusError {
        if case .starting = phase { return .unavailable(address: address, code: code) }
        return Self.lossCodes.contains(code)
            ? .disconnected : .failed(operation: "D-Bus", code: code)
    }

    /// Empties the connection, and answers with whom to tell of its end.
    private func takeWaiting() -> [(BusError) -> Void] {
        var waiting: [(BusError) -> Void] = calls.sorted { $0.key < $1.key }.map { _, call in
            { call.reply(.failure($0)) }
        }
        for match in matches.values {
            // Wrapped by hand: an array of these functions is not converted but cast, which traps.
            if let installed = match.takeInstalled() { waiting.append { installed($0) } }
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

/// Something registered with sd-bus; it is taken back with the last reference, on the loop's thread.
final class BusSlot {
    private let slot: OpaquePointer

    init(_ slot: OpaquePointer) {
        self.slot = slot
    }

    deinit {
        sd_bus_slot_unref(slot)
    }
}
