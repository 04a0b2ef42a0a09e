import Dispatch
import GatewayCore
public import GatewayHost
import Glibc
import JSON
import Platform
import Terminal

/// The command `pulsegate`, made of whatever plugins a build has.
public enum PulsegateCommand {
    /// Runs the command that the process was called with, and ends the process with its status.
    ///
    /// It is called on the main thread, which serves the main actor from then on. Everything else runs
    /// on threads of our own, which sleep when there is nothing to do: see ``TaskPool``.
    public static func main(plugins: Plugins) -> Never {
        ProcessSignals.install()
        // A reader that closes the pipe is an error of `write`, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that may not grow (setrlimit(2)): it is treated like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        ProcessHeap.share()
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
    ) async throws(HostError) -> ExitStatus {
        switch words.first {
        case nil:
            ProcessSignals.restoreDefaults()
            throw HostError(.usage, "a command is missing\n\(overview)")
        case "help" where words.count > 1:
            let names = words.dropFirst().prefix { !$0.hasPrefix("-") }
            return try await run(
                names + ["--help"], plugins: plugins, environment: environment,
                executor: executor)
        case "--help", "-h", "help":
            return try print(overview)
        case "--version":
            return try print("pulsegate \(Version.current)\n")
        case let name?:
            guard let command = Subcommand.all.first(where: { $0.syntax.name == name }) else {
                ProcessSignals.restoreDefaults()
                throw unknown(
                    name, among: Subcommand.all.map(\.syntax.name) + ["--help", "--version"])
            }
            return try await run(
                command, Array(words.dropFirst()), plugins: plugins, environment: environment,
                executor: executor)
        }
    }

    private static func run(
        _ command: Subcommand, _ words: [String], plugins: Plugins, environment: Environment,
        executor: (any TaskExecutor)?
    ) async throws(HostError) -> ExitStatus {
        switch command.body {
        case .actions(let actions):
            guard let word = words.first, word != "--help", word != "-h" else {
                let text = overview(of: command, actions)
                guard words.isEmpty else { return try print(text) }
                ProcessSignals.restoreDefaults()
                throw HostError(.usage, "which? \(text)")
            }
            let name = "\(command.syntax.name) \(word)"
            guard let action = actions.first(where: { $0.syntax.name == name }) else {
                ProcessSignals.restoreDefaults()
                throw unknown(word, among: actions.map(\.lastWord))
            }
            return try await run(
                action, Array(words.dropFirst()), plugins: plugins, environment: environment,
                executor: executor)
        case .run(let body):
            if !command.catchesStopSignals { ProcessSignals.restoreDefaults() }
            let arguments = try ParsedArguments(words, syntax: command.syntax)
            guard !arguments.has("--help") else { return try print(command.syntax.helpText) }
            return try await body(
                Subcommand.Call(
                    arguments: arguments, plugins: plugins, environment: environment,
                    executor: executor))
        }
    }

    private static func print(_ text: String) throws(HostError) -> ExitStatus {
        ProcessSignals.restoreDefaults()
        try StandardStream.output.writeResult(text)
        return .success
    }

    private static func unknown(_ name: String, among known: [String]) -> HostError {
        HostError(
            .usage, "unknown command `\(name)`; \(Suggestion.message(unknown: name, known: known))")
    }

    private static func overview(of command: Subcommand, _ actions: [Subcommand]) -> String {
        """
        \(command.syntax.summary)

        usage: pulsegate \(command.syntax.name) ACTION …

        \(CommandSyntax.columns(actions.map { ($0.syntax.name, $0.syntax.summary) }))
          pulsegate \(command.syntax.name) ACTION --help   what an action takes

        """
    }

    /// What it is, in a phrase.
    static let summary = "reads heart-rate straps and pedometers and keeps what they measure"

    private static var overview: String {
        let commands = Subcommand.all.map { ($0.syntax.name, $0.syntax.summary) }
        return """
            Pulsegate \(summary).

            usage: pulsegate COMMAND …

            \(CommandSyntax.columns(commands))
              pulsegate help COMMAND     what a command takes; COMMAND --help, too
              pulsegate --version        show the version

            """
    }
}
