import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import Terminal
import WorkoutFiles
import Workouts

/// `pulsegate workout export`: writes a workout to a file for other programs.
struct WorkoutExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout export",
        summary: "Export a workout to a FIT, TCX, CSV or JSON file.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        optionalOperands: [WorkoutHistory.operand],
        options: [
            CommandSyntax.Option(
                name: "--format", value: "F",
                kind: .words(known),
                help: "fit, tcx, csv or json; default: the extension of FILE"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person,
                help: "the newest workout of this person"),
            CommandSyntax.simulate,
        ],
        details: """
            An existing FILE is replaced; - is standard output. GPX requires positions, which are not
            recorded.
            \(WorkoutHistory.operandHelp)
            """)

    /// The names of the formats; GPX has a message of its own.
    private static let known = WorkoutFileFormat.allCases.filter { $0 != .gpx }.map(\.rawValue)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let path = arguments.operands[0]
        let format = try format(of: path)
        let files = try call.files()
        files.noteWaitingRecords()
        let history = try WorkoutHistory(files)
        let workout = try await history.find(arguments, id: arguments.operands.dropFirst().first)
        let bytes = try Self.bytes(try await history.recorded(workout), as: format)
        guard path != "-" else {
            guard format != .fit || !StandardStream.output.isTerminal else {
                throw HostError(.usage, "cannot write FIT to a terminal; specify a file")
            }
            _ = try StandardStream.output.writePart(bytes)
            return .success
        }
        try OutputFile.write(bytes, to: path)
        StandardStream.error.write(
            "pulsegate: \(workout.activity.name) of \(LocalTime.text(workout.start)) written to "
                + "\(LogFormat.escaped(path))\n")
        return .success
    }

    /// The contents of the file.
    static func bytes(
        _ recorded: RecordedWorkout, as format: WorkoutFileFormat
    ) throws(HostError) -> [UInt8] {
        do {
            return try WorkoutFile.export(
                recorded, as: format,
                by: SourceRevision(name: "Pulsegate", version: Version.current), calendar: .system)
        } catch {
            throw HostError(error)
        }
    }

    private func format(of path: String) throws(HostError) -> WorkoutFileFormat {
        let known = Self.known
        guard let name = arguments.value(of: "--format") else {
            guard let format = WorkoutFileFormat(path: path) else {
                throw HostError(
                    .usage,
                    path == "-"
                        ? "--format is required for standard output: \(known.joined(separator: ", "))"
                        : "unknown file extension; use one of "
                            + "\(known.map { ".\($0)" }.joined(separator: ", ")), or add --format")
            }
            return format
        }
        guard let format = WorkoutFileFormat(rawValue: name.lowercased()) else {
            throw HostError(
                .usage,
                "--format: unknown format `\(LogFormat.escaped(name))`; "
                    + Suggestion.message(unknown: name, known: known))
        }
        return format
    }
}
