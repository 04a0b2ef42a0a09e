import ArgumentValues
import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Readings
import RecordTables
import SQLiteStore
import Terminal

/// `pulsegate query`: prints the stored records of a type.
struct QueryCommand: Command {
    static let syntax = CommandSyntax(
        name: "query",
        summary: "Print the stored records of a type, oldest first.",
        operands: [CommandSyntax.Operand("TYPE", .recordType(or: [StoredRecords.eventName]))],
        options: CommandSyntax.timeRange(
            from: "only records that end after T", to: "only records that start before T") + [
                CommandSyntax.Option(
                    name: "--unit", value: "U",
                    help: "convert quantities to this unit: count/min, lb, °C"),
                CommandSyntax.Option(
                    name: "--device", value: "D",
                    help: "only records of this device: address, name or serial number"),
                CommandSyntax.Option(
                    name: "--person", value: "P", kind: .person, help: "only records of this person"
                ),
                CommandSyntax.Option(
                    name: "--limit", value: "N", help: "only the newest N records"),
                CommandSyntax.Option(name: "--latest", help: "only the newest record"),
                CommandSyntax.Option(
                    name: "--columns", value: "NAME,…",
                    help: "only these columns of a table or CSV, in this order: start,value"),
            ] + CommandSyntax.formats + [CommandSyntax.simulate],
        details: """
            TYPE is a HealthKit type without its prefix: a quantity (heartRate, stepCount, rrInterval), a
            category (sleepAnalysis), a correlation (bloodPressure, food) or workout; deviceEvent for
            device events (connection, contact, battery); or a type that a plugin or the configuration
            declares (`pulsegate plugins` lists those of plugins).
            \(CommandSyntax.timeHelp)
            The data of another user comes from that user's running gateway, as far as it is granted:
            `pulsegate access request --read TYPE`.
            """)

    let call: Subcommand.Call
    let output = StandardStream.output
    let now = SystemClock().instant()

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let type = try type(among: files.types)
        let unit = try unit(for: type)
        let format = try arguments.format()
        let people = try files.knownPeople()
        let times = try arguments.timeRange(now: now)
        let limit = try arguments.limit()
        let columns = try columns(of: type, in: format)
        let store = files.areOfAnotherUser ? nil : try files.openStoreToRead()
        var query = RecordQuery(
            type: type, from: times.from, to: times.to, device: arguments.value(of: "--device"),
            person: store == nil
                ? arguments.value(of: "--person")
                : try await PersonArgument.name(arguments, people, in: store))
        query.limit = arguments.has("--latest") ? 1 : limit
        let printer = RecordPrinter(
            type, format: format, unit: unit, columns: columns, people: people,
            width: TerminalWidth(.output, environment: environment), write: output.writePart)
        if try await print(query, files, from: store, with: printer) == 0 {
            StandardStream.error.write("pulsegate: no \(Self.name(of: type)) found\n")
        }
        return .success
    }

    /// Prints the records of a store, or without one those of the gateway of another user.
    private func print(
        _ query: RecordQuery, _ files: CommandFiles, from store: SQLiteStore?,
        with printer: RecordPrinter
    ) async throws(HostError) -> Int {
        var printer = printer
        do {
            if let store {
                try await StoredRecords(query, in: store, types: files.types).read { page in
                    try printer.print(page)
                }
            } else {
                var gateway = try ControlClient(
                    files.folder, isSimulation: files.isSimulation, clock: SystemClock())
                try gateway.records(
                    matching: query, types: files.types,
                    whileReading: output.pipeDescriptor ?? -1
                ) { try printer.print($0) }
            }
            try printer.finish()
        } catch is RecordPrinter.OutputClosed {
            return printer.count
        } catch let failure as HostError {
            throw failure
        } catch {
            throw HostError(error)
        }
        return printer.count
    }

    // MARK: Arguments

    /// The type; nil for device events.
    private func type(among types: QuantityTypes) throws(HostError) -> RecordType? {
        let name = arguments.operands[0]
        if name == StoredRecords.eventName, types.named(name) == nil { return nil }
        return try TypeArgument.recordType(name, among: types, or: [StoredRecords.eventName])
    }

    private static func name(of type: RecordType?) -> String {
        switch type {
        case .workout: "workouts"
        case let type?: "\(type.name) samples"
        case nil: "device events"
        }
    }

    private func unit(for type: RecordType?) throws(HostError) -> Unit? {
        guard arguments.has("--unit") else { return nil }
        guard case .quantity(let quantityType) = type else {
            throw HostError(
                .usage,
                "--unit: \(type?.name ?? StoredRecords.eventName) is not a quantity type; remove --unit"
            )
        }
        return try arguments.unit(of: "--unit", for: quantityType)
    }

    private func columns(
        of type: RecordType?, in format: OutputFormat
    ) throws(HostError) -> [String]? {
        guard let text = arguments.value(of: "--columns") else { return nil }
        let known = RecordPrinter.columns(of: type, in: format)
        guard !known.isEmpty else {
            throw HostError(.usage, "--columns is valid only for --format table and csv")
        }
        return try ColumnsArgument.columns(text, among: known, option: "--columns")
    }
}
