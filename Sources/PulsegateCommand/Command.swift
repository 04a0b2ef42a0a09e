import GatewayHost
import Platform

/// What `pulsegate` does for one word of the command line, made for one call.
protocol Command: Sendable {
    /// The words and options that it takes.
    static var syntax: CommandSyntax { get }
    /// Whether it handles SIGINT and SIGTERM itself; they end the others as usual.
    static var catchesStopSignals: Bool { get }
    /// What it is given.
    var call: Subcommand.Call { get }

    /// Makes the command for a call.
    init(call: Subcommand.Call)

    /// Does it.
    func run() async throws(HostError) -> ExitStatus
}

extension Command {
    static var catchesStopSignals: Bool { false }

    var arguments: ParsedArguments { call.arguments }
    var plugins: Plugins { call.plugins }
    var environment: Environment { call.environment }
    var executor: (any TaskExecutor)? { call.executor }
}
