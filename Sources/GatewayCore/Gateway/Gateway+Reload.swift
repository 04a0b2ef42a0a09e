import Platform
import Synchronization

extension Gateway {
    /// The changes of sources and sinks by a reload.
    package struct Changes: Equatable, Sendable {
        /// The sources; those that adopted their new settings count as kept.
        package var sources: GatewayChange
        /// The sinks.
        package var sinks: GatewayChange
    }

    /// The error of a reload while the gateway is stopping.
    package struct Stopping: Error {}

    /// Replaces the parts: unchanged ones continue, changed ones are restarted.
    ///
    /// Links of kept sources stay open, and every sink with the same name keeps its cursor. A sink
    /// that waits before a retry retries immediately. A sink that is removed delivers what was
    /// accepted before, for up to 3 seconds and unless it is failing. It waits until the gateway runs,
    /// and for an earlier call.
    ///
    /// - Throws: An error of the journal, or ``Stopping``; then nothing is changed.
    package func change(to new: Parts, people: People) async throws -> Changes {
        await waitUntilRunning()
        await self.changes.begin()
        defer { self.changes.end() }
        guard isRunning else { throw Stopping() }
        var changes = Changes(
            sources: GatewayChange(
                from: parts.sources.map { ($0.name, $0.settings) },
                to: new.sources.map { ($0.name, $0.settings) }),
            sinks: GatewayChange(
                from: parts.sinks.map { ($0.name, $0.settings) },
                to: new.sinks.map { ($0.name, $0.settings) }))
        try await changeSinks(to: new, changes.sinks)
        await pipeline.rebind(to: people)
        changes.sources = await changeSources(to: new.sources, changes.sources)
        return changes
    }

    private func changeSinks(to new: Parts, _ change: GatewayChange) async throws {
        let leaving = change.removed + change.changed
        await drain(change.removed)
        await end(leaving.compactMap { sinks[$0]?.task }, seconds: Self.drainSeconds)
        await verify(change.changed)
        do {
            try await journal.register(new.sinks.map(\.journalSink))
            await pipeline.declare(new.types)
            // Sinks decode records of before by the types of now.
            if parts.types != new.types { await journal.forgetRecords() }
            parts.types = new.types
        } catch {
            for sink in parts.sinks where leaving.contains(sink.name) && isRunning { start(sink) }
            throw error
        }
        for name in change.removed { sinks[name] = nil }
        await close(parts.sinks.filter { leaving.contains($0.name) }.map(\.sink))
        // Kept sinks stay the same objects, because they hold connections.
        let kept = parts.sinks.filter { change.kept.contains($0.name) }
        parts.sinks = new.sinks.map { sink in kept.first { $0.name == sink.name } ?? sink }
        for sink in new.sinks where !change.kept.contains(sink.name) && isRunning { start(sink) }
        // The cause of a failure outside the settings may be fixed: a token's file, a server.
        for name in change.kept { sinks[name]?.retrySignal?.send() }
    }

    /// Waits until sinks have delivered what was accepted so far, as at the end of the gateway.
    ///
    /// A failing sink is not waited for.
    private func drain(_ names: [String]) async {
        let deadline = clock.now().adding(seconds: Self.drainSeconds)
        await withTaskGroup(of: Void.self) { group in
            for name in names where sinks[name]?.health.failure(at: clock.now()) == nil {
                group.addTask { _ = await self.waitForDelivery(to: name, until: deadline) }
            }
        }
    }

    /// Lets sinks verify what they have stored, as at the end of the gateway, so that those that take their
    /// place need not get it again.
    ///
    /// One that is still writing is not waited for.
    private func verify(_ names: [String]) async {
        let deadline = clock.now().adding(seconds: Self.drainSeconds)
        await withTaskGroup(of: Void.self) { [clock, journal, pluginExecutor] group in
            for named in parts.sinks where names.contains(named.name) {
                guard let sink = named.sink as? any VerifyingSink,
                    sinks[named.name]?.task.hasEnded == true
                else { continue }
                group.addTask {
                    let state = Mutex<StoreState?>(nil)
                    let asking = OwnedTask(on: pluginExecutor) {
                        let answer = try? await sink.verify(isAtEnd: true)
                        state.withLock { $0 = answer }
                    }
                    await OwnedTask.wait(for: [asking], until: deadline, on: clock)
                    // A later answer would count for what the next sink has stored by then.
                    guard state.withLock({ $0 }) == .verified else { return }
                    await journal.noteVerified(named.name)
                }
            }
        }
    }

    private func changeSources(
        to new: [NamedSource], _ change: GatewayChange
    ) async -> GatewayChange {
        var change = change
        let before = Dictionary(parts.sources.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        var kept: [String: NamedSource] = [:]
        for source in new {
            guard let old = before[source.name] else { continue }
            if change.kept.contains(source.name) {
                kept[source.name] = old
            } else if await old.source.adapt(to: source.source) {
                change.keep(source.name)
                kept[source.name] = NamedSource(
                    name: old.name, source: old.source, settings: source.settings)
            }
        }
        let leaving = change.removed + change.changed
        await end(leaving.compactMap { sources[$0]?.task }, seconds: Self.stopSeconds)
        for name in change.removed {
            sources[name] = nil
            await pipeline.forget(source: name)
        }
        parts.sources = new.map { kept[$0.name] ?? $0 }
        for source in new where kept[source.name] == nil && isRunning { start(source) }
        return change
    }
}
