import CommandSupport
import WorkoutCommands

extension Subcommand {
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
        Subcommand(TopCommand.self),
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
        Subcommand(BackupCommand.self),
        Subcommand(RestoreCommand.self),
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
            summary: "Write a new plugin: an adapter for a device, a sink, a source or a service.",
            actions: NewPluginCommand.actions),
        Subcommand(InstallCommand.self),
        Subcommand(UninstallCommand.self),
        Subcommand(CompletionsCommand.self),
        Subcommand(ManCommand.self),
    ]
}
