import CStart
import GatewayCore
import Glibc

/// The command `pulsegate`, made of whatever plugins a build has.
public enum PulsegateCommand {
    /// Runs the command that the process was called with, and ends the process with its status.
    public static func main(plugins: Plugins) async -> Never {
        cstart_begin()
        // A reader that closes the pipe is an error of `write`, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            exit(try await run(words, plugins: plugins, environment: .process).rawValue)
        } catch {
            StandardStream.error.write("pulsegate: \(error.text)\n")
            exit(error.status.rawValue)
        }
    }

    private static let syntaxes = [
        RunCommand.syntax, CheckCommand.syntax, StatusCommand.syntax, TapCommand.syntax,
        QueryCommand.syntax,
    ]
    /// The commands that say themselves what SIGINT and SIGTERM do; the others they end as usual.
    private static let commandsWithStopSignals = [RunCommand.syntax.name, TapCommand.syntax.name]

    static func run(
        _ words: [String], plugins: Plugins, environment: Environment
    ) async throws(CommandFailure) -> ExitStatus {
        if !commandsWithStopSignals.contains(words.first ?? "") { cstart_allow_stop_signals() }
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
                name, Array(words.dropFirst()), plugins: plugins, environment: environment)
        }
    }

    private static func run(
        _ name: String, _ words: [String], plugins: Plugins, environment: Environment
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
                arguments: arguments, plugins: plugins, environment: environment
            ).run()
        case CheckCommand.syntax.name:
            return try CheckCommand(
                arguments: arguments, plugins: plugins, environment: environment
            ).run()
        case StatusCommand.syntax.name:
            return try StatusCommand(arguments: arguments, environment: environment).run()
        case TapCommand.syntax.name:
            return try TapCommand(arguments: arguments, environment: environment).run()
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
