import GatewayHost
import Platform

/// A word that may follow `pulsegate`, and what it does.
struct Subcommand: Sendable {
    /// What a command is given.
    struct Call: Sendable {
        let arguments: ParsedArguments
        let plugins: Plugins
        let environment: Environment
        /// Where the gateway's tasks run; nil for Swift's usual threads.
        let executor: (any TaskExecutor)?

        /// Reads the configuration of the call and locates its data directory.
        func files() throws(HostError) -> CommandFiles {
            try CommandFiles(arguments, environment, plugins)
        }
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

    init<Body: Command>(_ command: Body.Type) {
        self.init(syntax: Body.syntax, catchesStopSignals: Body.catchesStopSignals) {
            call throws(HostError) in try await Body(call: call).run()
        }
    }

    init(name: String, summary: String, actions: [Subcommand]) {
        syntax = CommandSyntax(name: name, summary: summary)
        catchesStopSignals = false
        body = .actions(actions)
    }

    /// The commands that its second word chooses from; none when it runs itself.
    var actions: [Subcommand] {
        if case .actions(let actions) = body { actions } else { [] }
    }

    /// The word that chooses it: `start` of `workout start`.
    var lastWord: String { String(syntax.name.split(separator: " ").last ?? "") }

    /// What it can be called with: its own syntax, or that of each of its actions.
    var runnable: [CommandSyntax] { actions.isEmpty ? [syntax] : actions.map(\.syntax) }

    /// All of them, in the order of the overview.
    static let all: [Subcommand] = [
        Subcommand(RunCommand.self),
        Subcommand(CheckCommand.self),
        Subcommand(DevicesCommand.self),
        Subcommand(AdoptCommand.self),
        Subcommand(ForgetCommand.self),
        Subcommand(InspectCommand.self),
        Subcommand(PluginsCommand.self),
        Subcommand(StatusCommand.self),
        Subcommand(TapCommand.self),
        Subcommand(QueryCommand.self),
        Subcommand(StatisticsCommand.self),
        Subcommand(SummaryCommand.self),
        Subcommand(AddCommand.self),
        Subcommand(
            name: "workout",
            summary: "Start and watch workouts; list, show, export and import them.",
            actions: WorkoutActions.all),
        Subcommand(PeopleCommand.self),
        Subcommand(CompletionsCommand.self),
        Subcommand(ManCommand.self),
    ]
}
