import GatewayHost
import HealthModel
import Terminal
import WorkoutService
import Workouts

/// Reports how the live view of a workout ended.
struct WorkoutEndReport {
    let files: CommandFiles
    let call: Subcommand.Call

    func report(
        _ end: WorkoutView.End, of live: LiveWorkout
    ) async throws(HostError) -> ExitStatus {
        switch end {
        case .left:
            StandardStream.error.write(
                "pulsegate: the workout continues; show it again with `pulsegate workout watch`\n")
        case .gatewayStopped:
            StandardStream.error.write(
                "pulsegate: the gateway has stopped; the workout continues when a gateway starts "
                    + "within an hour\n")
        case .ended(savedAs: nil):
            try printEnd(savedAs: nil)
            StandardStream.error.write("pulsegate: the workout was discarded\n")
        case .ended(savedAs: _?) where files.areOfAnotherUser:
            StandardStream.error.write("pulsegate: the workout was saved\n")
        case .ended(savedAs: let id?):
            guard try await !show(id) else { return .success }
            StandardStream.error.write(
                "pulsegate: the workout is not in the store yet; check with `pulsegate workout list`\n"
            )
        }
        return .success
    }

    /// Reports whether a workout that ended with its gateway was saved.
    func reportFinished(_ live: LiveWorkout) async throws(HostError) -> ExitStatus {
        guard try await !show(live.id) else {
            try printEnd(savedAs: live.id)
            return .success
        }
        throw HostError(
            .failure,
            "the workout is not in the store yet; start a gateway to save it: `pulsegate run`")
    }

    /// Prints the last JSON line of `start --json` when it runs the gateway itself.
    private func printEnd(savedAs id: RecordID?) throws(HostError) {
        guard call.arguments.has("--json") else { return }
        _ = try StandardStream.output.writePart(WorkoutUpdate.ended(savedAs: id).line)
    }

    /// Prints the summary as `workout show` does; returns false when the workout is not in the store.
    private func show(_ id: RecordID) async throws(HostError) -> Bool {
        let history = try WorkoutHistory(files)
        guard let recorded = try await history.recorded(id) else { return false }
        if !call.arguments.has("--json") { try await history.show(recorded, call.environment) }
        return true
    }
}
