import ByteDecoding
import GatewayCore
import Platform
import Programs
import Readings
import Synchronization

/// The program that decodes for one link: started again with back-off when it ends.
final class DecoderProcess: DecoderProgram {
    /// The maximum length of a line, which a capture can store as one event.
    static let lineLimit = 16_384
    /// The time that it has after the link is closed, before SIGTERM and then SIGKILL, in seconds.
    static let graceSeconds = 0.5
    static let killSeconds = 0.2
    /// The time in which the program must read some of its input, in seconds.
    static let readSeconds = 10.0
    /// The delay before it is started again, in seconds, and the run after which it is the first one.
    private static let backoff = Backoff(first: 0.5, longest: 30)
    private static let goodRunSeconds = 60.0

    private enum Event {
        case ended(LinkError?)
        case otherEnded
    }

    private typealias Deliver = @Sendable ([DecoderOutput], BootInstant) async -> Void

    /// What is wrong with the program.
    private struct Problems {
        /// Why it has ended; nil once it prints again.
        var failure: LinkError?
        /// That it does not read its input; nil once it reads again.
        var stall: LinkError?
        var hasStalled = false

        var first: LinkError? { failure ?? stall }
    }

    private let program: Program
    private let device: String
    private let context: ComponentContext
    private let queue = DecoderQueue()
    private let rejected: RejectedLines
    private let problems = Mutex(Problems())

    init(_ program: Program, for device: String, _ context: ComponentContext) {
        self.program = program
        self.device = device
        self.context = context
        rejected = RejectedLines(device: device, context)
    }

    var unreadCount: Int { queue.count }

    func send(_ input: DecoderInput) -> Bool {
        switch input {
        case .rejected(let reason):
            return !rejected.note(reason) || queue.append(EventLine.rejection(reason))
        case .event(let event):
            let epoch = context.clock.epoch()
            guard let line = EventLine.bytes(event, of: device, in: epoch) else { return true }
            guard event.kind == .opened else { return queue.append(line) }
            queue.open(line)
            return true
        }
    }

    func run(
        delivering deliver: @escaping @Sendable ([DecoderOutput], BootInstant) async -> Void
    ) async {
        var backoff = Self.backoff
        var logged: LinkError?
        while !Task.isCancelled {
            let start = context.clock.now()
            let failure = await runOnce(deliver)
            guard !Task.isCancelled else { return }
            if context.clock.now().seconds(since: start) >= Self.goodRunSeconds {
                backoff.reset()
                logged = nil
            }
            if failure != logged { logEnd(failure) }
            logged = failure
            await update(deliver) { $0 = Problems(failure: failure) }
            try? await context.clock.sleep(seconds: backoff.next())
        }
    }

    /// Starts the program and serves it until it ends or the task is cancelled.
    private func runOnce(_ deliver: @escaping Deliver) async -> LinkError {
        let child: ChildProcess
        do { child = try program.start(context.poller) } catch { return error }
        queue.beginRun()
        context.log.info(
            "decoder started", ["device": device, "process": "\(child.identifier)"])
        let failure = await serve(child, deliver)
        // The event `closed`, if the program reads it at once.
        if Task.isCancelled { child.input.writeAvailable(queue.removeAll()[...]) }
        child.output.close()
        let end = await child.end(
            graceSeconds: Self.graceSeconds, killSeconds: Self.killSeconds, on: context.clock)
        child.errors.close()
        return failure ?? program.failure(end)
    }

    private func serve(
        _ child: ChildProcess, _ deliver: @escaping Deliver
    ) async -> LinkError? {
        let watch = InputWatch(child.input, limitSeconds: Self.readSeconds, clock: context.clock)
        return await withTaskGroup(of: Event.self) { group in
            group.addTask {
                await self.read(child, deliver)
                return .ended(nil)
            }
            group.addTask { .ended(await self.write(to: child, watch)) }
            group.addTask {
                await watch.run { await self.noteStall($0, deliver) }
                return .otherEnded
            }
            group.addTask {
                await ProgramMessages.log(child.errors, to: self.context)
                return .otherEnded
            }
            var failure: LinkError?
            while let event = await group.next() {
                guard case .ended(let reason) = event else { continue }
                failure = reason
                break
            }
            group.cancelAll()
            return failure
        }
    }

    // MARK: Output

    private func read(_ child: ChildProcess, _ deliver: Deliver) async {
        var splitter = DelimitedSplitter.lines(lengthLimit: Self.lineLimit)
        var hasPrinted = false
        while let bytes = try? await child.output.read() {
            let receipt = context.clock.now()
            if !hasPrinted { await update(deliver) { $0.failure = nil } }
            hasPrinted = true
            var outputs: [DecoderOutput] = []
            splitter.split(bytes) { piece in
                switch piece {
                case .bytes(let line): outputs.append(.line(Array(line)))
                case .tooLong: outputs.append(.tooLong)
                }
            }
            if outputs.contains(where: \.isTooLong) {
                _ = send(.rejected(reason: "the line has more than \(Self.lineLimit) bytes"))
            }
            if !outputs.isEmpty { await deliver(outputs, receipt) }
        }
    }

    // MARK: Input

    /// Writes the lines of the queue; returns an error, or nil when the program has ended.
    private func write(to child: ChildProcess, _ watch: InputWatch) async -> LinkError? {
        while case let lines = await queue.nextLines(), !lines.isEmpty {
            var rest = lines[...]
            while !rest.isEmpty {
                let deadline = context.clock.now().adding(seconds: Self.readSeconds)
                let left = try? await child.input.write(rest, until: deadline, on: context.clock)
                guard let left else { return await endOfOutput(child) }
                guard left.count < rest.count else { return stall }
                watch.note(written: rest.count - left.count)
                rest = left
            }
        }
        return nil
    }

    /// Waits for the end of a program that has closed its input: it may still print.
    private func endOfOutput(_ child: ChildProcess) async -> LinkError? {
        _ = try? await child.waitForEnd()
        return nil
    }

    private func logEnd(_ failure: LinkError) {
        context.log.warning(
            "decoder ended, starting it again; only another reason is logged",
            ["device": device, "reason": "\(failure)"])
    }

    // MARK: Problems

    private var stall: LinkError {
        LinkError(
            "`\(program.name)` does not read its standard input",
            remedy: "read a line for each event")
    }

    private func noteStall(_ isStalled: Bool, _ deliver: Deliver) async {
        let problem = isStalled ? stall : nil
        let isFirst = problems.withLock { problems in
            defer { problems.hasStalled = true }
            return !problems.hasStalled
        }
        if isFirst {
            context.log.warning(
                "decoder does not read its input; only the first time is logged",
                ["device": device])
        }
        await update(deliver) { $0.stall = problem }
    }

    /// Changes what is wrong, and delivers the problem to show if it is another one.
    private func update(_ deliver: Deliver, _ change: (inout Problems) -> Void) async {
        let (before, after) = problems.withLock { problems in
            let before = problems.first
            change(&problems)
            return (before, problems.first)
        }
        if before != after { await deliver([.problem(after)], context.clock.now()) }
    }
}

extension DecoderOutput {
    fileprivate var isTooLong: Bool {
        if case .tooLong = self { true } else { false }
    }
}
