package import DBus
package import GatewayCore
import Platform

/// A client of bluetoothd: owns the D-Bus connection, mirrors bluetoothd's objects, and performs
/// the actions of a state machine.
///
/// It does all input and output of this module, on the thread of the bus. Calls are addressed to
/// the unique name of the current owner of `org.bluez`, so that a restarted bluetoothd does not
/// receive calls meant for its predecessor and a stopped bluetoothd is not started by a call.
package actor BlueZClient<Machine: BlueZMachine> {
    /// The timeout of `GetManagedObjects`.
    private static var objectsSeconds: Double { 8 }
    /// The timeout of `GetNameOwner`.
    private static var ownerSeconds: Double { 8 }
    /// The maximum number of outputs that wait for the handler.
    private static var outputLimit: Int { 10_000 }
    /// The longest pause between two attempts while bluetoothd does not respond.
    private static var longestStuckPause: Double { 2 }

    private let address: String?
    private let acceptsDescriptors: Bool
    let clock: any GatewayClock
    let loop: BusLoop
    var machine: Machine
    var objects = ManagedObjects()
    /// The sockets of acquired notifications, by the path of the characteristic.
    var watches: [String: PacketWatch] = [:]
    var bus: MessageBus?
    /// The unique name of the running bluetoothd.
    var owner: String?
    var isLoaded = false
    /// Whether bluetoothd has not responded, and has not been seen since then.
    private var isStuck = false
    private var isLoading = false
    var watchdog = DaemonWatchdog<Machine.Request>()
    private var retry = Backoff(first: 1, longest: 60)
    private var retryTime: BootInstant?
    private var end: (any Error)?
    /// Why the machine ended by itself.
    private var failure: LinkError?
    /// The calls made while stopping that have no answer yet, and the task that waits for the
    /// answers.
    var finalCallCount = 0
    var finalCallsFinished: CheckedContinuation<Void, Never>?
    /// The final calls since the last barrier whose answers are not waited for.
    var unansweredFinalCalls: [Machine.Request] = []
    var callQueue = CallQueue<Machine.Request>()
    private nonisolated let outputs = Outputs<Machine.Output>(limit: outputLimit)
    private let timer = DeadlineTimer()
    var agentCalls = AgentCalls()
    private var malformed = MalformedValues()
    private let reportMalformed: @Sendable (MalformedValue) -> Void

    /// The loop of the bus.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Makes a client for a bus, by default the system bus; it connects in `run`.
    ///
    /// - Parameters:
    ///   - acceptsDescriptors: Whether the machine acquires notifications.
    ///   - malformed: Receives the first malformed value of an object.
    package init(
        _ machine: Machine, address: String?, clock: any GatewayClock,
        acceptsDescriptors: Bool = false,
        malformed: @escaping @Sendable (MalformedValue) -> Void = { _ in }
    ) throws(BusError) {
        self.machine = machine
        reportMalformed = malformed
        self.address = address
        self.acceptsDescriptors = acceptsDescriptors
        self.clock = clock
        loop = try BusLoop(label: "bluetooth")
    }

    /// Runs until the task is cancelled or the bus connection is lost.
    ///
    /// - Parameter handler: Receives the outputs in order, and how many were dropped before them
    ///   because the buffer was full.
    /// - Throws: ``LinkError`` when the bus is unavailable or was lost; `CancellationError`.
    package func run(handler receive: @Sendable ([Machine.Output], _ lost: Int) async -> Void)
        async throws
    {
        open()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.timer.run(on: self.clock) { await self.wake() }
                await self.stop()
            }
            // Not ended by cancellation: the outputs made while stopping are delivered too.
            await outputs.forEachBatch(receive)
        }
        throw failure ?? end ?? CancellationError()
    }

    /// Applies a command to the machine, unless it has ended.
    package func apply(_ command: Machine.Command) { apply { command } }

    /// Applies the command that a function makes in order with the events, unless the machine has ended.
    func apply(_ makeCommand: @Sendable () -> Machine.Command) {
        guard end == nil, failure == nil else { return }
        drainSockets()
        perform(machine.apply(makeCommand(), in: objects, at: clock.now()), isEnd: false)
    }
}

/// The connection to the bus, and the owner and the objects of bluetoothd.
extension BlueZClient {
    private func open() {
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

    private func queryOwner() {
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

    private func loadObjects() {
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

/// The events and the actions of the machine.
extension BlueZClient {
    func handle(_ event: BlueZEvent<Machine.Request>) {
        let actions = machine.handle(event, in: objects, at: clock.now())
        // Calls made after the end belong to the cleanup.
        let isEnd =
            event.isStop || failure != nil || end != nil || actions.contains(where: \.isEnd)
        perform(actions, isEnd: isEnd)
    }

    func perform(
        _ actions: [BlueZAction<Machine.Request, Machine.Output>], isEnd: Bool
    ) {
        for action in actions {
            switch action {
            case .output(let output): outputs.append(output)
            case .call(let request, let call): perform(request, call, isLast: isEnd)
            case .emit(let signal):
                // A signal that finds the bus stuck is lost: the next one has a newer value.
                try? bus?.emit(signal, to: owner)
            case .answer(let number, let answer): agentCalls.answer(number, answer)
            case .end(let error):
                failure = error
                timer.end()
            }
        }
        awaitUnansweredCalls()
        setTimer()
    }

    private func setTimer() {
        guard end == nil else { return }
        let wakeTime = BootInstant.earlier(machine.wakeTime, retryTime)
        timer.set(.earlier(wakeTime, .earlier(callQueue.wakeTime, watchdog.wakeTime)))
    }

    private func wake() {
        guard end == nil else { return }
        let now = clock.now()
        if let due = retryTime, due <= now {
            retryTime = nil
            if owner == nil { queryOwner() } else { loadObjects() }
        }
        expireQueuedCalls(at: now)
        if watchdog.isDue(at: now) { checkDaemon() }
        guard let due = machine.wakeTime, due <= now else { return setTimer() }
        // A value that waits ends a silence.
        drainSockets()
        handle(.timer)
    }

    /// Stops the machine, waits for the answers to its final calls, and closes the bus.
    private func stop() async {
        guard end == nil else { return }
        callQueue.removeAll()
        drainSockets()
        handle(.stop)
        end = CancellationError()
        await withCheckedContinuation { waiting in
            if finalCallCount > 0 { finalCallsFinished = waiting } else { waiting.resume() }
        }
        finish()
    }

    private func finish() {
        agentCalls.cancelAll()
        watches = [:]
        bus?.close()
        bus = nil
        timer.end()
        outputs.end()
    }
}
