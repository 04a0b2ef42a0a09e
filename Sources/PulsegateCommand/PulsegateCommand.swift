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

    private static let syntaxes = [
        RunCommand.syntax, CheckCommand.syntax, DevicesCommand.syntax, AdoptCommand.syntax,
        ForgetCommand.syntax, InspectCommand.syntax, PluginsCommand.syntax, QueryCommand.syntax,
    ]
    /// Those that have something to put in order when they are told to stop.
    private static let stopping = [
        RunCommand.syntax.name, DevicesCommand.syntax.name, InspectCommand.syntax.name,
    ]

    static func run(
        _ words: [String], plugins: Plugins, environment: Environment,
        executor: (any TaskExecutor)? = nil
    ) async throws(CommandFailure) -> ExitStatus {
        if !stopping.contains(words.first ?? "") { cstart_allow_stop_signals() }
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
            return try await run(
                name, Array(words.dropFirst()), plugins: plugins, environment: environment,
                executor: executor)
        }
    }

    private static func run(
        _ name: String, _ words: [String], plugins: Plugins, environment: Environment,
        executor: (any TaskExecutor)?
    ) async throws(CommandFailure) -> ExitStatus {
        guard let syntax = syntaxes.first(where: { $0.name == name }) else {
            let known = syntaxes.map(\.name) + ["--help", "--version"]
            throw CommandFailure(
                .usage,
                "unknown command `\(name)`; \(Suggestion.message(unknown: name, known: known))")
        }
        let arguments = try ParsedArguments(words, syntax: syntax)
        if arguments.has("--help") {
            try StandardStream.output.writeResult(syntax.helpText)
            return .success
        }
        switch name {
        case RunCommand.syntax.name:
            return try await RunCommand(
                arguments: arguments, plugins: plugins, environment: environment,
                executor: executor
            ).run()
        case CheckCommand.syntax.name:
            return try CheckCommand(
                arguments: arguments, plugins: plugins, environment: environment
            ).run()
        case AdoptCommand.syntax.name:
            return try AdoptCommand(
                arguments: arguments, plugins: plugins, environment: environment
            ).run()
        case ForgetCommand.syntax.name:
            return try ForgetCommand(arguments: arguments, environment: environment).run()
        case DevicesCommand.syntax.name:
            return try await DevicesCommand(
                arguments: arguments, plugins: plugins, environment: environment
            ).run()
        case InspectCommand.syntax.name:
            return try await InspectCommand(arguments: arguments, environment: environment).run()
        case PluginsCommand.syntax.name:
            return try PluginsCommand(arguments: arguments, plugins: plugins).run()
        default:
            return try await QueryCommand(arguments: arguments, environment: environment).run()
        }
    }

    private static var overview: String {
        let commands = syntaxes.map { ($0.name, $0.summary) }
        return """
            Pulsegate reads heart-rate straps and pedometers and keeps what they measure.

            usage: pulsegate COMMAND …

            \(CommandSyntax.columns(commands))
              pulsegate COMMAND --help   what a command takes
              pulsegate --version        which version this is

            """
    }
}
