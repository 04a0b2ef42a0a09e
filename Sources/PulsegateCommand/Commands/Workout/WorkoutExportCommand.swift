import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import Terminal
import Workouts

/// `pulsegate workout export`: a workout as a file for other programs.
struct WorkoutExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout export",
        summary: "Export a workout to a FIT, TCX, CSV or JSON file.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        optionalOperands: ["ID"],
        options: [
            CommandSyntax.Option(
                name: "--format", value: "F",
                kind: .words(["fit", "tcx", "csv", "json", "gpx"]),
                help: "fit, tcx, csv, json or gpx; else what the name of FILE ends with"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "the newest of this one's"),
            CommandSyntax.simulate,
        ],
        details: """
            FILE is written anew; a pipe or a device is written into, and - is standard output. ID is the
            beginning of an id that `workout list` shows; the newest when left out. GPX is a list of
            positions, which workouts here have none of.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let path = arguments.operands[0]
        let format = try format(of: path)
        let files = try call.files()
        let history = try WorkoutHistory(files)
        let workout = try await history.find(arguments, id: arguments.operands.dropFirst().first)
        let bytes = try Self.bytes(try await history.recorded(workout), as: format)
        guard path != "-" else {
            guard format != .fit || !StandardStream.output.isTerminal else {
                throw HostError(.usage, "FIT is not for a terminal; name a file")
            }
            _ = try StandardStream.output.writePart(bytes)
            return .success
        }
        try NamedFile.write(bytes, to: path)
        StandardStream.error.write(
            "pulsegate: \(workout.activity.name) of \(LocalTime.text(workout.start)) written to "
                + "\(LogFormat.escaped(path))\n")
        return .success
    }

    /// The bytes of a file.
    static func bytes(
        _ recorded: RecordedWorkout, as format: WorkoutFileFormat
    ) throws(HostError) -> [UInt8] {
        do {
            return try WorkoutFile.export(
                recorded, as: format,
                by: SourceRevision(name: "Pulsegate", version: Version.current), calendar: .system)
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }

    private func format(of path: String) throws(HostError) -> WorkoutFileFormat {
        let known = WorkoutFileFormat.allCases.map(\.rawValue)
        guard let name = arguments.value(of: "--format") else {
            guard let format = WorkoutFileFormat(path: path) else {
                throw HostError(
                    .usage,
                    "what format? Let the name of the file end with one of "
                        + "\(known.map { ".\($0)" }.joined(separator: ", ")), or add --format")
            }
            return format
        }
        guard let format = WorkoutFileFormat(rawValue: name.lowercased()) else {
            throw HostError(
                .usage,
                "--format: `\(LogFormat.escaped(name))` is unknown; "
                    + Suggestion.message(unknown: name, known: known))
        }
        return format
    }
}
