import GatewayHost
import Platform

/// A command of `pulsegate`, created for one call.
protocol Command: Sendable {
    /// The operands and options of the command.
    static var syntax: CommandSyntax { get }
    /// Whether the command handles SIGINT and SIGTERM itself; otherwise they end the process.
    static var catchesStopSignals: Bool { get }
    /// The arguments and the environment of the call.
    var call: Subcommand.Call { get }

    /// Makes the command for a call.
    init(call: Subcommand.Call)

    /// Runs the command.
    func run() async throws(HostError) -> ExitStatus
}

extension Command {
    static var catchesStopSignals: Bool { false }

    var arguments: ParsedArguments { call.arguments }
    var plugins: Plugins { call.plugins }
    var environment: Environment { call.environment }
    var executor: (any TaskExecutor)? { call.executor }
}
