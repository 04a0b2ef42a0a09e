import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import HealthTransfer
import Platform
import SQLiteStore
import Terminal

/// `pulsegate delete sample`: deletes records of a type, or by their ids.
struct DeleteSampleCommand: Command {
    private static let conditions =
        CommandSyntax.timeRange(
            from: "only records that end after T", to: "only records that start before T") + [
            CommandSyntax.Option(
                name: "--device", value: "D",
                help: "only records of this device: address, name or serial number"),
            CommandSyntax.Option(
                name: "--source", value: "S",
                help: "only records of the source with this name"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person, help: "only records of this person"),
        ]

    static let syntax = CommandSyntax(
        name: "delete sample",
        summary: "Delete samples from the store: by type and time, or by id.",
        operands: [CommandSyntax.Operand("TYPE|ID", .recordType())],
        hasRepeatedOperand: true,
        options: conditions + DeleteActions.options + [CommandSyntax.simulate],
        details: """
            TYPE is a quantity, a category or a correlation, as in `pulsegate query`. ID is the id of a
            record, as `pulsegate query --format json` prints it. A correlation such as bloodPressure
            is deleted with its samples, and a sample with the correlation that contains it.
            \(CommandSyntax.timeHelp)

            """ + DeleteActions.details)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let selections = try await selections(files)
        let deletion = try DeletionCall(call, files)
        if case .records(let ids, let kinds)? = selections.first {
            try await check(ids, kinds, in: try files.openStore())
        }
        try await deletion.run(
            SelectedRecords(selections),
            what: "\(arguments.operands.joined(separator: ", ")) samples")
        return .success
    }

    private func selections(
        _ files: CommandFiles
    ) async throws(HostError) -> [DeletionSelection] {
        let ids = arguments.operands.compactMap { RecordID(uuidString: $0) }
        guard ids.isEmpty else {
            guard ids.count == arguments.operands.count else {
                throw HostError(
                    .usage, "types and ids exclude each other; delete them one after the other")
            }
            for option in Self.conditions where arguments.has(option.name) {
                throw HostError(.usage, "\(option.name) is valid only with a TYPE")
            }
            return [.records(Set(ids).sorted(), kinds: [.sample, .category, .correlation])]
        }
        var types: [RecordType] = []
        for name in arguments.operands {
            let type = try type(name, files.types)
            if !types.contains(type) { types.append(type) }
        }
        let range = try arguments.timeRange(now: SystemClock().instant())
        let person = try await PersonArgument.name(
            arguments, try files.people(), in: try files.openStoreIfCreated())
        return types.map { type in
            let query = StoreQuery(
                type: type, from: range.from, to: range.to,
                device: arguments.value(of: "--device"), person: person)
            return .matching(
                DeletionSelection.Conditions(query, source: arguments.value(of: "--source")))
        }
    }

    private func type(_ name: String, _ types: QuantityTypes) throws(HostError) -> RecordType {
        let type = try TypeArgument.recordType(name, among: types)
        guard type != .workout else {
            throw HostError(
                .usage, "\(name) is not a type of samples; use `pulsegate delete workout ID`")
        }
        return type
    }

    /// Refuses ids that no sample has.
    private func check(
        _ ids: [RecordID], _ kinds: Set<RecordKind>, in store: SQLiteStore
    ) async throws(HostError) {
        var unknown: [RecordID] = []
        do {
            for id in ids {
                let kind = try await store.kind(of: id)
                guard kind.map(kinds.contains) != true else { continue }
                guard kind != .workout else {
                    throw HostError(
                        .usage,
                        "no sample with the id \(id) found; use `pulsegate delete workout \(id)`")
                }
                unknown.append(id)
            }
        } catch {
            throw HostError(error)
        }
        guard !unknown.isEmpty else { return }
        throw HostError(.usage, "no \(DeletionText.samples(unknown)) found")
    }
}
