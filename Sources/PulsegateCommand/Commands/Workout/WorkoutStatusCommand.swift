import ControlSocket
import GatewayCore
import GatewayHost
import Terminal
import WorkoutService
import Workouts

/// `pulsegate workout status`: how the workouts are doing that go on.
struct WorkoutStatusCommand {
    static let syntax = CommandSyntax(
        name: "workout status",
        summary: "Show how the workouts are doing that go on.",
        options: [
            CommandSyntax.Option(name: "--person", value: "P", help: "only this one's"),
            CommandSyntax.json, CommandSyntax.simulate,
        ])

    private let call: Subcommand.Call

    init(_ call: Subcommand.Call) { self.call = call }

    func run() throws(HostError) -> ExitStatus {
        let files = try CommandFiles(call.arguments, call.environment, call.plugins)
        var client = try ControlClient(
            files.folder, isSimulation: files.isSimulation, clock: SystemClock())
        let request = WorkoutRequest(.status, person: call.arguments.value(of: "--person"))
        let line = try client.ask(.workout(request))
        guard !call.arguments.has("--json") else {
            _ = try StandardStream.output.writePart(line + [UInt8(ascii: "\n")])
            return .success
        }
        guard case .all(let workouts) = WorkoutAnswer(line) else { throw client.unknownAnswer }
        guard !workouts.isEmpty else {
            StandardStream.error.write("pulsegate: no workout goes on\n")
            return .success
        }
        let text = WorkoutListText(style: try files.screenStyle(call.environment))
        try StandardStream.output.writeResult(text.text(workouts))
        return .success
    }
}
