import ControlSocket
import GatewayCore
import GatewayHost
import Terminal
import WorkoutScreens
import WorkoutService
import Workouts

/// `pulsegate workout status`: shows the workouts in progress.
struct WorkoutStatusCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout status",
        summary: "Show the workouts in progress.",
        options: [
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "only the workout of this person"
            ),
            CommandSyntax.json, CommandSyntax.simulate,
        ])

    let call: Subcommand.Call

    func run() throws(HostError) -> ExitStatus {
        let files = try call.files()
        var client = try ControlClient(
            files.folder, isSimulation: files.isSimulation, clock: SystemClock())
        let request = WorkoutRequest(.status, person: arguments.value(of: "--person"))
        let line = try client.ask(.workout(request))
        guard !arguments.has("--json") else {
            _ = try StandardStream.output.writePart(line + [UInt8(ascii: "\n")])
            return .success
        }
        guard case .all(let workouts) = WorkoutAnswer(line) else { throw client.unknownAnswer }
        guard !workouts.isEmpty else {
            StandardStream.error.write("pulsegate: no workout in progress\n")
            return .success
        }
        let text = WorkoutListText(style: try files.screenStyle(environment))
        try StandardStream.output.writeResult(text.text(workouts))
        return .success
    }
}
