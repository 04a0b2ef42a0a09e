import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import Terminal
import WorkoutScreens
import WorkoutService
import Workouts

/// `pulsegate workout pause`, `lap`, `stop` and the like: one request to the running gateway.
struct WorkoutCallCommand {
    /// The gateway waits for the store and calculates the totals of hours of samples.
    private static let timeoutSeconds = 20

    private let call: Subcommand.Call
    private let action: WorkoutRequest.Action

    init(_ call: Subcommand.Call, action: WorkoutRequest.Action) {
        self.call = call
        self.action = action
    }

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        var client = try await ControlClient.connecting(
            files.folder, isSimulation: files.isSimulation, clock: SystemClock())
        let request = WorkoutRequest(action, person: call.arguments.value(of: "--person"))
        let line = try client.ask(
            .workout(request),
            timeout: Self.timeoutSeconds)
        guard !call.arguments.has("--json") else {
            _ = try StandardStream.output.writePart(line + [UInt8(ascii: "\n")])
            return .success
        }
        guard case .live(let live) = WorkoutAnswer(line) else { throw client.unknownAnswer }
        try StandardStream.output.writeResult("\(Self.message(live, after: action))\n")
        return .success
    }

    /// `ada: running paused at 12:05`.
    static func message(_ live: LiveWorkout, after action: WorkoutRequest.Action) -> String {
        let what = "\(live.person): \(live.activity.name)"
        let time = WorkoutFigures.clock(live.measures.activeSeconds)
        switch action {
        case .start: return "\(what) started"
        case .pause: return "\(what) paused at \(time)"
        case .resume: return "\(what) resumed at \(time)"
        case .lap: return "\(what): lap \(live.lapNumber) started at \(time)"
        case .mark: return "\(what): marker added at \(time)"
        case .stop where live.isSaved:
            return "\(what) stopped after \(time); show it with `pulsegate workout show`"
        case .stop:
            return
                "\(what) stopped after \(time); not saved yet, saving is retried"
        case .discard: return "\(what) discarded; its samples stay in the store"
        case .status, .watch: return what
        }
    }
}
