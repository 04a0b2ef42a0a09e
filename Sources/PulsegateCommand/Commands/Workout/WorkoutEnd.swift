import GatewayHost
import HealthModel
import Terminal
import WorkoutService
import Workouts

/// What is said when somebody has left the live view of a workout, or it is over.
struct WorkoutEnd {
    let files: CommandFiles
    let call: Subcommand.Call

    func report(
        _ end: WorkoutView.End, of live: LiveWorkout
    ) async throws(HostError) -> ExitStatus {
        switch end {
        case .left:
            StandardStream.error.write(
                "pulsegate: the workout goes on; `pulsegate workout watch` shows it again\n")
        case .gatewayLeft:
            StandardStream.error.write(
                "pulsegate: the gateway has stopped; the workout goes on with the next one, when "
                    + "that starts within an hour\n")
        case .ended(savedAs: nil):
            try tellPrograms(savedAs: nil)
            StandardStream.error.write("pulsegate: the workout was discarded\n")
        case .ended(savedAs: let id?):
            guard try await !show(id) else { return .success }
            StandardStream.error.write(
                "pulsegate: the workout is not in the store yet; `pulsegate workout list` shows it then\n"
            )
        }
        return .success
    }

    /// Says what became of a workout that ended with its gateway.
    func reportFinished(_ live: LiveWorkout) async throws(HostError) -> ExitStatus {
        guard try await !show(live.id) else {
            try tellPrograms(savedAs: live.id)
            return .success
        }
        throw HostError(
            .failure,
            "the workout could not be saved; it is kept, and the next gateway saves it, such as "
                + "`pulsegate run`")
    }

    /// The line of JSON that ends what `start --json` prints where it is the gateway.
    private func tellPrograms(savedAs id: RecordID?) throws(HostError) {
        guard call.arguments.has("--json") else { return }
        _ = try StandardStream.output.writePart(WorkoutUpdate.ended(savedAs: id).line)
    }

    /// Prints the summary as `workout show` does; false when the store does not have the workout.
    private func show(_ id: RecordID) async throws(HostError) -> Bool {
        let history = try WorkoutHistory(files)
        guard let recorded = try await history.recorded(id) else { return false }
        if !call.arguments.has("--json") { try await history.show(recorded, call.environment) }
        return true
    }
}
