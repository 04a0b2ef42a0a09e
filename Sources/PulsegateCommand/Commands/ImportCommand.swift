import GatewayCore
import GatewayHost
import HealthTransfer
import JSON
import Platform
import Terminal
import WorkoutCommands

/// `pulsegate import`: imports files of other programs into the store.
struct ImportCommand: Command {
    static let syntax = CommandSyntax(
        name: "import",
        summary: "Import health records and workouts from files and folders.",
        operands: [CommandSyntax.Operand("FILE|FOLDER", .file)],
        hasRepeatedOperand: true,
        options: [
            WorkoutActions.person,
            CommandSyntax.Option(
                name: "--json", help: "print a JSON object for each file, also with an error"),
        ],
        details: """
            A format is recognised by the content: the export.xml of the Health app, records as ndjson
            and samples as CSV as `export` and `query` write them, and workouts in FIT and TCX. Of a
            folder, everything in one of these formats is imported, also from folders in it. Records
            without a person are assigned to the person.

            Importing a file again, or a later export, adds only what is new. An interrupted import
            continues where it was. Everything that is left out is counted. Workout files are delivered
            to every sink; other records go into the store, not to other sinks. A gateway may run
            meanwhile.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let person = try PersonArgument(arguments, try files.people())
        let list = try ImportList(arguments.operands)
        for note in list.notes { CommandNote.write(note) }
        guard list.count > 0 else {
            let operands = LogFormat.escaped(arguments.operands.joined(separator: ", "))
            throw HostError(.failure, "no file to import in \(operands)")
        }
        try files.folder.becomeOwner(reading: list.files.map(\.path))
        guard list.count == 1 else {
            return try await importAll(list, files, person: person.name)
        }
        if let failure = list.failures.first { throw failure }
        try await importFile(list.files[0], files, person: person.name, title: "")
        await files.summariseImported(environment)
        return .success
    }

    /// Imports several files; one that fails does not stop the others.
    private func importAll(
        _ list: ImportList, _ files: CommandFiles, person: String
    ) async throws(HostError) -> ExitStatus {
        var failureCount = list.failures.count
        for failure in list.failures { failure.write() }
        for (index, file) in list.files.enumerated() {
            let name = LogFormat.escaped(file.path)
            do throws(HostError) {
                try await importFile(
                    file, files, person: person, title: "\(index + 1)/\(list.files.count) \(name): "
                )
            } catch {
                failureCount += 1
                error.write()
            }
        }
        await files.summariseImported(environment)
        guard failureCount > 0 else { return .success }
        throw HostError(
            .failure, "\(failureCount) of \(list.count) files were not imported completely")
    }

    private func importFile(
        _ file: ImportList.File, _ files: CommandFiles, person: String, title: String
    ) async throws(HostError) {
        let name = title.isEmpty ? "" : "\(LogFormat.escaped(file.path)): "
        if file.format == .workout {
            let result = try await reporting(file) { () async throws(HostError) in
                try await WorkoutImport(call, files, person: person).run(file.path)
            }
            return try write(file, text: "\(name)\(result)") { result.write(to: &$0) }
        }
        let clock = SystemClock()
        let workouts = try await reporting(file) { () async throws(HostError) in
            try await RecordFileWorkouts(file, call, files, person: person)
        }
        let context = HealthLoad.Context(
            person: person, types: files.types, now: clock.instant(), calendar: .system,
            places: ImportPlaces(folder: files.folder, clock: clock),
            compared: workouts.compared, openStore: files.createStore)
        var load = try await reporting(file) { () async throws(HostError) in
            try await HealthLoad(
                file.path, format: file.format, context,
                progress: ProgressLine(environment, clock: clock, title: title))
        }
        if let percent = load.continuedAt {
            CommandNote.write(
                "\(name)continuing at \(percent) %, where the last import was interrupted")
        }
        let failure = await run(&load, workouts)
        if failure == nil || load.hasRecords || isJSON {
            try write(file, failure, text: "\(name)\(load.summary)") { load.write(to: &$0) }
        }
        for omission in load.omissions { CommandNote.write("\(name)\(omission)") }
        if let failure { throw failure }
    }

    /// Stores the records of a file, then what its workouts add to those that the store has from others.
    private func run(_ load: inout HealthLoad, _ workouts: RecordFileWorkouts) async -> HostError? {
        if let failure = await load.run() { return failure }
        do throws(HostError) {
            load.add(completing: try await workouts.complete())
            return nil
        } catch {
            return error
        }
    }

    private var isJSON: Bool { arguments.has("--json") }

    /// Calls a function; a file that it cannot import has an object with the error.
    private func reporting<Result>(
        _ file: ImportList.File, _ body: () async throws(HostError) -> Result
    ) async throws(HostError) -> Result {
        do throws(HostError) { return try await body() } catch {
            if isJSON { try write(file, error, text: "") { _ in } }
            throw error
        }
    }

    /// Prints the result of a file: a sentence, or an object with `fields`, and with the error.
    private func write(
        _ file: ImportList.File, _ failure: HostError? = nil, text: String,
        fields: (inout JSONWriter) -> Void
    ) throws(HostError) {
        guard isJSON else {
            return try StandardStream.output.writeResult("\(text)\n")
        }
        var json = JSONWriter()
        json.object { json in
            json.field("file", file.path)
            json.field("format", file.format?.rawValue)
            fields(&json)
            json.field("error", failure?.message)
            json.field("cause", failure.map { ($0.failureCause ?? .failure).rawValue })
        }
        try StandardStream.output.writeResult(
            String(decoding: json.bytes, as: UTF8.self) + "\n")
    }
}
