import GatewayCore
import HealthModel
import JSON
import Platform
import Readings

/// A session on an open link: passes its events to the adapter and reports the readings.
struct SerialSession {
    /// The timeout of a write.
    static let writeTimeoutNanoseconds: Int64 = 2_000_000_000

    let link: any SerialLink
    let inlet: any ReadingInlet
    let clock: any GatewayClock
    let log: Logger
    let serialProtocol: any SerialProtocol
    let device: Device
    /// The setting `protocol`, for a capture.
    let setting: JSONValue
    private let recordsTraffic: Bool
    private var session: AdapterSession
    /// Ends the wait for bytes at the wake time of the adapter and when the device becomes stale.
    private let wakeTimer = DeadlineTimer()
    /// The program that decodes for the device, if there is one, and what it has printed.
    private let program: (any DecoderProgram)?
    private let programs = DecoderPrograms()
    private let inbox = DecoderInbox()
    /// The questions of the watchdog.
    private let questions = ProgressQuestions()
    /// When the device becomes stale; `nil` if it is already, or never does.
    private var staleTime: BootInstant?

    init(
        link: any SerialLink, inlet: any ReadingInlet, clock: any GatewayClock, log: Logger,
        serialProtocol: any SerialProtocol, device: Device, setting: JSONValue, mark: CallMark?,
        program: (any DecoderProgram)? = nil
    ) {
        self.link = link
        self.inlet = inlet
        self.clock = clock
        self.log = log
        self.serialProtocol = serialProtocol
        self.device = device
        self.setting = setting
        self.program = program
        recordsTraffic = inlet.recordsTraffic
        session = AdapterSession(serialProtocol.makeAdapter(), mark: mark)
    }

    /// Runs until the link fails or the task is cancelled, and returns the error.
    mutating func run() async -> any Error {
        await withTaskGroup(of: Void.self) { [wakeTimer, link, clock, programs, inbox] group in
            group.addTask { await wakeTimer.run(on: clock) { link.wake() } }
            group.addTask {
                await programs.run { _, outputs, receipt in
                    await inbox.put(.init(outputs: outputs, receipt: receipt)) { link.wake() }
                }
            }
            let error = await processEvents()
            let unread = programs.end(device: identifier, at: clock.now())
            if unread > 0 { await report(.dropped([.overrun: unread])) }
            inbox.close()
            group.cancelAll()
            await group.waitForAll()
            // A problem of the program ends with it.
            if program != nil { await inlet.note(problem: nil) }
            return error
        }
    }

    private mutating func processEvents() async -> any Error {
        let opened = clock.now()
        if recordsTraffic { await report(.traffic(.adapter(.object(["protocol": setting])))) }
        await report(.opened(device, at: opened))
        do {
            try await handle(.opened, at: opened)
            expectReadings(after: opened)
            while true { try await processNext() }
        } catch {
            return error
        }
    }

    /// Asks the loop of the session to call a function.
    var ask: ProgressProbes.Ask {
        { [questions, link] answer in
            questions.add(answer)
            link.wake()
        }
    }

    /// Reports the closed link to the adapter and the inlet.
    mutating func end(reason: String) async {
        let closed = clock.now()
        await forward(session.handle(.closed, at: closed), at: closed)
        await report(.closed(at: closed, reason: reason))
    }

    private mutating func processNext() async throws {
        questions.answerAll()
        wakeTimer.set([session.wakeTime, staleTime].compactMap { $0 }.min())
        if let received = try await link.read() {
            try await handle(.received(received.bytes, on: .stream), at: received.receipt)
        }
        for batch in inbox.takeAll() { try await handle(batch) }
        let now = clock.now()
        if let staleTime, staleTime <= now { await reportStale(at: now) }
        if let wakeTime = session.wakeTime, wakeTime <= now { try await handle(.timer, at: now) }
    }

    private mutating func handle(_ batch: DecoderInbox.Batch) async throws {
        for output in batch.outputs {
            switch output {
            case .line(let line):
                try await handle(.received(line, on: .program), at: batch.receipt)
            case .tooLong: await report(.dropped([.tooLong: 1]))
            case .problem(let problem): await inlet.note(problem: problem)
            }
        }
    }

    private mutating func handle(_ kind: AdapterEvent.Kind, at receipt: BootInstant) async throws {
        if recordsTraffic, case .received(let bytes, let channel) = kind {
            await report(.traffic(.received(bytes, on: channel, at: receipt)))
        }
        await forward(kind, at: receipt)
        let outcome = session.handle(kind, at: receipt)
        // Only valid readings reset the silence limit.
        if !outcome.readings.isEmpty { expectReadings(after: receipt) }
        await forward(outcome, at: receipt)
        for channel in outcome.reads {
            log.debug(
                "read from a channel is not supported by a serial stream", ["channel": channel.name]
            )
        }
        for send in outcome.sends {
            guard !send.channel.isOfProgram else {
                let reason = String(decoding: send.bytes, as: UTF8.self)
                _ = programs.send(.rejected(reason: reason), to: programKey)
                continue
            }
            let deadline = clock.now().adding(nanoseconds: Self.writeTimeoutNanoseconds)
            try await link.write(send.bytes, until: deadline)
        }
    }

    /// Passes an event on to the program of the device.
    private func forward(_ kind: AdapterEvent.Kind, at receipt: BootInstant) async {
        guard let program else { return }
        switch kind {
        case .opened: programs.start(program, for: programKey, at: receipt)
        case .received(_, let channel) where !channel.isOfProgram:
            let event = DecoderInput.event(AdapterEvent(kind, at: receipt))
            if !programs.send(event, to: programKey) { await report(.dropped([.overrun: 1])) }
        case .received, .timer, .closed: break
        }
    }

    private func forward(_ outcome: AdapterSession.Outcome, at moment: BootInstant) async {
        // First, because a greeting often arrives with the first reading.
        if !outcome.drops.isEmpty { await report(.dropped(outcome.drops)) }
        if !outcome.readings.isEmpty { await report(.readings(outcome.readings)) }
        if !outcome.faults.isEmpty { await report(.discarded(outcome.faults, at: moment)) }
    }

    private mutating func expectReadings(after moment: BootInstant) {
        staleTime = serialProtocol.silenceLimitSeconds.map { seconds in
            moment.adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        }
    }

    private mutating func reportStale(at moment: BootInstant) async {
        staleTime = nil
        await report(.stale(at: moment, reason: "no valid data received within the silence limit"))
    }

    private func report(_ content: DeviceReport.Content) async {
        await inlet.report(DeviceReport(device: identifier, content))
    }

    private var identifier: String { device.localIdentifier ?? "" }

    private var programKey: DecoderPrograms.Key { .init(device: identifier, channel: .program) }
}
