import DBus
import GatewayCore
import Platform

/// The connection to the bus, and the owner and the objects of bluetoothd.
extension BlueZClient {
    /// The timeout of `GetManagedObjects`.
    private static var objectsSeconds: Double { 8 }
    /// The timeout of `GetNameOwner`.
    private static var ownerSeconds: Double { 8 }
    /// The longest pause between two attempts while bluetoothd does not respond.
    private static var longestStuckPause: Double { 2 }

    /// Connects to the bus, and asks for bluetoothd.
    func open() {
        do throws(BusError) {
            let bus = try MessageBus(
                address: address, on: loop, acceptsDescriptors: acceptsDescriptors
            ) { [weak self] error in
                self?.assumeIsolated { $0.connectionFailed(BlueZProblem.bus(error)) }
            }
            self.bus = bus
            bus.onSkippedValue { [weak self] skipped in
                self?.assumeIsolated { client in
                    if let first = client.malformed.add(skipped) { client.reportMalformed(first) }
                }
            }
            for rule in BlueZName.matchRules { addMatch(rule, on: bus) }
            try serveAgent(on: bus)
            try serveObjects(on: bus)
            queryOwner()
        } catch {
            connectionFailed(BlueZProblem.bus(error))
        }
    }

    private func addMatch(_ rule: String, on bus: MessageBus) {
        bus.addMatch(
            rule,
            installed: { [weak self] error in
                // A lost connection is reported separately.
                guard let error, error != .disconnected else { return }
                // Without signals no change would be noticed.
                self?.assumeIsolated { $0.connectionFailed(BlueZProblem.signals(error)) }
            },
            handler: { [weak self] signal in
                self?.assumeIsolated { $0.receive(signal) }
            })
    }

    func queryOwner() {
        let call = BusCall(
            BlueZName.bus, BlueZName.busPath, BlueZName.bus, "GetNameOwner",
            [.string(BlueZName.service)])
        _ = bus?.call(call, timeoutSeconds: Self.ownerSeconds) { [weak self] result in
            self?.assumeIsolated { $0.ownerReceived(result) }
        }
    }

    private func ownerReceived(_ result: Result<[BusValue], BusError>) {
        // A NameOwnerChanged signal received meanwhile is newer than this answer.
        guard owner == nil, end == nil else { return }
        switch result {
        case .success(let body): ownerChanged(to: body.first?.string ?? "")
        case .failure(let error) where BlueZProblem.isNameWithoutOwner(error): ownerChanged(to: "")
        case .failure(.disconnected): break
        case .failure(let error): scheduleRetry(BlueZProblem.owner(error))
        }
    }

    /// Reports a problem and schedules another attempt.
    private func scheduleRetry(_ problem: LinkError) {
        let pause = retry.next()
        let longest = isStuck ? Self.longestStuckPause : pause
        retryTime = clock.now().adding(seconds: min(pause, longest))
        handle(.unavailable(problem))
    }

    /// Handles that bluetoothd does not respond to anything, which is no fault of a device.
    func daemonIsStuck() {
        guard isLoaded, end == nil else { return }
        callQueue.removeAll()
        drainSockets()
        watches = [:]
        isLoaded = false
        isStuck = true
        objects = ManagedObjects()
        scheduleRetry(BlueZProblem.objects(.timedOut))
    }

    private func ownerChanged(to name: String) {
        drainSockets()
        let hadOwner = owner != nil
        watchdog.reset()
        owner = name.isEmpty ? nil : name
        callQueue.removeAll()
        watches = [:]
        isLoaded = false
        isStuck = false
        isLoading = false
        retryTime = nil
        objects = ManagedObjects()
        if hadOwner || owner == nil { handle(.unavailable(BlueZProblem.notRunning)) }
        if owner != nil { loadObjects() }
    }

    func loadObjects() {
        guard let owner, let bus else { return }
        isLoading = true
        retryTime = nil
        let call = BusCall(
            owner, BlueZName.root, BlueZName.objectManager, "GetManagedObjects")
        let before = bus.leftOutElementCount
        bus.call(call, timeoutSeconds: Self.objectsSeconds) { [weak self] result in
            self?.assumeIsolated { client in
                let leftOut = (client.bus?.leftOutElementCount ?? before) - before
                client.objectsLoaded(result, leftOutCount: leftOut, of: owner)
            }
        }
    }

    private func objectsLoaded(
        _ result: Result<[BusValue], BusError>, leftOutCount: Int, of asked: String
    ) {
        guard asked == owner, end == nil else { return }
        isLoading = false
        switch result {
        case .success(let body):
            isStuck = false
            objects = ManagedObjects(
                managed: body, daemon: "\(bus?.busID ?? "") \(asked)", leftOutCount: leftOutCount)
            isLoaded = true
            retry.reset()
            handle(.available)
        case .failure(.disconnected): break
        case .failure(let error):
            if error == .timedOut { isStuck = true }
            scheduleRetry(BlueZProblem.objects(error))
        }
    }

    private func receive(_ signal: BusSignal) {
        if signal.member == BlueZName.nameOwnerChanged {
            guard signal.sender == BlueZName.bus, signal.body.count == 3,
                signal.body[0].string == BlueZName.service, let name = signal.body[2].string
            else { return }
            ownerChanged(to: name)
        } else if isStuck, signal.sender == owner {
            // It is back.
            noteSign()
            if !isLoading { loadObjects() }
        } else if isLoaded, signal.sender == owner {
            // Signals of other senders are ignored.
            noteSign()
            drainSockets(below: signal.path)
            for change in objects.apply(signal) where !isCopy(change) { handle(.changed(change)) }
        }
    }

    /// Ends the client because the connection cannot be used any more.
    private func connectionFailed(_ failure: LinkError) {
        guard end == nil else { return }
        end = failure
        owner = nil
        isLoaded = false
        objects = ManagedObjects()
        handle(.closed(failure))
        finish()
    }
}
