import DBus

/// The agents, as bluetoothd's AgentManager1 keeps them.
extension FakeBlueZ {
    func answerAgentManager(_ request: BusRequest, _ reply: BusReply) {
        let path = request.body.first?.string ?? ""
        let index = agents.firstIndex { $0.sender == request.sender && $0.path == path }
        switch (request.member, index) {
        case ("RegisterAgent", _):
            guard let capability = request.body.last?.string, request.body.count == 2 else {
                return reply.fail(.invalidArguments)
            }
            guard !agents.contains(where: { $0.sender == request.sender }) else {
                return reply.fail(.alreadyExists)
            }
            // The first agent is the default one until another one asks for that.
            agents.append(FakeAgent(sender: request.sender, path: path, capability: capability))
            reply.return()
        case (_, nil): reply.fail(.doesNotExist)
        case ("UnregisterAgent", let index?):
            agents.remove(at: index)
            reply.return()
        case ("RequestDefaultAgent", let index?):
            agents.insert(agents.remove(at: index), at: 0)
            reply.return()
        default: failUnknown(request, reply)
        }
    }

    /// Pairs a device over its link; the agent of `sender` is asked, or else the default one.
    func pair(
        _ path: String, for sender: String?,
        _ finished: @escaping @Sendable (isolated FakeBlueZ, FakeFault?) -> Void
    ) {
        guard let security = description(path)?.behaviour.security else {
            setPaired(path)
            return finished(self, nil)
        }
        guard security.pairing != .refused else {
            finished(self, .authentication("Failed"))
            return tearDownLink(path)
        }
        guard let agent = agents.first(where: { $0.sender == sender }) ?? agents.first else {
            return finished(self, .authentication("Failed"))
        }
        let question = security.question(
            isRequested: sender != nil, hasTerminal: agent.capability != "NoInputNoOutput")
        guard let question else {
            setPaired(path)
            return finished(self, nil)
        }
        devices[path]?.pairing = FakePairing(agent: agent, finished: finished)
        let arguments = question.argument.map { [BusValue($0)] } ?? []
        ask(agent, question.member, [.objectPath(path)] + arguments) { bluez, answer in
            bluez.answered(answer, accepts: question.accepts, of: path)
        }
    }

    private func answered(
        _ answer: Result<[BusValue], BusError>,
        accepts: (FakeAgentArgument?) -> Bool, of path: String
    ) {
        guard let pairing = devices[path]?.pairing else { return }
        devices[path]?.pairing = nil
        switch answer {
        case .success(let body) where accepts(body.first.flatMap(FakeAgentArgument.init)):
            setPaired(path)
            pairing.finished(self, nil)
        case .failure(.remote("org.bluez.Error.Canceled", _)):
            pairing.finished(self, .authentication("Canceled"))
        case .success, .failure: pairing.finished(self, .authentication("Failed"))
        }
        notifyWaiters()
    }

    /// Ends a pairing that waits for an agent; false when there is none.
    func cancelPairing(_ path: String) -> Bool {
        guard let pairing = devices[path]?.pairing else { return false }
        devices[path]?.pairing = nil
        ask(pairing.agent, "Cancel", []) { _, _ in }
        pairing.finished(self, .authentication("Canceled"))
        return true
    }

    private func ask(
        _ agent: FakeAgent, _ member: String, _ body: [BusValue],
        _ answered: @escaping @Sendable (isolated FakeBlueZ, Result<[BusValue], BusError>) -> Void
    ) {
        let call = BusCall(agent.sender, agent.path, "org.bluez.Agent1", member, body)
        bus?.call(call, timeoutSeconds: 60) { [weak self] result in
            self?.assumeIsolated { answered($0, result) }
        }
    }

    func setPaired(_ path: String) {
        emit(
            tree.set(
                path, FakeInterface.device,
                ["Paired": .boolean(true), "Bonded": .boolean(true)]))
    }

    func isPaired(_ path: String) -> Bool {
        tree.properties(path, FakeInterface.device)?["Paired"]?.boolean == true
    }

    /// Subscribes to a device that requires encryption: bluetoothd pairs it first.
    ///
    /// - Parameter retry: Subscribes again.
    func secure(
        _ device: String, _ security: FakeSecurity, _ reply: BusReply,
        _ retry: @escaping @Sendable (isolated FakeBlueZ) -> Void
    ) {
        guard !security.failsAtOnce else { return reply.fail(.notPermitted("Not paired")) }
        pair(device, for: nil) { bluez, fault in
            guard fault != nil || security.losesRequest else { return retry(bluez) }
            bluez.devices[device]?.unanswered.append(reply)
            bluez.after(FakeSecurity.unansweredSeconds, .security(device)) {
                $0.tearDownLink(device)
            }
        }
    }
}

/// A pairing that waits for an agent.
struct FakePairing {
    let agent: FakeAgent
    let finished: @Sendable (isolated FakeBlueZ, FakeFault?) -> Void
}

extension FakeBlueZ {
    /// Whether a device is paired.
    public func isPaired(_ address: String, adapter name: String = "hci0") -> Bool {
        isPaired(Self.devicePath(address, adapter: name))
    }
}

extension FakeAgentArgument {
    init?(_ value: BusValue) {
        switch value {
        case .uint32(let passkey): self = .passkey(passkey)
        case .string(let pin): self = .pinCode(pin)
        default: return nil
        }
    }
}

extension BusValue {
    init(_ argument: FakeAgentArgument) {
        switch argument {
        case .passkey(let passkey): self = .uint32(passkey)
        case .pinCode(let pin): self = .string(pin)
        }
    }
}
