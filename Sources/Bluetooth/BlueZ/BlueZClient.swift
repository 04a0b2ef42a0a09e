package import DBus
package import GatewayCore
package import Platform

/// A client of bluetoothd: owns the D-Bus connection, mirrors bluetoothd's objects, and performs
/// the actions of a state machine.
///
/// It does all input and output of this module, on the thread of the bus. Calls are addressed to
/// the unique name of the current owner of `org.bluez`, so that a restarted bluetoothd does not
/// receive calls meant for its predecessor and a stopped bluetoothd is not started by a call.
package actor BlueZClient<Machine: BlueZMachine> {
    /// The maximum number of outputs that wait for the handler.
    private static var outputLimit: Int { 10_000 }

    let address: String?
    let acceptsDescriptors: Bool
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
    var isStuck = false
    var isLoading = false
    var watchdog = DaemonWatchdog<Machine.Request>()
    var retry = Backoff(first: 1, longest: 60)
    var retryTime: BootInstant?
    var end: (any Error)?
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
    var malformed = MalformedValues()
    let reportMalformed: @Sendable (MalformedValue) -> Void

    /// The loop of the bus.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Makes a client for a bus, by default the system bus; it connects in `run`.
    ///
    /// - Parameters:
    ///   - poller: The poller of the pool on whose threads it works; nil for a thread of its own.
    ///   - acceptsDescriptors: Whether the machine acquires notifications.
    ///   - malformed: Receives the first malformed value of an object.
    package init(
        _ machine: Machine, address: String?, clock: any GatewayClock,
        servedBy poller: DescriptorPoller? = nil, acceptsDescriptors: Bool = false,
        malformed: @escaping @Sendable (MalformedValue) -> Void = { _ in }
    ) throws(BusError) {
        self.machine = machine
        reportMalformed = malformed
        self.address = address
        self.acceptsDescriptors = acceptsDescriptors
        self.clock = clock
        loop = try BusLoop(label: "bluetooth", servedBy: poller)
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

    func finish() {
        agentCalls.cancelAll()
        watches = [:]
        bus?.close()
        bus = nil
        timer.end()
        outputs.end()
    }
}
