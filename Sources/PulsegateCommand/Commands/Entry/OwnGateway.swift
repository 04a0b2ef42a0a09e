import GatewayCore
import GatewayHost
import HealthModel
import Platform

/// A gateway without sources that lives for as long as it takes to bring a sample to the sinks.
struct OwnGateway {
    let files: CommandFiles
    let plugins: Plugins
    let environment: Environment
    let clock: any GatewayClock
    let executor: (any TaskExecutor)?

    /// Takes records: what a sink cannot take now waits in the journal for the next run.
    ///
    /// - Parameter lock: That of the data directory, when this process has it already.
    func take(
        _ entry: EntryDelivery.Entry, holding lock: DataDirectoryLock?
    ) async throws(HostError) {
        let plan = try GatewayPlan(files, plugins)
        let queue = LogOutput.queue(screen: nil)
        let log = Logger(component: "pulsegate") { record in
            guard record.level >= .warning else { return }
            queue.append(LogFormat.plain(record))
        }
        let host = GatewayHost(
            plugins: plugins, environment: environment, clock: clock, log: log, executor: executor)
        let (acceptance, ledger) = try await host.ingest(entry.records, by: plan, holding: lock)
        await queue.drain(seconds: RunCommand.logSeconds, clock: clock)
        guard acceptance == .accepted else { throw notAccepted(entry, acceptance) }
        try checkMemoryJournal(plan, ledger)
    }

    /// The end of the gateway tried once more, so that nobody can say whether it is stored.
    private func notAccepted(
        _ entry: EntryDelivery.Entry, _ acceptance: Acceptance
    ) -> HostError {
        var reason = ""
        if case .waiting(let problem) = acceptance { reason = ": \(problem)" }
        return HostError(
            .failure,
            "the journal could not be written\(reason); mend that, and look with "
                + "`\(entry.look)` before you add it again")
    }

    /// A journal in memory ends with this process.
    private func checkMemoryJournal(
        _ plan: GatewayPlan, _ ledger: Ledger
    ) throws(HostError) {
        guard plan.configuration.isJournalInMemory else { return }
        let failed = ledger.sinks.filter {
            $0.value.outcome.lost > 0 || ledger.pending(for: $0.key) > 0
        }
        guard failed.isEmpty else {
            let names = failed.keys.sorted().joined(separator: ", ")
            throw HostError(
                .failure,
                "lost to \(names), which could not be reached, and stored by the other sinks: the journal "
                    + "is in memory")
        }
    }
}
