package import GatewayHost
package import Platform

/// An entry in the table of commands: a syntax and the function that runs it.
package struct Subcommand: Sendable {
    /// The arguments and the environment of one call.
    package struct Call: Sendable {
        package let arguments: ParsedArguments
        package let plugins: Plugins
        package let environment: Environment
        /// The executor of the gateway's tasks; nil for Swift's default executor.
        package let executor: (any TaskExecutor)?

        package init(
            arguments: ParsedArguments, plugins: Plugins, environment: Environment,
            executor: (any TaskExecutor)?
        ) {
            self.arguments = arguments
            self.plugins = plugins
            self.environment = environment
            self.executor = executor
        }

        /// Reads the configuration of the call and locates its data directory.
        package func files() throws(HostError) -> CommandFiles {
            try CommandFiles(arguments, environment, plugins)
        }
    }

    package let syntax: CommandSyntax
    /// Whether the command handles SIGINT and SIGTERM itself; otherwise they end the process.
    package let catchesStopSignals: Bool
    package let body: Body

    /// A function, or the actions to choose from.
    package enum Body: Sendable {
        case run(@Sendable (Call) async throws(HostError) -> ExitStatus)
        /// The next word names the action.
        case actions([Subcommand])
    }

    package init(
        syntax: CommandSyntax, catchesStopSignals: Bool = false,
        run: @escaping @Sendable (Call) async throws(HostError) -> ExitStatus
    ) {
        self.syntax = syntax
        self.catchesStopSignals = catchesStopSignals
        body = .run(run)
    }

    package init<Body: Command>(_ command: Body.Type) {
        self.init(syntax: Body.syntax, catchesStopSignals: Body.catchesStopSignals) {
            call throws(HostError) in try await Body(call: call).run()
        }
    }

    package init(name: String, summary: String, actions: [Subcommand]) {
        syntax = CommandSyntax(name: name, summary: summary)
        catchesStopSignals = false
        body = .actions(actions)
    }

    /// The actions of the command; empty when it has none.
    package var actions: [Subcommand] {
        if case .actions(let actions) = body { actions } else { [] }
    }

    /// The last word of the name: `start` of `workout start`.
    package var lastWord: String { String(syntax.name.split(separator: " ").last ?? "") }

    /// The syntaxes to run: the command's own, or those of its actions.
    package var runnable: [CommandSyntax] { actions.isEmpty ? [syntax] : actions.map(\.syntax) }
}
