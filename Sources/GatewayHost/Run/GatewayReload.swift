package import GatewayCore
import JSON
package import Platform
import Synchronization

/// Reloads the configuration of a running gateway, one reload at a time.
package actor GatewayReload {
    private let gateway: Gateway
    private let log: Logger
    private let load: @Sendable () throws(HostError) -> GatewayPlan
    private let makeParts: @Sendable (GatewayPlan) throws(HostError) -> Gateway.Parts
    private let makeServices: @Sendable (GatewayPlan) throws(HostError) -> [NamedService]
    private let services: ServiceRunner
    private let applied: @Sendable (GatewayPlan) async -> Void
    private let reloading: @Sendable (Bool) -> Void
    /// The plan that is in effect.
    package private(set) var plan: GatewayPlan
    private nonisolated let observers = Mutex<[@Sendable () -> Void]>([])
    private let turn = Turn()

    /// Creates the reload of a gateway that was made from a plan.
    ///
    /// - Parameters:
    ///   - load: Reads the configuration and the data directory again.
    ///   - makeParts: Makes the sources and sinks, without opening them.
    ///   - makeServices: Makes the services, without opening them.
    ///   - applied: Called with each plan that is in effect: that of the start, and after a reload.
    ///   - reloading: Called with true before a reload and with false after it.
    package init(
        _ gateway: Gateway, _ services: ServiceRunner, plan: GatewayPlan, log: Logger,
        load: @escaping @Sendable () throws(HostError) -> GatewayPlan,
        makeParts: @escaping @Sendable (GatewayPlan) throws(HostError) -> Gateway.Parts,
        makeServices: @escaping @Sendable (GatewayPlan) throws(HostError) -> [NamedService],
        applied: @escaping @Sendable (GatewayPlan) async -> Void,
        reloading: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        self.applied = applied
        self.reloading = reloading
        self.gateway = gateway
        self.services = services
        self.makeServices = makeServices
        self.plan = plan
        self.log = log
        self.load = load
        self.makeParts = makeParts
    }

    /// Applies the plan of the start, and reloads at every request until the stream ends.
    ///
    /// - Parameter read: Reads what belongs to no plan.
    package func run(at requests: AsyncStream<Void>, _ read: () -> Void = {}) async {
        await turn.begin()
        await applied(plan)
        turn.end()
        for await _ in requests {
            read()
            // An error has been logged.
            _ = try? await reload()
        }
    }

    /// Calls a function after each reload that has succeeded.
    nonisolated func observe(_ observer: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Reads the configuration again and applies it.
    ///
    /// - Throws: ``HostError`` if it is invalid; the previous configuration stays in effect.
    package func reload() async throws(HostError) -> ReloadChanges {
        await turn.begin()
        reloading(true)
        defer {
            reloading(false)
            turn.end()
        }
        do throws(HostError) {
            let new = try load()
            let parts = try makeParts(new)
            let newServices = try makeServices(new)
            try rejectRestartChanges(new)
            let changes = ReloadChanges(
                try await change(to: parts, of: new),
                services: await services.change(to: newServices))
            warnOfChangedPlugins(new, parts.sinks)
            plan = new
            await applied(new)
            for observer in observers.withLock({ $0 }) { observer() }
            log.info("reloaded", changes.summary)
            return changes
        } catch {
            log.error(
                "reload failed; the previous configuration stays in effect",
                ["reason": error.text])
            throw error
        }
    }

    /// Pending records belong to the sink's name: swapped names would swap the pending records.
    private func warnOfChangedPlugins(_ new: GatewayPlan, _ sinks: [Gateway.NamedSink]) {
        let before = Dictionary(
            (plan.configuration.sinks ?? []).map { ($0.name, $0.use) }, uniquingKeysWith: { $1 })
        for sink in new.configuration.sinks ?? [] {
            guard let use = before[sink.name], use != sink.use else { continue }
            let part = sinks.first { $0.name == sink.name }
            guard part?.options.previousName == nil else { continue }
            log.warning(
                "the sink uses another plugin and receives the pending records of the previous one",
                [
                    "sink": sink.name, "before": use, "now": sink.use,
                    "hint": "if sinks were renamed, set `previousName`",
                ])
        }
    }

    private func change(
        to parts: Gateway.Parts, of new: GatewayPlan
    ) async throws(HostError) -> Gateway.Changes {
        do {
            return try await gateway.change(to: parts, people: new.configuration.people)
        } catch is Gateway.Stopping {
            throw HostError(.failure, "the gateway is stopping")
        } catch {
            throw HostError(.failure, "cannot change the sinks of the journal: \(error)")
        }
    }

    /// Rejects changes that require a restart.
    private func rejectRestartChanges(_ new: GatewayPlan) throws(HostError) {
        let (old, now) = (plan.configuration, new.configuration)
        var keys: [String] = []
        if plan.folder.path != new.folder.path { keys.append("dataDirectory") }
        if old.durability != now.durability || old.isJournalInMemory != now.isJournalInMemory {
            keys.append("journal")
        }
        if plan.usesStandardOutput != new.usesStandardOutput {
            keys.append("the use of standard output by a sink or a service")
        }
        guard keys.isEmpty else {
            let what = keys.joined(separator: ", ")
            throw HostError(
                .configuration, "\(new.file.place): \(what) changed; restart the gateway")
        }
    }
}

/// The changes by a reload.
package struct ReloadChanges: Equatable, Sendable {
    /// The sources; those that adopted their new settings count as kept.
    package let sources: GatewayChange
    /// The sinks.
    package let sinks: GatewayChange
    /// The services.
    package let services: GatewayChange

    init(_ parts: Gateway.Changes, services: GatewayChange) {
        sources = parts.sources
        sinks = parts.sinks
        self.services = services
    }

    /// The changes for the log; services only if there are any.
    fileprivate var summary: KeyValuePairs<String, String> {
        services.summary.isEmpty
            ? ["sources": sources.summary, "sinks": sinks.summary]
            : [
                "sources": sources.summary, "sinks": sinks.summary, "services": services.summary,
            ]
    }
}

extension GatewayChange {
    /// The changes by name: `straps unchanged, foot changed`.
    package var summary: String {
        let parts =
            kept.map { "\($0) unchanged" } + changed.map { "\($0) changed" }
            + added.map { "\($0) added" } + removed.map { "\($0) removed" }
        return parts.joined(separator: ", ")
    }
}
