import GatewayCore
import GatewayHost
import HealthModel
import SQLiteStore
import Terminal

/// `pulsegate summary rebuild`: calculates the statistics of all hours in the store again.
struct SummaryRebuild {
    private let call: Subcommand.Call

    init(_ call: Subcommand.Call) {
        self.call = call
    }

    func run() async throws(HostError) -> ExitStatus {
        for option in ["--date", "--person", "--format", "--json"] where call.arguments.has(option)
        {
            throw HostError(.usage, "summary: \(option) is not an option of rebuild")
        }
        let files = try call.files()
        // A missing store is not created.
        _ = try files.openStore()
        do {
            let store = try files.createStore()
            try await store.removeSummaries()
            let failures = try await SummaryUpdate(
                store, files.types, call.environment, isRebuild: true
            ).run()
            for failure in failures { CommandNote.write(failure) }
            let (hours, types) = try await store.summaryCount()
            try StandardStream.output.writeResult(
                "calculated the statistics of \(hours) hours of \(types) types\n")
            for type in try await store.typesWithoutSummaries(files.types) {
                CommandNote.write(
                    "\(type.name) has or had a sample longer than 7 days, so there are no statistics "
                        + "of its hours; commands read its samples instead, which takes longer")
            }
            return failures.isEmpty ? .success : .failure
        } catch {
            throw HostError(error)
        }
    }
}
