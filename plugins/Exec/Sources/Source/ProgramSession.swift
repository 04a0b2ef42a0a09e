import ByteDecoding
import GatewayCore
import HealthModel
import Platform
import Programs
import Synchronization

/// One run of a program as a source: reads its lines, reports them and answers.
final class ProgramSession: Sendable {
    /// The time for the rest of the output after the program's end, in seconds.
    static let restSeconds = 1.0
    /// The number of reports that are remembered: each has a line that is not answered, or one more.
    private static let reportLimit = 2 * ProgramAnswers.limit

    private enum Event {
        case outputEnded((any Error)?)
        case answersEnded((any Error)?)
        case errorsEnded
        case exited(ChildProcess.End?)
        case restEnded
    }

    /// How the run ends.
    private struct Ending {
        var hasOutput = true
        var hasErrors = true
        var exit: ChildProcess.End?
        var failure: (any Error)?
        /// Whether nothing more is to come.
        var isComplete: Bool { failure != nil || (!hasOutput && !hasErrors && exit != nil) }
    }

    private struct State {
        var devices: [String] = []
        /// The reports that may not be committed yet.
        var reports: [(receipt: ReportReceipt, lines: [ProgramOutput.Line])] = []
        /// Whether the source waits for the program, and not for the pipeline.
        var isReading = false
    }

    private let child: ChildProcess
    private let program: Program
    private let inlet: any ReadingInlet
    private let context: ComponentContext
    private let memory: ProgramMemory
    private let answers: ProgramAnswers
    private let state = Mutex(State())
    /// The questions of the watchdog to the loop that reads the output.
    private let questions = ProgressQuestions()

    /// Makes the run of a program that was started.
    init(
        _ child: ChildProcess, of program: Program, into inlet: any ReadingInlet,
        memory: ProgramMemory, context: ComponentContext
    ) {
        self.child = child
        self.program = program
        self.inlet = inlet
        self.memory = memory
        self.context = context
        answers = ProgramAnswers(
            input: child.input, memory: memory, clock: context.clock, program: program.name)
    }

    /// Asks the loop that reads the output to call a function.
    ///
    /// A program that does not print is no hang, and what the loop waits for has probes of its own.
    func ask(_ answer: @escaping @Sendable () -> Void) {
        questions.add(answer)
        child.output.wake()
    }

    /// Runs until the program ends, fails or the task is cancelled; returns the reason.
    func run() async -> any Error {
        memory.beginRun()
        let failure = await process()
        answers.queue.finish()
        let reason = Task.isCancelled ? "stopped" : "\(failure)"
        for device in state.withLock({ $0.devices }) {
            let closed = DeviceReport.Content.closed(at: context.clock.now(), reason: reason)
            await inlet.report(DeviceReport(device: device, closed))
        }
        return failure
    }

    /// Waits until the reports of this run are committed, and forgets the lines that are not.
    func settle() async {
        for (receipt, lines) in state.withLock({ $0.reports }) {
            guard (try? await memory.settle(receipt, lines)) == true else { return memory.clear() }
        }
    }

    private func process() async -> any Error {
        await withTaskGroup(of: Event.self) { group in
            group.addTask { .outputEnded(await Self.error { try await self.readOutput() }) }
            group.addTask { .answersEnded(await Self.error { try await self.answers.run() }) }
            group.addTask { await self.readErrors() }
            group.addTask { .exited(try? await self.child.waitForEnd()) }
            var ending = Ending()
            while !ending.isComplete, let event = await group.next() {
                switch event {
                case .outputEnded(let error):
                    ending.hasOutput = false
                    ending.failure = error
                case .answersEnded(let error): ending.failure = error
                case .errorsEnded: ending.hasErrors = false
                case .exited(let end): ending.exit = end
                case .restEnded: ending.failure = program.failure(ending.exit)
                }
                if case .errorsEnded = event { continue }
                group.addTask { await self.waitForRest() }
            }
            group.cancelAll()
            return ending.failure ?? program.failure(ending.exit)
        }
    }

    private static func error(of operation: () async throws -> Void) async -> (any Error)? {
        do {
            try await operation()
            return nil
        } catch {
            return error
        }
    }

    /// Waits for the rest of the output once the program has ended, or closed one of its streams.
    private func waitForRest() async -> Event {
        repeat {
            try? await context.clock.sleep(seconds: Self.restSeconds)
        } while !state.withLock { $0.isReading } && !Task.isCancelled
        return .restEnded
    }

    // MARK: Output

    private func readOutput() async throws {
        defer { questions.leave() }
        var splitter = DelimitedSplitter.lines(lengthLimit: RecordDecoder.maximumLineLength)
        var output = ProgramOutput(
            source: context.name, types: context.types, memory: memory, log: context.log)
        var hasProblem = false
        await questions.away { await inlet.note(problem: nil) }
        while let bytes = try await nextBytes() {
            let receipt = context.clock.now()
            splitter.split(bytes) { output.handle($0, at: receipt) }
            try await perform(output.removeSteps(at: receipt), devices: output.devices)
            if output.hasOnlyUnusableLines != hasProblem {
                hasProblem.toggle()
                let problem = hasProblem ? onlyUnusableLines : nil
                await questions.away { await inlet.note(problem: problem) }
            }
        }
        // The last line may have no end.
        let end = context.clock.now()
        splitter.split([UInt8(ascii: "\n")]) { output.handle($0, at: end) }
        try await perform(output.removeSteps(at: end), devices: output.devices)
    }

    private var onlyUnusableLines: LinkError {
        LinkError(
            "`\(program.name)` prints only lines that cannot be used",
            remedy: "see the reasons in the log")
    }

    private func nextBytes() async throws -> [UInt8]? {
        state.withLock { $0.isReading = true }
        defer { state.withLock { $0.isReading = false } }
        return try await child.output.read(answering: questions)
    }

    private func perform(_ steps: [ProgramOutput.Step], devices: [String]) async throws {
        state.withLock { $0.devices = devices }
        for step in steps {
            try Task.checkCancellation()
            await questions.away { await perform(step) }
        }
    }

    /// Waits while the journal or the queue of answers has no space.
    private func perform(_ step: ProgramOutput.Step) async {
        switch step {
        case .report(let report, let lines):
            await inlet.report(report)
            guard let receipt = report.receipt else { return }
            note(receipt, lines)
            await answers.queue.append(.report(receipt, lines), size: lines.count)
        case .discard(let drops): await inlet.note(discarded: drops)
        case .refuse(let sequence, let reason):
            await answers.queue.append(.refuse(sequence, reason: reason), size: 1)
        case .repeated(let number):
            await answers.queue.append(.repeated(number), size: 1)
        }
    }

    private func note(_ receipt: ReportReceipt, _ lines: [ProgramOutput.Line]) {
        state.withLock { state in
            // The answers of those that are committed have noted their outcome, or soon will.
            let limit = Self.reportLimit
            if state.reports.count >= limit { state.reports.removeFirst(limit / 2) }
            state.reports.append((receipt, lines))
        }
    }

    // MARK: Standard error

    private func readErrors() async -> Event {
        await ProgramMessages.log(child.errors, to: context)
        return .errorsEnded
    }
}
