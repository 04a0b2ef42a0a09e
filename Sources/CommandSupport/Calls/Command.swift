package import GatewayHost
package import Platform

/// A command of `pulsegate`, created for one call.
package protocol Command: Sendable {
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
    package static var catchesStopSignals: Bool { false }

    package var arguments: ParsedArguments { call.arguments }
    package var plugins: Plugins { call.plugins }
    package var environment: Environment { call.environment }
    package var executor: (any TaskExecutor)? { call.executor }
}
