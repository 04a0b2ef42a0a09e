import BluetoothTesting
import Platform
import XCTest

@testable import DBus

/// An actor on a loop, as the users of the room are; its handlers call back into it.
actor BusClient {
    private let loop: BusLoop
    /// The threads of a loop without one.
    private let pool: TaskPool?
    private var bus: MessageBus?
    private(set) var closings: [BusError] = []
    private(set) var signals: [BusSignal] = []
    private(set) var skipped: [SkippedValue] = []
    private(set) var requests: [BusRequest] = []
    private var heldReplies: [BusReply] = []
    private var waiters: [(isMet: (isolated BusClient) -> Bool, CheckedContinuation<Void, Never>)] =
        []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a client, with a thread of its own or in turns on those of a pool.
    init(label: String = "client", isPooled: Bool = true) throws {
        let poller = DescriptorPoller()
        pool = isPooled ? TaskPool(name: "pool", count: 3, serving: poller) : nil
        loop = try BusLoop(label: label, servedBy: poller)
    }

    func connect(to address: String, setUpSeconds: Double = MessageBus.setUpSeconds) throws {
        bus = try MessageBus(address: address, on: loop, setUpSeconds: setUpSeconds) {
            [weak self] error in
            self?.assumeIsolated { client in
                client.closings.append(error)
                client.changed()
            }
        }
        bus?.onSkippedValue { [weak self] value in
            self?.assumeIsolated { $0.skipped.append(value) }
        }
    }

    func close() { bus?.close() }

    func release() { bus = nil }

    var uniqueName: String? { bus?.uniqueName }

    var rejectedMessageCount: Int { bus?.rejectedMessageCount ?? 0 }

    var leftOutElementCount: Int { bus?.leftOutElementCount ?? 0 }

    var skippedValueCount: Int { bus?.skippedValueCount ?? 0 }

    /// Returns when it holds; asked again after everything that comes from the bus.
    func wait(until isMet: @escaping @Sendable (isolated BusClient) -> Bool) async {
        guard !isMet(self) else { return }
        await withCheckedContinuation { waiters.append((isMet, $0)) }
    }

    private func changed() {
        let met = waiters.filter { $0.isMet(self) }
        waiters.removeAll { $0.isMet(self) }
        for waiter in met { waiter.1.resume() }
    }
}

extension BusClient {
    func call(_ call: BusCall, timeoutSeconds: Double = 30) async throws -> [BusValue] {
        guard bus != nil else { throw BusError.disconnected }
        return try await withCheckedThrowingContinuation { continuation in
            bus?.call(call, timeoutSeconds: timeoutSeconds) { result in
                self.assumeIsolated { $0.changed() }
                continuation.resume(with: result)
            }
        }
    }

    /// Makes a call and cancels it; returns whether its handler was called before a later one.
    func callAndCancel(_ call: BusCall) async throws -> Bool {
        guard let bus else { throw BusError.disconnected }
        var wasCalled = false
        bus.call(call, timeoutSeconds: 30) { _ in wasCalled = true }.cancel()
        _ = try await self.call(call)
        return wasCalled
    }

    /// Makes a call whose handler closes the connection, and one that still waits then.
    func callAndClose(_ call: BusCall, waiting: BusCall) async -> Result<[BusValue], BusError> {
        await withCheckedContinuation { continuation in
            bus?.call(waiting, timeoutSeconds: 30) { continuation.resume(returning: $0) }
            bus?.call(call, timeoutSeconds: 30) { _ in
                self.assumeIsolated { $0.close() }
            }
        }
    }

    /// Closes the connection with the first signal that comes.
    func closeAtSignal(_ rule: String) async {
        await withCheckedContinuation { continuation in
            bus?.addMatch(rule, installed: { _ in continuation.resume() }) { [weak self] signal in
                self?.assumeIsolated { client in
                    client.signals.append(signal)
                    client.close()
                    client.changed()
                }
            }
        }
    }

    func match(_ rule: String) async throws {
        guard let bus else { throw BusError.disconnected }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            bus.addMatch(
                rule,
                installed: { error in done.resume(with: error.map { .failure($0) } ?? .success(()))
                },
                handler: { [weak self] signal in
                    self?.assumeIsolated { client in
                        client.signals.append(signal)
                        client.changed()
                    }
                })
        }
    }

    /// Asks for signals and closes the connection before the bus has answered.
    func matchAndClose(_ rule: String) async -> BusError? {
        await withCheckedContinuation { continuation in
            bus?.addMatch(rule, installed: { continuation.resume(returning: $0) }) { _ in }
            bus?.close()
        }
    }

    func emit(_ signal: BusSignal, to destination: String? = nil) throws {
        try bus?.emit(signal, to: destination)
    }

    func emit(_ signals: [BusSignal]) throws {
        for signal in signals { try bus?.emit(signal) }
    }

    func take(name: String) async throws {
        guard let bus else { throw BusError.disconnected }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            bus.requestName(name) { error in
                done.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    func give(name: String) async throws {
        guard let bus else { throw BusError.disconnected }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            bus.releaseName(name) { error in
                done.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }
}

extension BusClient {
    /// Serves methods: Echo, Fail, FailBadly, ReturnNonsense, Hold, Drop.
    func serve(_ prefix: String) throws {
        try bus?.serve(prefix) { [weak self] request, reply in
            self?.assumeIsolated { $0.answer(request, reply) }
        }
    }

    private func answer(_ request: BusRequest, _ reply: BusReply) {
        requests.append(request)
        switch request.member {
        case "Echo": reply.return(request.body)
        case "Fail":
            reply.fail(name: "org.example.Error.Wrong", message: "it went wrong")
            reply.return([.string("too late")])
        case "FailBadly": reply.fail(name: "no name at all", message: "it went wrong")
        case "ReturnNonsense": reply.return([.objectPath("no path")])
        case "Hold": heldReplies.append(reply)
        default: break
        }
        changed()
    }

    func answerHeld(with body: [BusValue]) {
        for reply in heldReplies { reply.return(body) }
        heldReplies = []
    }

    func dropHeld() { heldReplies = [] }
}

extension XCTestCase {
    /// A bus of the test's own; without a daemon on this machine the test is skipped.
    func privateBus(limits: PrivateBus.Limits = .init()) throws -> PrivateBus {
        do {
            return try PrivateBus(limits: limits)
        } catch let failure as PrivateBus.Failure where failure.description.contains("missing") {
            throw XCTSkip(failure.description)
        }
    }

    func client(on bus: PrivateBus, label: String = "client") async throws -> BusClient {
        let client = try BusClient(label: label)
        try await client.connect(to: bus.address)
        return client
    }

    /// A client that serves `/org/example` as `org.example`.
    func server(on bus: PrivateBus) async throws -> BusClient {
        let server = try await client(on: bus, label: "server")
        try await server.serve("/org/example")
        try await server.take(name: "org.example")
        return server
    }
}

func busError(of body: @Sendable () async throws -> Void) async -> BusError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? BusError
    }
}

extension BusCall {
    static func example(_ member: String, _ body: [BusValue] = []) -> BusCall {
        BusCall("org.example", "/org/example/a", "org.example.Test", member, body)
    }

    static let listNames = BusCall(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
}
