import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import HealthTransfer
import Platform
import Terminal

/// `pulsegate summary rebuild`: calculates the statistics of all hours in the store again.
struct SummaryRebuild {
    private let call: Subcommand.Call

    init(_ call: Subcommand.Call) {
        self.call = call
    }

    func run() async throws(HostError) -> ExitStatus {
        for option in ["--date", "--person", "--json"] where call.arguments.has(option) {
            throw HostError(.usage, "summary: \(option) is not an option of rebuild")
        }
        let files = try call.files()
        // A missing store is not created.
        _ = try files.openStore()
        do {
            let store = try files.createStore()
            try await store.removeSummaries()
            let failures = try await calculate(in: store, files.types)
            for failure in failures { CommandNote.write(failure) }
            let (hours, types) = try await store.summaryCount()
            try StandardStream.output.writeResult(
                "calculated the statistics of \(hours) hours of \(types) types\n")
            return failures.isEmpty ? .success : .failure
        } catch {
            throw (error as? HostError) ?? HostError(.failure, "\(error)")
        }
    }

    /// Returns what went wrong with types whose samples cannot be read.
    private func calculate(
        in store: HealthStore, _ types: QuantityTypes
    ) async throws -> [String] {
        var progress = TransferProgress(call.environment, clock: SystemClock())
        defer { progress.end() }
        var failures: [String] = []
        var count = 0
        while true {
            do {
                guard let read = try await store.summariseNextHours(types: types) else { break }
                count += read
            } catch let error as HealthStoreError {
                failures.append("\(error)")
            }
            progress.show(count: count)
        }
        return failures
    }
}
