import GatewayHost
import Platform

/// An entry in the table of commands: a syntax and the function that runs it.
struct Subcommand: Sendable {
    /// The arguments and the environment of one call.
    struct Call: Sendable {
        let arguments: ParsedArguments
        let plugins: Plugins
        let environment: Environment
        /// The executor of the gateway's tasks; nil for Swift's default executor.
        let executor: (any TaskExecutor)?

        /// Reads the configuration of the call and locates its data directory.
        func files() throws(HostError) -> CommandFiles {
            try CommandFiles(arguments, environment, plugins)
        }
    }

    let syntax: CommandSyntax
    /// Whether the command handles SIGINT and SIGTERM itself; otherwise they end the process.
    let catchesStopSignals: Bool
    let body: Body

    /// A function, or the actions to choose from.
    enum Body: Sendable {
        case run(@Sendable (Call) async throws(HostError) -> ExitStatus)
        /// The next word names the action.
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

    /// The actions of the command; empty when it has none.
    var actions: [Subcommand] {
        if case .actions(let actions) = body { actions } else { [] }
    }

    /// The last word of the name: `start` of `workout start`.
    var lastWord: String { String(syntax.name.split(separator: " ").last ?? "") }

    /// The syntaxes to run: the command's own, or those of its actions.
    var runnable: [CommandSyntax] { actions.isEmpty ? [syntax] : actions.map(\.syntax) }

    /// All commands, in the order of the overview.
    static let all: [Subcommand] = [
        Subcommand(RunCommand.self),
        Subcommand(CheckCommand.self),
        Subcommand(DoctorCommand.self),
        Subcommand(DevicesCommand.self),
        Subcommand(AdoptCommand.self),
        Subcommand(ForgetCommand.self),
        Subcommand(PairCommand.self),
        Subcommand(InspectCommand.self),
        Subcommand(PluginsCommand.self),
        Subcommand(StatusCommand.self),
        Subcommand(OpenCommand.self),
        Subcommand(TapCommand.self),
        Subcommand(SearchCommand.self),
        Subcommand(QueryCommand.self),
        Subcommand(StatisticsCommand.self),
        Subcommand(SummaryCommand.self),
        Subcommand(AddCommand.self),
        Subcommand(EditCommand.self),
        Subcommand(
            name: "delete",
            summary: "Delete samples, workouts, a person or an import from the store.",
            actions: DeleteActions.all),
        Subcommand(
            name: "workout",
            summary: "Start and watch workouts; list, show, export and import them.",
            actions: WorkoutActions.all),
        Subcommand(ImportCommand.self),
        Subcommand(ExportCommand.self),
        Subcommand(ChangesCommand.self),
        Subcommand(PeopleCommand.self),
        Subcommand(
            name: "access",
            summary: "Show, grant, revoke and request the access of other users and programs.",
            actions: AccessActions.all),
        Subcommand(
            name: "secret", summary: "Store, list and remove tokens and passwords.",
            actions: SecretActions.all),
        Subcommand(CaptureCommand.self),
        Subcommand(ReplayCommand.self),
        Subcommand(
            name: "new",
            summary: "Write a new plugin: an adapter for a device, a sink, or a source.",
            actions: NewPluginCommand.actions),
        Subcommand(CompletionsCommand.self),
        Subcommand(ManCommand.self),
    ]
}
