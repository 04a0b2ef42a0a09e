import Dispatch
import GatewayCore
public import GatewayHost
import Glibc
import JSON
import Platform
import Terminal

/// The command `pulsegate` with the plugins of a build.
public enum PulsegateCommand {
    /// Runs the command line of the process and exits with its status.
    ///
    /// Call it on the main thread, which then serves the main actor. Everything else runs on the threads
    /// of a ``TaskPool``, which sleep when there is nothing to do.
    ///
    /// - Parameters:
    ///   - plugins: The plugins of this build.
    ///   - contract: The version that these plugins were written for; another one does not compile.
    public static func main(plugins: Plugins, contract: PluginContract) -> Never {
        ProcessSignals.install()
        // A closed pipe is an error of `write`, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // The same for a file size limit (setrlimit(2)), which is handled like a full disk.
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
            error.write()
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
            throw HostError(.usage, "a command is required\n\(overview)")
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
                throw HostError(.usage, "an action is required\n\(text)")
            }
            let name = "\(command.syntax.name) \(word)"
            guard let action = actions.first(where: { $0.syntax.name == name }) else {
                ProcessSignals.restoreDefaults()
                throw .unknownAction(word, of: command.syntax.name, known: actions.map(\.lastWord))
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
        HostError(.usage, Suggestion.unknown("command", name, known: known))
    }

    private static func overview(of command: Subcommand, _ actions: [Subcommand]) -> String {
        """
        \(command.syntax.summary)

        usage: pulsegate \(command.syntax.name) ACTION …

        \(DefinitionList.text(actions.map { ($0.syntax.name, $0.syntax.summary) }))
          pulsegate \(command.syntax.name) ACTION --help   show the help of an action

        """
    }

    /// A one-line description of the program.
    static let summary = "device ingestion gateway for heart-rate straps and pedometers"

    private static var overview: String {
        let commands = Subcommand.all.map { ($0.syntax.name, $0.syntax.summary) }
        return """
            Pulsegate is a \(summary).

            usage: pulsegate COMMAND …

            \(DefinitionList.text(commands))
              pulsegate help COMMAND     show the help of a command, same as COMMAND --help
              pulsegate --version        show the version

            """
    }
}

extension HostError {
    /// The error of a word after a command that is none of its actions.
    static func unknownAction(_ word: String, of command: String, known: [String]) -> HostError {
        HostError(.usage, Suggestion.unknown("action of `\(command)`:", word, known: known))
    }
}
