import GatewayHost
import WorkoutService

/// The actions of `pulsegate workout`.
package enum WorkoutActions {
    package static let person = CommandSyntax.Option(
        name: "--person", value: "P", kind: .person,
        help: PersonArgument.help)

    /// All actions, in the order of the overview.
    package static let all: [Subcommand] = [
        Subcommand(WorkoutStartCommand.self),
        action(.pause, "Pause the workout; samples until `resume` are not counted."),
        action(.resume, "Resume a paused workout."),
        action(.lap, "Start a new lap."),
        action(.mark, "Add a marker."),
        action(.stop, "Stop and save the workout."),
        action(.discard, "End the workout without saving it; its samples stay in the store."),
        Subcommand(WorkoutStatusCommand.self),
        Subcommand(WorkoutWatchCommand.self),
        Subcommand(WorkoutListCommand.self),
        Subcommand(WorkoutShowCommand.self),
        Subcommand(WorkoutTrendsCommand.self),
        Subcommand(WorkoutExportCommand.self),
        Subcommand(WorkoutImportCommand.self),
    ]

    /// An action that is one request to the running gateway.
    private static func action(_ action: WorkoutRequest.Action, _ summary: String) -> Subcommand {
        let syntax = CommandSyntax(
            name: "workout \(action.rawValue)", summary: summary,
            options: [person, CommandSyntax.json, CommandSyntax.simulate])
        return Subcommand(syntax: syntax) { call throws(HostError) in
            try await WorkoutCallCommand(call, action: action).run()
        }
    }
}
