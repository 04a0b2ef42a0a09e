package import GatewayCore
import JSON
import Platform
import Programs

/// A source whose readings and records a program prints, one JSON object a line.
///
/// The program can wait: while the journal has no space, its lines are not read.
package struct ExecSource: Source, SelfChecking, Closable {
    private let program: Program
    private let context: ComponentContext
    private let memory = ProgramMemory()
    private let running = RunningProgram()

    /// True: a program waits until its output is read.
    package var canWait: Bool { true }

    init(_ program: Program, _ context: ComponentContext) {
        self.program = program
        self.context = context
    }

    /// Starts the program and reports its lines until it ends or the task is cancelled.
    ///
    /// - Throws: ``LinkError`` when the program cannot be started or has ended.
    package func run(into inlet: any ReadingInlet) async throws {
        try Task.checkCancellation()
        let child = try program.start(context.poller)
        running.set(child)
        defer { running.set(nil) }
        context.log.info("program started", ["process": "\(child.identifier)"])
        let session = ProgramSession(
            child, of: program, into: inlet, memory: memory, context: context)
        let probe = context.probe(ask: session.ask)
        let failure = await session.run()
        withExtendedLifetime(probe) {}
        // One that only prints ends with its next line.
        child.output.close()
        let end = await child.end(
            graceSeconds: Program.graceSeconds, killSeconds: Program.killSeconds,
            on: context.clock)
        child.errors.close()
        context.log.debug("program ended", ["end": end.map { "\($0)" } ?? "still there"])
        await session.settle()
        try Task.checkCancellation()
        throw failure
    }

    /// Kills the program, which the end of its run has not ended in time.
    package func close() async { running.kill() }

    /// Checks that the program is there.
    package func check() throws(ConfigurationError) { try program.check() }

    /// The factory for `use: "exec"`.
    package static let factory = SourceFactory(use: "exec", about: about, reportsAnyType: true) {
        node, context throws(ConfigurationError) in
        let settings = try node.object(keys: ["use"] + ProgramSettings.keys)
        return ExecSource(Program(try ProgramSettings(settings), context), context)
    }
}
