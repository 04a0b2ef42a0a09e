import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import Platform
import Terminal
import WorkoutScreens
import Workouts

/// `pulsegate workout list`: what workouts there are.
struct WorkoutListCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout list",
        summary: "List workouts, newest first.",
        optionalOperands: ["TEXT"],
        options: [
            CommandSyntax.Option(
                name: "--activity", value: "A", kind: .activity,
                help: "only of this activity: running, rowing"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "only this one's"),
            CommandSyntax.Option(name: "--from", value: "T", help: "only from this time on"),
            CommandSyntax.Option(name: "--to", value: "T", help: "only before this time"),
            CommandSyntax.Option(name: "--limit", value: "N", help: "at most so many"),
            CommandSyntax.Option(name: "--json", help: "a line of JSON for each, for programs"),
            CommandSyntax.simulate,
        ],
        details: """
            TEXT is looked for in the activity, the person and the texts beside a workout, in any case.
            The last line says how many of all are listed.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let history = try WorkoutHistory(files)
        let query = try query(history.people, files)
        let (workouts, count) = try await history.list(query, of: nil)
        if arguments.has("--json") {
            var bytes: [UInt8] = []
            for workout in workouts {
                RecordEncoder.append(.workout(workout), to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
            _ = try StandardStream.output.writePart(bytes)
        } else {
            let text = WorkoutListText(style: try files.screenStyle(environment))
            try StandardStream.output.writeResult(text.text(workouts, of: count))
        }
        return .success
    }

    private func query(
        _ people: People, _ files: CommandFiles
    ) throws(HostError) -> WorkoutQuery {
        let now = SystemClock().instant()
        let person =
            arguments.has("--person") ? try PersonArgument(arguments, people).name : nil
        return WorkoutQuery(
            text: arguments.operands.first,
            activity: try arguments.value(of: "--activity").map(activity),
            person: person, from: try arguments.time(of: "--from", now: now),
            to: try arguments.time(of: "--to", now: now), limit: try limit())
    }

    /// An activity by name: also one that was declared once and is no more.
    private func activity(_ name: String) throws(HostError) -> WorkoutActivity {
        if let type = WorkoutActivityType.named(name) { return WorkoutActivity(type) }
        if let number = UInt(name), let activity = WorkoutActivity(number: number) {
            return activity
        }
        guard let own = WorkoutActivity(customName: name) else {
            throw HostError(
                .usage, "--activity: `\(LogFormat.escaped(name))` is no name of an activity")
        }
        return own
    }

    private func limit() throws(HostError) -> Int? {
        guard let text = arguments.value(of: "--limit") else { return nil }
        guard let limit = Int(text), limit > 0 else {
            throw HostError(
                .usage, "--limit: `\(LogFormat.escaped(text))` is not a number from 1 up")
        }
        return limit
    }
}
