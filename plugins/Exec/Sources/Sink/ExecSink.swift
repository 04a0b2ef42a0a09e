package import GatewayCore
import JSON
import Platform
import Programs

/// A sink whose records a program gets, a batch a line, and which it acknowledges.
///
/// The program is started with the first batch, and again after its end.
package actor ExecSink: LineSink, SelfChecking, Closable {
    /// The default time limit of a batch, in seconds.
    static let defaultTimeout = 30.0
    private static let timeoutRange = 1.0...3_600.0
    /// The times that a program has at the end of the gateway, in seconds.
    private static let closingSeconds = (grace: 0.3, kill: 0.1)

    private let program: Program
    private let context: ComponentContext
    private let timeout: Double
    private var process: SinkProcess?
    private let running = RunningProgram()
    private var messages: ProgramMessages
    private var batch: UInt64 = 0

    init(_ program: Program, timeout: Double, _ context: ComponentContext) {
        self.program = program
        self.timeout = timeout
        self.context = context
        messages = ProgramMessages(log: context.log)
    }

    /// The factory for `use: "exec"`.
    package static let factory = SinkFactory(
        use: "exec", keys: ProgramSettings.keys + ["timeout"], about: about, isProgram: true
    ) { settings, context throws(ConfigurationError) in
        let node = settings["timeout"]
        let timeout = try node?.number() ?? defaultTimeout
        if let node, !timeoutRange.contains(timeout) {
            throw node.error("must be from 1 to 3600 seconds")
        }
        return ExecSink(
            Program(try ProgramSettings(settings), context), timeout: timeout, context)
    }

    package nonisolated var acceptsDeletions: Bool { true }

    /// Checks that the program is there.
    package nonisolated func check() throws(ConfigurationError) { try program.check() }

    /// Sends the batch to the program and waits for its answer.
    package func write(_ lines: RecordLines) async throws {
        let process = try startedProcess()
        batch += 1
        let document = RecordDocument(lines, types: context.types, batch: batch)
        let deadline = context.clock.now().adding(
            nanoseconds: Int64(clampedNanosecondsOf: timeout))
        let outcome: SinkProcess.Outcome
        (outcome, messages) = await process.exchange(
            document.bytes + [UInt8(ascii: "\n")], batch: batch, until: deadline,
            messages: messages)
        if Task.isCancelled {
            // A part of the batch may be written: the program is not used again.
            process.child.input.close()
            self.process = nil
            throw CancellationError()
        }
        try await settle(outcome, hasInvalid: !document.invalid.isEmpty)
    }

    private func settle(_ outcome: SinkProcess.Outcome, hasInvalid: Bool) async throws {
        switch outcome {
        case .answer(.acknowledged):
            guard hasInvalid else { return }
            throw SinkError.rejected([], reason: "some lines of the journal are not records")
        case .answer(.retry(_, let after)):
            throw SinkError.retry(reason: "`\(program.name)` cannot store now", after: after)
        case .answer(.rejected(_, let ids, let reason)):
            throw SinkError.rejected(ids, reason: reason)
        case .ended:
            let end = await endProcess()
            throw SinkError.retry(reason: "\(program.failure(end))", after: nil)
        case .timedOut:
            _ = await endProcess()
            throw SinkError.retry(
                reason: "`\(program.name)` has not answered within \(Int(timeout)) s; "
                    + "raise `timeout`, or see its messages in the log", after: nil)
        case .invalid(let problem), .failed(let problem):
            _ = await endProcess()
            throw SinkError.retry(
                reason: "`\(program.name)` has answered wrongly: \(problem)", after: nil)
        }
    }

    private func startedProcess() throws -> SinkProcess {
        if let process { return process }
        do throws(LinkError) {
            let child = try program.start(context.poller)
            context.log.info("program started", ["process": "\(child.identifier)"])
            let started = SinkProcess(child, clock: context.clock, log: context.log)
            process = started
            running.set(child)
            return started
        } catch {
            throw SinkError.blocked(reason: "\(error)")
        }
    }

    private func endProcess() async -> ChildProcess.End? {
        let process = process
        self.process = nil
        defer { running.set(nil) }
        return await process?.end(
            graceSeconds: Program.graceSeconds, killSeconds: Program.killSeconds)
    }

    /// Ends the program.
    package func close() async {
        let process = process
        self.process = nil
        _ = await process?.end(
            graceSeconds: Self.closingSeconds.grace, killSeconds: Self.closingSeconds.kill)
        // One that is still ending after an earlier batch has no more time.
        running.kill()
    }
}
