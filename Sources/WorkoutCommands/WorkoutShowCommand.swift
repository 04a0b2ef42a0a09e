import ArgumentValues
package import GatewayHost
package import HealthModel
import Platform
import Terminal
import WorkoutFiles
import WorkoutScreens
import Workouts

/// `pulsegate workout show`: shows a workout in the store.
struct WorkoutShowCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout show",
        summary: "Show a workout: totals, laps, zones and heart rate.",
        optionalOperands: [WorkoutHistory.operand],
        options: [
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person,
                help: "the newest workout of this person")
        ] + CommandSyntax.formats + [CommandSyntax.simulate],
        details: WorkoutHistory.operandHelp + "\n" + """
            csv has a row for each reading, as `workout export` writes it. json and ndjson are one line
            with all data.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let format = try arguments.format()
        let files = try call.files()
        files.noteWaitingRecords()
        let history = try WorkoutHistory(files)
        let workout = try await history.find(arguments, id: arguments.operands.first)
        let recorded = try await history.recorded(workout)
        guard format != .table else {
            try await history.show(recorded, environment)
            return .success
        }
        let bytes = try WorkoutExportCommand.bytes(recorded, as: format == .csv ? .csv : .json)
        _ = try StandardStream.output.writePart(bytes)
        return .success
    }
}

extension WorkoutHistory {
    /// The word for the newest workout, in place of an id.
    private static let last = "last"

    /// The operand for a workout.
    package static let operand = CommandSyntax.Operand("ID", .words([last]))
    /// The help for an operand that may be left out.
    static let operandHelp =
        "ID is the beginning of an id from `workout list`, or last for the newest workout, which is "
        + "the default."

    /// Finds the workout given by the arguments of a command.
    ///
    /// - Parameter id: The operand; nil for the newest workout, as `last`.
    package func find(
        _ arguments: ParsedArguments, id: String?
    ) async throws(HostError) -> Workout {
        let person = try await PersonArgument.name(arguments, people, in: store)
        return try await workout(id == Self.last ? nil : id, of: person)
    }

    /// Prints the summary of a workout.
    func show(
        _ recorded: RecordedWorkout, _ environment: Environment
    ) async throws(HostError) {
        var text = WorkoutText(recorded: recorded, style: try files.screenStyle(environment))
        text.recovery = try await recoverySample(of: recorded.workout)?.quantity
        if StandardStream.output.isTerminal { text.columns = StandardStream.output.size.columns }
        try StandardStream.output.writeResult(text.text, paintedBy: text.style.painter)
    }
}
