import GatewayCore
import HealthModel
import HealthStore

/// `pulsegate query`: the samples of one type.
struct QueryCommand {
    static let syntax = CommandSyntax(
        name: "query",
        summary: "Print the samples of a type, oldest first.",
        operands: ["TYPE"],
        options: [
            CommandSyntax.Option(name: "--from", value: "T", help: "only what ends after T"),
            CommandSyntax.Option(name: "--to", value: "T", help: "only what starts before T"),
            CommandSyntax.Option(
                name: "--unit", value: "U", help: "in this unit, a HealthKit unit string"),
            CommandSyntax.Option(
                name: "--device", value: "D", help: "only of this device: address, name or serial"),
            CommandSyntax.Option(name: "--person", value: "P", help: "only of this person"),
            CommandSyntax.Option(name: "--limit", value: "N", help: "only the newest N"),
            CommandSyntax.Option(name: "--latest", help: "only the newest"),
            CommandSyntax.Option(
                name: "--format", value: "FORMAT",
                help: "table, csv, json or ndjson; a table when left out"),
            CommandSyntax.simulate,
        ],
        details: """
            TYPE is HealthKit's short name: heartRate, stepCount, distanceWalkingRunning, rrInterval; or one
            that the configuration declares.
            T is an ISO 8601 date or time, or a span back from now: 90s, 15m, 24h, 7d.
            """)

    let arguments: ParsedArguments
    let plugins: Plugins
    let environment: Environment
    var output = StandardStream.output
    var now = SystemClock().instant()

    func run() async throws(CommandFailure) -> ExitStatus {
        let isSimulation = arguments.has("--simulate")
        let files = try CommandFiles(
            arguments, environment, plugins, isSimulation: isSimulation)
        let type = try quantityType(among: files.configuration.configuration.types)
        let unit = try unit(for: type)
        let format = try SampleFormat(argument: arguments.value(of: "--format"))
        let query = try query(for: type)
        let store = try openStore(files, isSimulation: isSimulation)
        let count = try await write(query, from: store, in: unit, as: format)
        if count == 0 {
            StandardStream.error.write("pulsegate: no \(type.name) samples there\n")
        }
        return .success
    }

    private func write(
        _ query: SampleQuery, from store: HealthStore, in unit: Unit?, as format: SampleFormat
    ) async throws(CommandFailure) -> Int {
        var writer = SampleWriter(format: format, unit: unit, output: output)
        do {
            if query.order == .newestFirst {
                // The newest are wanted, but the oldest of them comes first.
                let newest = try await store.samples(matching: query)
                for sample in newest.reversed() { try writer.write(sample) }
            } else {
                for try await page in store.pages(matching: query) {
                    for sample in page { try writer.write(sample) }
                }
            }
            try writer.finish()
        } catch is SampleWriter.ReaderLeft {
            return writer.count
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
        return writer.count
    }

    private func openStore(
        _ files: CommandFiles, isSimulation: Bool
    ) throws(CommandFailure) -> HealthStore {
        let (file, folder) = (files.configuration, files.folder)
        let sinks = isSimulation ? Assembly.defaultSinks : file.configuration.sinks
        guard let sink = (sinks ?? Assembly.defaultSinks).first(where: isStore) else {
            throw CommandFailure(
                .configuration, "\(file.place): no sink is a store to query (use: \"sqlite\")")
        }
        let settings: StoreSettings
        do {
            let keys = SinkOptions.keys + StoreSettings.keys
            settings = try StoreSettings(sink.settings.object(keys: keys))
        } catch {
            throw file.failure(error)
        }
        do {
            return try HealthStore(readingFrom: folder.resolve(settings.path))
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }

    private func isStore(_ sink: GatewayConfiguration.Component) -> Bool {
        sink.use == StoreSettings.use
    }

    private func query(for type: QuantityType) throws(CommandFailure) -> SampleQuery {
        var query = SampleQuery(
            type: type, from: try time("--from"), to: try time("--to"),
            device: arguments.value(of: "--device"), person: arguments.value(of: "--person"))
        if let text = arguments.value(of: "--limit") {
            guard let limit = Int(text), limit > 0 else {
                throw CommandFailure(.usage, "--limit: `\(text)` is not a number of samples")
            }
            query.limit = limit
        }
        if arguments.has("--latest") { query.limit = 1 }
        if query.limit != nil { query.order = .newestFirst }
        return query
    }

    private func quantityType(
        among types: QuantityTypes
    ) throws(CommandFailure) -> QuantityType {
        let name = arguments.operands[0]
        guard let type = types.named(name) else {
            let known = types.all.map(\.name)
            throw CommandFailure(
                .usage,
                "unknown type `\(name)`; \(Suggestion.message(unknown: name, known: known))")
        }
        return type
    }

    private func unit(for type: QuantityType) throws(CommandFailure) -> Unit? {
        guard let text = arguments.value(of: "--unit") else { return nil }
        do {
            let unit = try Unit(parsing: text)
            if unit.isCompatible(with: type.canonicalUnit) { return unit }
        } catch {
            throw CommandFailure(.usage, "--unit: \(error)")
        }
        throw CommandFailure(
            .usage,
            "--unit: `\(text)` does not measure \(type.name); "
                + "`\(type.displayUnit.string)` does")
    }

    private func time(_ option: String) throws(CommandFailure) -> Instant? {
        guard let text = arguments.value(of: option) else { return nil }
        guard let instant = TimeArgument.instant(text, now: now) else {
            throw CommandFailure(
                .usage,
                "\(option): `\(text)` is neither a time such as 2026-11-21T18:15 nor a span "
                    + "such as 15m")
        }
        return instant
    }
}

extension SystemClock {
    /// The present UTC time.
    func instant() -> Instant { epoch().instant(at: now()) }
}
