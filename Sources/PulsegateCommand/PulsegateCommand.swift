import CStart
import Dispatch
import GatewayCore
import Glibc

/// The command `pulsegate`, made of whatever plugins a build has.
public enum PulsegateCommand {
    /// Runs the command that the process was called with, and ends the process with its status.
    ///
    /// It is called on the main thread, which serves the main actor from then on. Everything else runs
    /// on threads of our own, which sleep when there is nothing to do: see ``TaskPool``.
    public static func main(plugins: Plugins) -> Never {
        cstart_begin()
        // A reader that closes the pipe is an error of `write`, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that may not grow (setrlimit(2)): it is treated like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        cstart_share_heap()
        let words = Array(CommandLine.arguments.dropFirst())
        let pool = TaskPool(name: "pool")
        Task(executorPreference: pool) {
            exit(await status(of: words, plugins: plugins, executor: pool).rawValue)
        }
        dispatchMain()
    }

    private static func status(
        of words: [String], plugins: Plugins, executor: any TaskExecutor
    ) async -> ExitStatus {
        do {
            return try await run(
                words, plugins: plugins, environment: .process, executor: executor)
        } catch {
            StandardStream.error.write("pulsegate: \(error.text)\n")
            return error.status
        }
    }

    static func run(
        _ words: [String], plugins: Plugins, environment: Environment,
        executor: (any TaskExecutor)? = nil
    ) async throws(CommandFailure) -> ExitStatus {
        let command = Subcommand.all.first { $0.syntax.name == words.first }
        if command?.catchesStopSignals != true { cstart_allow_signals() }
        switch words.first {
        case nil:
            throw CommandFailure(.usage, "a command is missing\n\(overview)")
        case "--help", "-h", "help":
            try StandardStream.output.writeResult(overview)
            return .success
        case "--version":
            try StandardStream.output.writeResult("pulsegate \(Version.current)\n")
            return .success
        case let name?:
            guard let command else { throw unknown(name) }
            let arguments = try ParsedArguments(
                Array(words.dropFirst()), syntax: command.syntax)
            guard !arguments.has("--help") else {
                try StandardStream.output.writeResult(command.syntax.helpText)
                return .success
            }
            return try await command.run(
                Subcommand.Call(
                    arguments: arguments, plugins: plugins, environment: environment,
                    executor: executor))
        }
    }

    private static func unknown(_ name: String) -> CommandFailure {
        let known = Subcommand.all.map(\.syntax.name) + ["--help", "--version"]
        return CommandFailure(
            .usage, "unknown command `\(name)`; \(Suggestion.message(unknown: name, known: known))")
    }

    private static var overview: String {
        let commands = Subcommand.all.map { ($0.syntax.name, $0.syntax.summary) }
        return """
            Pulsegate reads heart-rate straps and pedometers and keeps what they measure.

            usage: pulsegate COMMAND …

            \(CommandSyntax.columns(commands))
              pulsegate COMMAND --help   what a command takes
              pulsegate --version        which version this is

            """
    }
}
