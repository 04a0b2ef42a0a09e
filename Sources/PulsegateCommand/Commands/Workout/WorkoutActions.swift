import GatewayHost
import WorkoutService

/// `pulsegate workout …`: what can be done with workouts.
enum WorkoutActions {
    static let person = CommandSyntax.Option(
        name: "--person", value: "P", kind: .person,
        help: "whose; needed where there are several")

    /// All of them, in the order of the overview.
    static let all: [Subcommand] = [
        Subcommand(WorkoutStartCommand.self),
        action(.pause, "Pause: what is measured until `resume` does not count."),
        action(.resume, "Go on after a pause."),
        action(.lap, "Begin a new lap."),
        action(.mark, "Mark this moment."),
        action(.stop, "Stop the workout and save it."),
        action(.discard, "End the workout without saving it; what was measured stays."),
        Subcommand(WorkoutStatusCommand.self),
        Subcommand(WorkoutWatchCommand.self),
        Subcommand(WorkoutListCommand.self),
        Subcommand(WorkoutShowCommand.self),
        Subcommand(WorkoutExportCommand.self),
        Subcommand(WorkoutImportCommand.self),
    ]

    /// One that only tells the running gateway what to do.
    private static func action(_ action: WorkoutRequest.Action, _ summary: String) -> Subcommand {
        let syntax = CommandSyntax(
            name: "workout \(action.rawValue)", summary: summary,
            options: [person, CommandSyntax.json, CommandSyntax.simulate])
        return Subcommand(syntax: syntax) { call throws(HostError) in
            try WorkoutCallCommand(call, action: action).run()
        }
    }
}
