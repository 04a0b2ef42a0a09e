import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Synchronization

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
    /// - Returns: The names of the sinks that have not accepted all records yet.
    func deliver(
        _ entry: EntryDelivery.Entry, holding lock: DataDirectoryLock?
    ) async throws(HostError) -> Set<String> {
        let plan = try GatewayPlan(files, plugins)
        let queue = LogOutput.queue(screen: nil)
        let failures = SinkFailures()
        let log = Logger(component: "pulsegate") { record in
            guard record.level >= .warning, !failures.note(record) else { return }
            queue.append(LogFormat.plain(record))
        }
        let host = GatewayHost(
            plugins: plugins, environment: environment, clock: clock, log: log, executor: executor)
        let (acceptance, ledger) = try await host.ingest(entry.parts, by: plan, holding: lock)
        await queue.drain(seconds: LogOutput.drainSeconds, clock: clock)
        guard acceptance == .accepted else { throw notAccepted(entry, acceptance) }
        try checkMemoryJournal(plan, ledger)
        var pending: Set<String> = []
        for name in ledger.sinks.keys.sorted() where ledger.pending(for: name) > 0 {
            guard !plan.usesStandardOutput(name) else { continue }
            pending.insert(name)
            let reason = failures.reason(of: name).map { ": \($0)" } ?? ""
            CommandNote.write(
                "not delivered to \(name) yet\(reason); the next gateway delivers it: "
                    + "`pulsegate run`")
        }
        return pending
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

/// The reasons why sinks could not write; they are reported at the end, when no sink tries again.
private final class SinkFailures: Sendable {
    private let reasons = Mutex<[String: String]>([:])

    /// Notes the reason of a failed write; returns false for another log record.
    func note(_ record: Logger.Record) -> Bool {
        guard record.message == SinkRunner.retryMessage, record.level == .warning else {
            return false
        }
        let reason = record.fields.first { $0.key == "reason" }?.value
        reasons.withLock { $0[record.component] = reason }
        return true
    }

    func reason(of sink: String) -> String? { reasons.withLock { $0[sink] } }
}
