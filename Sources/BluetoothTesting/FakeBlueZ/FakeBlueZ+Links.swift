import DBus

extension FakeBlueZ {
    func isConnected(_ path: String) -> Bool {
        tree.properties(path, FakeInterface.device)?["Connected"]?.boolean == true
    }

    func answerDevice(_ request: BusRequest, _ reply: BusReply) {
        let path = request.path
        switch request.member {
        case "Connect": connect(path, FakePendingConnect(reply: reply, pairs: false))
        case "Pair":
            if tree.properties(path, FakeInterface.device)?["Paired"]?.boolean == true {
                reply.fail(.alreadyExists)
            } else {
                connect(
                    path,
                    FakePendingConnect(reply: reply, pairs: true, sender: request.sender))
            }
        case "CancelPairing":
            guard !cancelPairing(path) else { return reply.return() }
            guard devices[path]?.pending?.pairs == true else { return reply.fail(.doesNotExist) }
            failConnect(path, .authentication("Canceled"))
            reply.return()
        case "Disconnect": disconnect(path, reply)
        default: failUnknown(request, reply)
        }
    }

    private func connect(_ path: String, _ pending: FakePendingConnect) {
        guard let device = devices[path], isPowered(device.adapter) else {
            pending.reply?.fail(.notReady)
            return
        }
        guard device.pending == nil else {
            pending.reply?.fail(.inProgress)
            return
        }
        devices[path]?.isTemporary = false
        timers.cancel(.expiry(path))
        guard !isConnected(path) else { return finish(path, pending) }
        devices[path]?.pending = pending
        noteConnecting(path, on: device.adapter)
        continueConnecting(path, pending)
    }

    private func noteConnecting(_ path: String, on adapter: String) {
        guard var state = adapters[adapter] else { return }
        state.connecting.insert(path)
        state.maximumSimultaneousConnects = max(
            state.maximumSimultaneousConnects, state.connecting.count)
        adapters[adapter] = state
    }

    /// Continues a pending `Connect` according to the behaviour of the device.
    func continueConnecting(_ path: String, _ pending: FakePendingConnect) {
        guard let device = devices[path], let description = descriptions[device.address] else {
            return
        }
        let behaviour = description.behaviour
        guard behaviour.answersConnect else { return }
        if let text = behaviour.connectFailures.first {
            descriptions[device.address]?.behaviour.connectFailures.removeFirst()
            after(behaviour.connectSeconds, .connect(path)) { $0.refuse(path, text) }
        } else if linkCount(of: device.adapter) >= linkLimit(of: device.adapter) {
            failConnect(path, "le-connection-concurrent-connection-limit")
        } else if advertising[device.address] == nil {
            after(Self.connectLimitSeconds, .connect(path)) {
                $0.failConnect(path, "le-connection-abort-by-local")
            }
        } else {
            after(behaviour.connectSeconds, .connect(path)) { $0.establishLink(path) }
        }
    }

    private func linkCount(of adapter: String) -> Int {
        devices.count { $0.value.adapter == adapter && isConnected($0.key) }
    }

    private func linkLimit(of adapter: String) -> Int {
        adapters[adapter]?.description.linkLimit ?? 0
    }

    /// Fails a `Connect`; an aborted connection briefly shows as connected.
    private func refuse(_ path: String, _ text: String) {
        let isFlash = text == "le-connection-abort-by-local"
        let connected = { (value: Bool) in ["Connected": BusValue.boolean(value)] }
        if isFlash { emit(tree.set(path, FakeInterface.device, connected(true))) }
        failConnect(path, text)
        if isFlash { emit(tree.set(path, FakeInterface.device, connected(false))) }
    }

    /// Fails the pending `Connect`, if there is one.
    func failConnect(_ path: String, _ text: String) { failConnect(path, .failed(text)) }

    private func failConnect(_ path: String, _ fault: FakeFault) {
        removePending(path)?.reply?.fail(fault)
    }

    private func removePending(_ path: String) -> FakePendingConnect? {
        timers.cancel(.connect(path))
        guard let device = devices[path], let pending = device.pending else { return nil }
        devices[path]?.pending = nil
        adapters[device.adapter]?.connecting.remove(path)
        notifyWaiters()
        return pending
    }

    private func establishLink(_ path: String) {
        guard let pending = removePending(path), let device = description(path) else { return }
        emit(tree.set(path, FakeInterface.device, ["Connected": .boolean(true)]))
        finish(path, pending)
        after(device.behaviour.resolveSeconds, .resolve(path)) { $0.resolve(path) }
    }

    private func finish(_ path: String, _ pending: FakePendingConnect) {
        guard pending.pairs else {
            pending.reply?.return()
            return
        }
        pair(path, for: pending.sender) { _, fault in
            if let fault { pending.reply?.fail(fault) } else { pending.reply?.return() }
        }
    }

    /// Resolves the services of a device: adds the objects before it sets `ServicesResolved`.
    private func resolve(_ path: String) {
        guard let device = description(path), device.behaviour.resolvesServices,
            isConnected(path)
        else { return }
        showAttributes(of: device, at: path)
        let uuids = Set((device.services.map(\.uuid) + device.advertisedUUIDs).map(FakeUUID.full))
        emit(tree.set(path, FakeInterface.device, ["UUIDs": .strings(uuids.sorted())]))
        emit(tree.set(path, FakeInterface.device, ["ServicesResolved": .boolean(true)]))
    }

    private func disconnect(_ path: String, _ reply: BusReply) {
        failConnect(path, "br-connection-canceled")
        guard isConnected(path) else { return reply.return() }
        devices[path]?.disconnects.append(reply)
        after(description(path)?.behaviour.disconnectSeconds ?? 0, .disconnect(path)) {
            $0.tearDownLink(path)
        }
    }

    /// Ends the link of a device.
    func tearDownLink(_ path: String) {
        guard isConnected(path), let device = devices[path] else { return }
        timers.cancel(.disconnect(path))
        timers.cancel(.resolve(path))
        timers.cancel(.security(path))
        _ = cancelPairing(path)
        devices[path]?.disconnects = []
        devices[path]?.unanswered = []
        devices[path]?.reads = []
        for reply in device.unanswered + device.reads.map(\.reply) { reply.fail(.notConnected) }
        emit(tree.set(path, FakeInterface.device, ["ServicesResolved": .boolean(false)]))
        emit(tree.remove(path, FakeInterface.battery))
        for reply in device.disconnects { reply.return() }
        emit(tree.set(path, FakeInterface.device, ["Connected": .boolean(false)]))
        releaseAll(of: path)
        if !options.keepsAttributes { hideAttributes(path) }
        expireLater(path)
    }
}

extension FakeBlueZ {
    /// Whether a device is connected.
    public func isConnected(_ address: String, adapter name: String = "hci0") -> Bool {
        isConnected(Self.devicePath(address, adapter: name))
    }

    /// Ends every link to a device, as if it was switched off or out of range.
    public func dropLink(_ address: String) {
        for (path, device) in devices where device.address == address { tearDownLink(path) }
    }

    /// Connects a known device, as another program would.
    public func connectFromOutside(_ address: String, adapter name: String = "hci0") {
        connect(
            Self.devicePath(address, adapter: name), FakePendingConnect(reply: nil, pairs: false))
    }
}
