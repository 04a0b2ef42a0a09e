import ControlSocket
import GatewayCore
import GatewayHost
import Terminal
import WorkoutService
import Workouts

/// `pulsegate workout watch`: shows a workout in progress live.
struct WorkoutWatchCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "workout watch",
        summary: "Watch a workout in progress.",
        options: [
            WorkoutActions.person,
            CommandSyntax.Option(
                name: "--json",
                help: "print a JSON object per line, every second and at every change"),
            CommandSyntax.simulate,
        ])

    let call: Subcommand.Call
    let output = StandardStream.output

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        var client = try await ControlClient.connecting(
            files.folder, isSimulation: files.isSimulation, clock: SystemClock())
        let request = WorkoutRequest(.watch, person: arguments.value(of: "--person"))
        let line = try client.ask(.workout(request))
        guard case .live(let live) = WorkoutAnswer(line) else { throw client.unknownAnswer }
        guard let view = WorkoutView(call, people: try files.knownPeople()) else {
            StopSignal.exitAtSignal()
            return try follow(&client, after: line)
        }
        view.leaveAtSignal()
        let end = await view.follow(live, over: SocketWorkoutLink(stream: ControlStream(client)))
        return try await WorkoutEndReport(files: files, call: call).report(end, of: live)
    }

    /// Prints the lines until the workout ends.
    private func follow(
        _ client: inout ControlClient, after line: [UInt8]
    ) throws(HostError) -> ExitStatus {
        guard try output.writePart(line + [UInt8(ascii: "\n")]) else { return .success }
        while true {
            switch try client.nextLines(whileReading: output.pipeDescriptor ?? -1) {
            case .lines(let lines):
                guard try output.writePart(Array(lines)) else { return .success }
                for line in lines.split(separator: UInt8(ascii: "\n")) {
                    if case .ended = WorkoutAnswer(line) { return .success }
                }
            case .outputClosed: return .success
            case .end, .nothing:
                StandardStream.error.write("pulsegate: the gateway has stopped\n")
                return .success
            }
        }
    }
}
