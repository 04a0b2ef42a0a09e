import DBus
import GatewayCore
import Platform

/// Owns the connection to D-Bus and keeps a copy of what bluetoothd has; a machine decides what to do
/// with it.
///
/// It is the only thing in this room that does input or output. Everything happens on the bus's own
/// loop. What bluetoothd is asked is asked of the process that owns its name at that time, so that
/// nothing is said to the next one by mistake, and none is started that somebody has stopped.
actor BlueZClient<Machine: BlueZMachine> {
    /// How long bluetoothd may take to tell all its objects.
    private static var objectsSeconds: Double { 8 }
    /// How long the bus may take to tell who bluetoothd is.
    private static var ownerSeconds: Double { 8 }
    /// So many results wait at most for whoever takes them.
    private static var outputLimit: Int { 10_000 }

    private let address: String?
    private let clock: any GatewayClock
    private let loop: BusLoop
    private var machine: Machine
    private var tree = ManagedObjects()
    private var bus: MessageBus?
    /// The unique name of the bluetoothd of today.
    private var owner: String?
    private var isLoaded = false
    private var retry = Backoff(first: 1, longest: 60)
    private var retryTime: BootInstant?
    private var end: (any Error)?
    /// Why the machine has ended by itself.
    private var failure: LinkError?
    /// The calls that were made because it is time to end, and who waits for their answers.
    private var lastCalls = 0
    private var lastAnswer: CheckedContinuation<Void, Never>?
    private var outputs = Outputs<Machine.Output>(limit: outputLimit)
    private let alarm = DeadlineTimer()

    /// The bus's loop.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a client for a bus, the system's when `address` is nil; nothing is opened yet.
    init(_ machine: Machine, address: String?, clock: any GatewayClock) throws(BusError) {
        self.machine = machine
        self.address = address
        self.clock = clock
        loop = try BusLoop(label: "bluetooth")
    }

    /// Works until the task is cancelled or the bus goes.
    ///
    /// - Parameter take: Is given the outputs in order, and how many were lost before them because
    ///   it had been too slow.
    /// - Throws: ``LinkError`` when the bus cannot be had or has gone; `CancellationError`.
    func run(taking take: @Sendable ([Machine.Output], _ lost: Int) async -> Void) async throws {
        open()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.alarm.run(on: self.clock) { await self.wake() }
                await self.stop()
            }
            // Cancellation does not end this: what is said at the end is taken too.
            while let (batch, lost) = await nextOutputs() { await take(batch, lost) }
        }
        throw failure ?? end ?? CancellationError()
    }

    /// Hands a command to the machine, unless it has ended.
    func apply(_ command: Machine.Command) {
        guard end == nil, failure == nil else { return }
        perform(machine.apply(command, in: tree, at: clock.now()), isEnd: false)
    }

    private func nextOutputs() async -> (batch: [Machine.Output], lost: Int)? {
        // The actor may do other things before the continuation is there: it is looked again then.
        await withCheckedContinuation { reader in
            if outputs.isEmpty, bus != nil { outputs.reader = reader } else { reader.resume() }
        }
        return outputs.isEmpty ? nil : outputs.takeAll()
    }
}

/// The bus and bluetoothd come and go.
extension BlueZClient {
    private func open() {
        do throws(BusError) {
            let bus = try MessageBus(address: address, on: loop) { [weak self] error in
                self?.assumeIsolated { $0.lose(BlueZTrouble.bus(error)) }
            }
            self.bus = bus
            for rule in BlueZName.matchRules { addMatch(rule, on: bus) }
            findOwner()
        } catch {
            lose(BlueZTrouble.bus(error))
        }
    }

    private func addMatch(_ rule: String, on bus: MessageBus) {
        bus.addMatch(
            rule,
            installed: { [weak self] error in
                // That the bus has gone is told by itself.
                guard let error, error != .disconnected else { return }
                // Without its signals nothing would be noticed any more.
                self?.assumeIsolated { $0.lose(BlueZTrouble.signals(error)) }
            },
            handler: { [weak self] signal in
                self?.assumeIsolated { $0.take(signal) }
            })
    }

    private func findOwner() {
        let call = BusCall(
            BlueZName.bus, BlueZName.busPath, BlueZName.bus, "GetNameOwner",
            [.string(BlueZName.service)])
        _ = bus?.call(call, timeoutSeconds: Self.ownerSeconds) { [weak self] result in
            self?.assumeIsolated { $0.ownerFound(result) }
        }
    }

    private func ownerFound(_ result: Result<[BusValue], BusError>) {
        // A change of the owner that was told meanwhile is newer than this answer.
        guard owner == nil, end == nil else { return }
        switch result {
        case .success(let body): ownerChanged(to: body.first?.string ?? "")
        case .failure(let error) where BlueZTrouble.isNoOwner(error): ownerChanged(to: "")
        case .failure(.disconnected): break
        case .failure(let error): tryLater(BlueZTrouble.owner(error))
        }
    }

    /// What cannot be had now is asked for again after a while.
    private func tryLater(_ trouble: LinkError) {
        retryTime = clock.now().adding(seconds: retry.next())
        handle(.unavailable(trouble))
    }

    private func ownerChanged(to name: String) {
        let hadOwner = owner != nil
        owner = name.isEmpty ? nil : name
        isLoaded = false
        retryTime = nil
        tree = ManagedObjects()
        if hadOwner || owner == nil { handle(.unavailable(BlueZTrouble.notRunning)) }
        if owner != nil { load() }
    }

    private func load() {
        guard let owner else { return }
        let call = BusCall(
            owner, BlueZName.root, BlueZName.objectManager, "GetManagedObjects")
        _ = bus?.call(call, timeoutSeconds: Self.objectsSeconds) { [weak self] result in
            self?.assumeIsolated { $0.loaded(result, of: owner) }
        }
    }

    private func loaded(_ result: Result<[BusValue], BusError>, of asked: String) {
        guard asked == owner, end == nil else { return }
        switch result {
        case .success(let body):
            tree = ManagedObjects(managed: body)
            isLoaded = true
            retry.reset()
            handle(.available)
        case .failure(.disconnected): break
        case .failure(let error): tryLater(BlueZTrouble.objects(error))
        }
    }

    private func take(_ signal: BusSignal) {
        if signal.member == BlueZName.nameOwnerChanged {
            guard signal.sender == BlueZName.bus, signal.body.count == 3,
                signal.body[0].string == BlueZName.service, let name = signal.body[2].string
            else { return }
            ownerChanged(to: name)
        } else if isLoaded, signal.sender == owner {
            // What anybody else claims to have changed has not.
            for change in tree.apply(signal) { handle(.changed(change)) }
        }
    }

    /// There is no use in this connection any more.
    private func lose(_ failure: LinkError) {
        guard end == nil else { return }
        end = failure
        owner = nil
        isLoaded = false
        tree = ManagedObjects()
        handle(.closed(failure))
        finish()
    }
}

/// The machine works.
extension BlueZClient {
    private func handle(_ event: BlueZEvent<Machine.Request>) {
        let actions = machine.handle(event, in: tree, at: clock.now())
        // What is asked after that belongs to the end, too.
        let isEnd =
            event.isStop || failure != nil || end != nil || actions.contains(where: \.isEnd)
        perform(actions, isEnd: isEnd)
    }

    private func perform(
        _ actions: [BlueZAction<Machine.Request, Machine.Output>], isEnd: Bool
    ) {
        for action in actions {
            switch action {
            case .output(let output): outputs.append(output)
            case .call(let request, let call): perform(request, call, isLast: isEnd)
            case .end(let error):
                failure = error
                alarm.end()
            }
        }
        setAlarm()
    }

    private func perform(_ request: Machine.Request, _ call: BlueZCall, isLast: Bool) {
        guard let bus, let owner else { return }
        if isLast { lastCalls += 1 }
        let busCall = BusCall(owner, call.path, call.interface, call.member, call.body)
        _ = bus.call(busCall, timeoutSeconds: call.timeoutSeconds) { [weak self] result in
            self?.assumeIsolated { client in
                // The answer may lead to one more call.
                defer { if isLast { client.lastCallAnswered() } }
                // bluetoothd's successor knows nothing of this.
                guard owner == client.owner, client.isLoaded else { return }
                client.handle(.finished(request, result))
            }
        }
    }

    private func lastCallAnswered() {
        lastCalls -= 1
        guard lastCalls == 0 else { return }
        lastAnswer?.resume()
        lastAnswer = nil
    }

    private func setAlarm() {
        guard end == nil else { return }
        alarm.set(.earlier(machine.wakeTime, retryTime))
    }

    private func wake() {
        guard end == nil else { return }
        let now = clock.now()
        if let due = retryTime, due <= now {
            retryTime = nil
            if owner == nil { findOwner() } else { load() }
        }
        if let due = machine.wakeTime, due <= now { handle(.timer) } else { setAlarm() }
    }

    /// Lets the machine say its last, waits for the answers to that, and closes the bus.
    private func stop() async {
        guard end == nil else { return }
        handle(.stop)
        end = CancellationError()
        await withCheckedContinuation { waiting in
            if lastCalls > 0 { lastAnswer = waiting } else { waiting.resume() }
        }
        finish()
    }

    private func finish() {
        bus?.close()
        bus = nil
        alarm.end()
        outputs.wakeReader()
    }
}
