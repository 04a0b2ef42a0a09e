import DBus

/// A task that waits for a condition.
struct FakeWaiter {
    let isMet: @Sendable (isolated FakeBlueZ) -> Bool
    let continuation: CheckedContinuation<Void, Never>
}

/// Injected failures and held calls.
struct FakeCallFaults {
    struct Failure {
        let member: String
        let path: String?
        let outcome: FakeOutcome
        /// The number of calls that succeed before.
        var skips: Int
        var times: Int
    }

    var failures: [Failure] = []
    var heldMembers: Set<String> = []
    var heldCalls: [(request: BusRequest, reply: BusReply)] = []
    /// Calls that are never answered.
    var ignoredCalls: [BusReply] = []

    /// The injected outcome of this call, if any.
    mutating func nextOutcome(for request: BusRequest) -> FakeOutcome? {
        let index = failures.firstIndex {
            $0.times > 0 && $0.member == request.member
                && ($0.path == nil || $0.path == request.path)
        }
        guard let index else { return nil }
        guard failures[index].skips == 0 else {
            failures[index].skips -= 1
            return nil
        }
        failures[index].times -= 1
        return failures[index].outcome
    }
}

extension FakeBlueZ {
    /// The calls of a method so far, on one object or on all.
    public func calls(of member: String, on path: String? = nil) -> [BusRequest] {
        calls.filter { $0.member == member && (path == nil || $0.path == path) }
    }

    /// Waits until a method has been called `count` times.
    public func waitForCall(_ member: String, on path: String? = nil, count: Int = 1) async {
        await wait { $0.calls(of: member, on: path).count >= count }
    }

    /// Waits until a condition is true; it is evaluated after every call and every change.
    public func wait(until isMet: @escaping @Sendable (isolated FakeBlueZ) -> Bool) async {
        await withCheckedContinuation { continuation in
            // The actor may have run other jobs before this closure.
            guard !isMet(self) else {
                continuation.resume()
                return
            }
            waiters.append(FakeWaiter(isMet: isMet, continuation: continuation))
        }
    }

    /// Makes the next calls of a method fail, on one object or on any.
    public func fail(
        next member: String, on path: String? = nil, with fault: FakeFault, times: Int = 1
    ) {
        disturb(next: member, on: path, .error(fault), times: times)
    }

    /// Makes calls of a method go wrong, on one object or on any, after so many that succeed.
    public func disturb(
        next member: String, on path: String? = nil, _ outcome: FakeOutcome,
        skipping skips: Int = 0, times: Int = 1
    ) {
        faults.failures.append(
            .init(member: member, path: path, outcome: outcome, skips: skips, times: times))
    }

    /// Holds calls of a method without an answer, as a hanging bluetoothd does.
    public func hold(_ member: String) {
        faults.heldMembers.insert(member)
    }

    /// Answers the held calls of a method and stops holding new ones.
    public func release(_ member: String) {
        faults.heldMembers.remove(member)
        let released = faults.heldCalls.filter { $0.request.member == member }
        faults.heldCalls.removeAll { $0.request.member == member }
        for call in released { dispatch(call.request, call.reply) }
    }

    func notifyWaiters() {
        guard !waiters.isEmpty else { return }
        let met = waiters.map { $0.isMet(self) }
        let ready = zip(waiters, met).filter(\.1).map(\.0)
        waiters = zip(waiters, met).filter { !$0.1 }.map(\.0)
        for waiter in ready { waiter.continuation.resume() }
    }

    func receive(_ request: BusRequest, _ reply: BusReply) {
        calls.append(request)
        if faults.heldMembers.contains(request.member) {
            faults.heldCalls.append((request, reply))
        } else {
            switch faults.nextOutcome(for: request) {
            case .error(let fault): reply.fail(fault)
            case .noEffect: reply.return()
            case .noAnswer: faults.ignoredCalls.append(reply)
            case nil: dispatch(request, reply)
            }
        }
        notifyWaiters()
    }

    private func dispatch(_ request: BusRequest, _ reply: BusReply) {
        switch request.interface {
        case FakeInterface.introspectable where request.member == "Introspect":
            reply.return([.string(FakeIntrospection.describe(request.path, in: tree))])
        case FakeInterface.objectManager
        where request.path == "/" && request.member == "GetManagedObjects":
            reply.return([tree.managedObjects])
        case FakeInterface.properties where tree.exists(request.path):
            answerProperties(request, reply)
        case FakeInterface.agentManager where hasInterface(request):
            answerAgentManager(request, reply)
        case FakeInterface.profileManager:
            // Profiles are accepted and never used.
            hasInterface(request) ? reply.return() : failUnknown(request, reply)
        case FakeInterface.gattManager where hasInterface(request),
            FakeInterface.advertisingManager where hasInterface(request):
            answerPeripheralManager(request, reply)
        case FakeInterface.adapter where hasInterface(request): answerAdapter(request, reply)
        case FakeInterface.device where hasInterface(request): answerDevice(request, reply)
        case FakeInterface.characteristic where hasInterface(request):
            answerCharacteristic(request, reply)
        case FakeInterface.descriptor where hasInterface(request):
            answerDescriptor(request, reply)
        default: failUnknown(request, reply)
        }
    }

    private func hasInterface(_ request: BusRequest) -> Bool {
        tree.properties(request.path, request.interface) != nil
    }

    func failUnknown(_ request: BusRequest, _ reply: BusReply) {
        reply.fail(.unknown(request, objectExists: tree.exists(request.path)))
    }
}
