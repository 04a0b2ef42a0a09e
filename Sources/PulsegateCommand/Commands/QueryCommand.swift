import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import Platform
import Terminal

/// `pulsegate query`: the samples of one type.
struct QueryCommand: Command {
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

    let call: Subcommand.Call
    let output = StandardStream.output
    let now = SystemClock().instant()

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let type = try TypeArgument.type(arguments.operands[0], among: files.types)
        let unit = try arguments.unit(of: "--unit", for: type)
        let format = try SampleFormat(argument: arguments.value(of: "--format"))
        let people = try files.people()
        let query = try query(for: type, people)
        let store = try files.openStore()
        let writer = SampleWriter(format: format, unit: unit, people: people, output: output)
        let count = try await write(query, from: store, to: writer)
        if count == 0 {
            StandardStream.error.write("pulsegate: no \(type.name) samples there\n")
        }
        return .success
    }

    private func write(
        _ query: SampleQuery, from store: HealthStore, to writer: SampleWriter
    ) async throws(HostError) -> Int {
        var writer = writer
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
        } catch let failure as HostError {
            throw failure
        } catch {
            throw HostError(.failure, "\(error)")
        }
        return writer.count
    }

    private func query(
        for type: QuantityType, _ people: People
    ) throws(HostError) -> SampleQuery {
        var query = SampleQuery(
            type: type, from: try arguments.time(of: "--from", now: now),
            to: try arguments.time(of: "--to", now: now),
            device: arguments.value(of: "--device"),
            // As the name is spelled where it was set; others may have samples, too.
            person: arguments.value(of: "--person").map { name in
                people.names.first { $0 == name } ?? name
            })
        if let text = arguments.value(of: "--limit") {
            guard let limit = Int(text), limit > 0 else {
                throw HostError(.usage, "--limit: `\(text)` is not a number of samples")
            }
            query.limit = limit
        }
        if arguments.has("--latest") { query.limit = 1 }
        if query.limit != nil { query.order = .newestFirst }
        return query
    }
}

extension SystemClock {
    /// The present UTC time.
    func instant() -> Instant { epoch().instant(at: now()) }
}
