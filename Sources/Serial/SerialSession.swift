import GatewayCore
import HealthModel
import Platform

/// One connection to a serial device: its events go to the adapter, what comes of them goes on.
struct SerialSession {
    /// How long a device may take to accept what is sent to it.
    static let writeLimitNanoseconds: Int64 = 2_000_000_000

    let link: any SerialLink
    let inlet: any ReadingInlet
    let clock: any GatewayClock
    let log: Logger
    let serialProtocol: any SerialProtocol
    let device: Device
    private var session: AdapterSession
    /// Ends the wait for bytes when the adapter has something to do or the device has been silent.
    private let alarm = DeadlineTimer()
    /// When the device counts as stale; `nil` when it does already, or never does.
    private var staleTime: BootInstant?

    init(
        link: any SerialLink, inlet: any ReadingInlet, clock: any GatewayClock, log: Logger,
        serialProtocol: any SerialProtocol, device: Device
    ) {
        self.link = link
        self.inlet = inlet
        self.clock = clock
        self.log = log
        self.serialProtocol = serialProtocol
        self.device = device
        session = AdapterSession(serialProtocol.makeAdapter())
    }

    /// Goes on until the link fails or the task is cancelled, and answers with why.
    mutating func run() async -> any Error {
        await withTaskGroup(of: Void.self) { [alarm, link, clock] group in
            group.addTask { await alarm.run(on: clock) { link.wake() } }
            let error = await converse()
            group.cancelAll()
            return error
        }
    }

    private mutating func converse() async -> any Error {
        let opened = clock.now()
        await report(.opened(device, at: opened))
        do {
            try await handle(.opened, at: opened)
            expectReadings(after: opened)
            while true { try await takeNext() }
        } catch {
            return error
        }
    }

    /// Tells the adapter and everybody else that the link was closed.
    mutating func end(reason: String) async {
        let closed = clock.now()
        await pass(session.handle(.closed, at: closed))
        await report(.closed(at: closed, reason: reason))
    }

    private mutating func takeNext() async throws {
        alarm.set([session.wakeTime, staleTime].compactMap { $0 }.min())
        if let received = try await link.read() {
            try await handle(.received(received.bytes, on: .stream), at: received.receipt)
        }
        let now = clock.now()
        if let staleTime, staleTime <= now { await reportStale(at: now) }
        if let wakeTime = session.wakeTime, wakeTime <= now { try await handle(.timer, at: now) }
    }

    private mutating func handle(_ kind: AdapterEvent.Kind, at receipt: BootInstant) async throws {
        let outcome = session.handle(kind, at: receipt)
        // Noise is no sign of life.
        if !outcome.readings.isEmpty { expectReadings(after: receipt) }
        await pass(outcome)
        for channel in outcome.reads {
            log.debug("a stream has nothing to read by name", ["channel": channel.name])
        }
        for send in outcome.sends {
            let deadline = clock.now().adding(nanoseconds: Self.writeLimitNanoseconds)
            try await link.write(send.bytes, until: deadline)
        }
    }

    private func pass(_ outcome: AdapterSession.Outcome) async {
        if !outcome.readings.isEmpty { await report(.readings(outcome.readings)) }
        if !outcome.drops.isEmpty { await report(.dropped(outcome.drops)) }
    }

    private mutating func expectReadings(after moment: BootInstant) {
        staleTime = serialProtocol.silenceLimitSeconds.map { seconds in
            moment.adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        }
    }

    private mutating func reportStale(at moment: BootInstant) async {
        staleTime = nil
        await report(.stale(at: moment, reason: "nothing that can be read came for too long"))
    }

    private func report(_ content: DeviceReport.Content) async {
        await inlet.report(DeviceReport(device: device.localIdentifier ?? "", content))
    }
}
