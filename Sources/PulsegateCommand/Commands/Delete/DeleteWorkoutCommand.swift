import GatewayHost
import HealthModel
import HealthStore
import HealthTransfer
import SQLiteStore
import WorkoutCommands
import Workouts

/// `pulsegate delete workout`: deletes workouts, with their samples if asked for.
struct DeleteWorkoutCommand: Command {
    static let syntax = CommandSyntax(
        name: "delete workout",
        summary: "Delete workouts from the store; their samples only with --with-samples.",
        operands: [WorkoutHistory.operand],
        hasRepeatedOperand: true,
        options: [
            CommandSyntax.Option(
                name: "--with-samples",
                help: "also the samples of the person during the workout, of the types it counts"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "a workout of this person"),
        ] + DeleteActions.options + [CommandSyntax.simulate],
        details: """
            ID is the beginning of an id from `workout list`, or last for the newest workout.
            \(DeleteActions.details)
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let deletion = try DeletionCall(call, files)
        let history = try WorkoutHistory(files)
        var workouts: [Workout] = []
        for word in arguments.operands {
            let workout = try await history.find(arguments, id: word)
            if !workouts.contains(where: { $0.id == workout.id }) { workouts.append(workout) }
        }
        var selections: [DeletionSelection] = [
            .records(workouts.map(\.id), kinds: [.workout])
        ]
        if arguments.has("--with-samples") {
            for workout in workouts {
                selections += Self.samples(of: workout)
                if let id = try await history.recoverySample(of: workout)?.id {
                    selections.append(.records([id], kinds: [.sample]))
                }
            }
        }
        try await deletion.run(SelectedRecords(selections), what: "workout")
        return .success
    }

    /// The samples within the time of a workout, of its person.
    static func samples(of workout: Workout) -> [DeletionSelection] {
        let end = workout.end.adding(nanoseconds: 1)
        return workout.activity.sampleTypes.map { type in
            let query = StoreQuery(
                type: RecordType.quantity(type), from: workout.start, to: end,
                person: workout.person)
            return .matching(
                DeletionSelection.Conditions(
                    query, isWithin: true, hasNoPerson: workout.person == nil))
        }
    }
}
