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
    /// The gateway waits for the store, and reckons what hours of samples come to.
    private static let timeoutSeconds = 20

    private let call: Subcommand.Call
    private let action: WorkoutRequest.Action

    init(_ call: Subcommand.Call, action: WorkoutRequest.Action) {
        self.call = call
        self.action = action
    }

    func run() throws(HostError) -> ExitStatus {
        let files = try call.files()
        var client = try ControlClient(
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
        try StandardStream.output.writeResult("\(Self.words(live, after: action))\n")
        return .success
    }

    /// `ada: running paused at 12:05`.
    static func words(_ live: LiveWorkout, after action: WorkoutRequest.Action) -> String {
        let what = "\(live.person): \(live.activity.name)"
        let time = WorkoutFigures.clock(live.measures.activeSeconds)
        switch action {
        case .start: return "\(what) started"
        case .pause: return "\(what) paused at \(time)"
        case .resume: return "\(what) goes on at \(time)"
        case .lap: return "\(what): lap \(live.lapNumber) begins at \(time)"
        case .mark: return "\(what): marked at \(time)"
        case .stop where live.isSaved:
            return "\(what) stopped after \(time); `pulsegate workout show` shows it"
        case .stop:
            return
                "\(what) stopped after \(time); it is kept, and saved as soon as that can be done"
        case .discard: return "\(what) discarded; what was measured stays"
        case .status, .watch: return what
        }
    }
}
