import GatewayHost
import Platform

/// A word that may follow `pulsegate`, and what it does.
struct Subcommand: Sendable {
    /// What a command is given.
    struct Call: Sendable {
        let arguments: ParsedArguments
        let plugins: Plugins
        let environment: Environment
        let executor: (any TaskExecutor)?
    }

    let syntax: CommandSyntax
    /// Whether it says itself what SIGINT and SIGTERM do; the others they end as usual.
    let catchesStopSignals: Bool
    let body: Body

    /// What it does.
    enum Body: Sendable {
        case run(@Sendable (Call) async throws(HostError) -> ExitStatus)
        /// Another word says what is to be done.
        case actions([Subcommand])
    }

    init(
        syntax: CommandSyntax, catchesStopSignals: Bool = false,
        run: @escaping @Sendable (Call) async throws(HostError) -> ExitStatus
    ) {
        self.syntax = syntax
        self.catchesStopSignals = catchesStopSignals
        body = .run(run)
    }

    init(name: String, summary: String, actions: [Subcommand]) {
        syntax = CommandSyntax(name: name, summary: summary)
        catchesStopSignals = false
        body = .actions(actions)
    }

    /// All of them, in the order of the overview.
    static let all: [Subcommand] = [
        Subcommand(syntax: RunCommand.syntax, catchesStopSignals: true) {
            call throws(HostError) in
            try await RunCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment,
                executor: call.executor
            ).run()
        },
        Subcommand(syntax: CheckCommand.syntax) { call throws(HostError) in
            try CheckCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: DevicesCommand.syntax, catchesStopSignals: true) {
            call throws(HostError) in
            try await DevicesCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: AdoptCommand.syntax) { call throws(HostError) in
            try await AdoptCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: ForgetCommand.syntax) { call throws(HostError) in
            try await ForgetCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: InspectCommand.syntax, catchesStopSignals: true) {
            call throws(HostError) in
            try await InspectCommand(arguments: call.arguments, environment: call.environment)
                .run()
        },
        Subcommand(syntax: PluginsCommand.syntax) { call throws(HostError) in
            try PluginsCommand(arguments: call.arguments, plugins: call.plugins).run()
        },
        Subcommand(syntax: StatusCommand.syntax) { call throws(HostError) in
            try StatusCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: TapCommand.syntax, catchesStopSignals: true) {
            call throws(HostError) in
            try TapCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: QueryCommand.syntax) { call throws(HostError) in
            try await QueryCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: StatisticsCommand.syntax) { call throws(HostError) in
            try await StatisticsCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: SummaryCommand.syntax) { call throws(HostError) in
            try await SummaryCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
        Subcommand(syntax: AddCommand.syntax) { call throws(HostError) in
            try await AddCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment,
                executor: call.executor
            ).run()
        },
        Subcommand(
            name: "workout",
            summary: "Start a workout, watch it live, and list, show or export what is kept.",
            actions: WorkoutActions.all),
        Subcommand(syntax: PeopleCommand.syntax) { call throws(HostError) in
            try await PeopleCommand(
                arguments: call.arguments, plugins: call.plugins, environment: call.environment
            ).run()
        },
    ]
}
