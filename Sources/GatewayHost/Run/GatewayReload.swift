package import GatewayCore
import JSON
package import Platform

/// Brings a running gateway up to a configuration that has changed, one wish after the other.
package actor GatewayReload {
    private let gateway: Gateway
    private let log: Logger
    private let load: @Sendable () throws(HostError) -> GatewayPlan
    private let makeParts: @Sendable (GatewayPlan) throws(HostError) -> Gateway.Parts
    /// What holds now.
    package private(set) var plan: GatewayPlan
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Makes it for a gateway that was made after a plan.
    ///
    /// `load` reads the configuration and the data directory again, and `makeParts` opens nothing.
    package init(
        _ gateway: Gateway, plan: GatewayPlan, log: Logger,
        load: @escaping @Sendable () throws(HostError) -> GatewayPlan,
        makeParts: @escaping @Sendable (GatewayPlan) throws(HostError) -> Gateway.Parts
    ) {
        self.gateway = gateway
        self.plan = plan
        self.log = log
        self.load = load
        self.makeParts = makeParts
    }

    /// Reloads at every wish, until there are no more.
    package func run(at wishes: AsyncStream<Void>) async {
        for await _ in wishes {
            // What is wrong has been said in the log.
            _ = try? await reload()
        }
    }

    /// Reads the configuration again and goes on with what it says.
    ///
    /// - Throws: What is wrong with it; then nothing has changed.
    package func reload() async throws(HostError) -> Gateway.Changes {
        await begin()
        defer { end() }
        do throws(HostError) {
            let new = try load()
            let parts = try makeParts(new)
            try refuseLasting(new)
            let changes = try await change(to: parts, of: new)
            tellOfOtherKinds(new, parts.sinks)
            plan = new
            log.info(
                "reloaded",
                ["sources": changes.sources.words, "sinks": changes.sinks.words])
            return changes
        } catch {
            log.error(
                "not reloaded; everything goes on as before", ["reason": error.text])
            throw error
        }
    }

    /// A sink goes by its name: who swaps two of them may not mean to swap what waits for them.
    private func tellOfOtherKinds(_ new: GatewayPlan, _ sinks: [Gateway.NamedSink]) {
        let before = Dictionary(
            (plan.configuration.sinks ?? []).map { ($0.name, $0.use) }, uniquingKeysWith: { $1 })
        for sink in new.configuration.sinks ?? [] {
            guard let use = before[sink.name], use != sink.use else { continue }
            let part = sinks.first { $0.name == sink.name }
            guard part?.options.previousName == nil else { continue }
            log.warning(
                "a sink is of another kind now, and gets what waits for the one before it; when names "
                    + "were changed, `previousName` says what each was called",
                ["sink": sink.name, "before": use, "now": sink.use])
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
            throw HostError(.failure, "the journal does not take the sinks: \(error)")
        }
    }

    /// What holds for as long as a gateway runs cannot be changed by a reload.
    private func refuseLasting(_ new: GatewayPlan) throws(HostError) {
        let (old, now) = (plan.configuration, new.configuration)
        var lasting: [String] = []
        if plan.folder.path != new.folder.path { lasting.append("dataDirectory") }
        if old.durability != now.durability || old.isJournalInMemory != now.isJournalInMemory {
            lasting.append("journal")
        }
        if plan.writesLines != new.writesLines { lasting.append("a sink that uses stdout") }
        guard lasting.isEmpty else {
            let what = lasting.joined(separator: ", ")
            throw HostError(
                .configuration, "\(new.file.place): \(what) changed; that needs a restart")
        }
    }

    private func begin() async {
        while isBusy {
            await withCheckedContinuation { continuation in
                if isBusy { waiting.append(continuation) } else { continuation.resume() }
            }
        }
        isBusy = true
    }

    private func end() {
        isBusy = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

extension GatewayChange {
    /// What was done, by name: `straps kept, foot changed`.
    package var words: String {
        let parts =
            kept.map { "\($0) kept" } + changed.map { "\($0) changed" }
            + added.map { "\($0) added" } + removed.map { "\($0) removed" }
        return parts.joined(separator: ", ")
    }
}
