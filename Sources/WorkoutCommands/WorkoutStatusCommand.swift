import ArgumentValues
import ControlSocket
import GatewayCore
import GatewayHost
import JSON
import Reports
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
            )
        ] + CommandSyntax.formats + [CommandSyntax.simulate])

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let format = try arguments.format()
        let files = try call.files()
        var client = try await ControlClient.connecting(
            files.folder, isSimulation: files.isSimulation, clock: SystemClock())
        let request = WorkoutRequest(.status, person: arguments.value(of: "--person"))
        let line = try client.ask(.workout(request))
        guard format == .table else {
            guard let report = Self.report(of: line) else { throw client.unknownAnswer }
            try StandardStream.output.writeResult(report.text(as: format) { "" })
            return .success
        }
        guard case .all(let workouts) = WorkoutAnswer(line) else { throw client.unknownAnswer }
        guard !workouts.isEmpty else {
            StandardStream.error.write("pulsegate: no workout in progress\n")
            return .success
        }
        let text = WorkoutListText(style: try files.screenStyle(environment))
        try StandardStream.output.writeResult(text.text(workouts), paintedBy: text.style.painter)
        return .success
    }

    /// A row per workout of an answer; nil for another answer.
    private static func report(of line: [UInt8]) -> Report? {
        let text = String(decoding: line, as: UTF8.self)
        guard case .object(let answer) = try? JSONValue(json5: text),
            case .array(let workouts) = answer["workouts"]
        else { return nil }
        return Report(
            columns: [
                "id", "person", "activity", "location", "state", "start", "lapNumber",
                Report.Column("activeSeconds", path: "measures.activeSeconds"),
                Report.Column("distanceMeters", path: "measures.distanceMeters"),
                Report.Column("energyKilocalories", path: "measures.energyKilocalories"),
                Report.Column("heartRate", path: "heart.rate"),
                Report.Column("zone", path: "heart.zone"),
            ], rows: workouts.map(\.json), document: text)
    }
}
