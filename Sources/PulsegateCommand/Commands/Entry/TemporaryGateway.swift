import GatewayCore
import GatewayHost
import HealthModel
import Platform

/// A gateway without sources that runs until the records are delivered to the sinks.
struct TemporaryGateway {
    let files: CommandFiles
    let plugins: Plugins
    let environment: Environment
    let clock: any GatewayClock
    let executor: (any TaskExecutor)?

    /// Delivers records; those that a sink does not accept now stay in the journal for the next
    /// run.
    ///
    /// - Parameter lock: The lock of the data directory, if this process already holds it.
    func deliver(
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
        await queue.drain(seconds: GatewayRun.logSeconds, clock: clock)
        guard acceptance == .accepted else { throw notAccepted(entry, acceptance) }
        try checkMemoryJournal(plan, ledger)
    }

    /// The error of a failed commit; the records may be stored, as the gateway tries again when it
    /// stops.
    private func notAccepted(
        _ entry: EntryDelivery.Entry, _ acceptance: Acceptance
    ) -> HostError {
        var reason = ""
        if case .waiting(let problem) = acceptance { reason = ": \(problem)" }
        return HostError(
            .failure,
            "cannot write the journal\(reason); fix the problem, "
                + "and check with `\(entry.checkCommand)` before adding the records again")
    }

    /// Reports records that a journal in memory loses at exit.
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
                "not delivered to \(names): the sinks are unavailable and the journal is in memory; "
                    + "other sinks have stored the records")
        }
    }
}
