import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import Platform
import RecordTables
import SQLiteStore
import Terminal
import WorkoutScreens
import Workouts

/// `pulsegate workout list`: lists the workouts in the store.
struct WorkoutListCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout list",
        summary: "List workouts, newest first.",
        optionalOperands: ["TEXT"],
        options: [
            CommandSyntax.activity,
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "only workouts of this person"),
        ]
            + CommandSyntax.timeRange(
                from: "only workouts from T on", to: "only workouts before T") + [
                CommandSyntax.limit("workouts")
            ] + CommandSyntax.formats + [CommandSyntax.simulate],
        details: """
            Each word of TEXT is searched for as by `pulsegate search`, in every field of a workout.
            \(CommandSyntax.timeHelp)
            The last line shows how many of all workouts are listed.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let format = try arguments.format()
        let files = try call.files()
        files.noteWaitingRecords()
        let history = try WorkoutHistory(files)
        let query = try await query(history)
        let (workouts, ids) = try await history.list(query)
        if format == .table {
            let text = WorkoutListText(style: try files.screenStyle(environment))
            try StandardStream.output.writeResult(
                text.text(workouts, among: ids), paintedBy: text.style.painter)
        } else {
            try print(workouts, as: format)
        }
        return .success
    }

    private func print(_ workouts: [Workout], as format: OutputFormat) throws(HostError) {
        do {
            var printer = RecordPrinter(
                .workout, format: format, write: StandardStream.output.writePart)
            try printer.print(workouts.map(Record.workout))
            try printer.finish()
        } catch is RecordPrinter.OutputClosed {
            return
        } catch {
            throw HostError(error)
        }
    }

    private func query(_ history: WorkoutHistory) async throws(HostError) -> WorkoutQuery {
        let now = SystemClock().instant()
        let person = try await PersonArgument.name(arguments, history.people, in: history.store)
        let range = try arguments.timeRange(now: now)
        return WorkoutQuery(
            text: arguments.operands.first.map { SearchWords($0) },
            activity: try await arguments.activity(
                among: history.files.configuration.configuration.activities, in: history.store),
            person: person, from: range.from, to: range.to, limit: try arguments.limit())
    }
}
