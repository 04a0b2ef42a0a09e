extension Gateway {
    /// What became of the sources and the sinks when the parts were changed.
    package struct Changes: Equatable, Sendable {
        /// The sources; those that could go on with their new settings count as kept.
        package var sources: GatewayChange
        /// The sinks.
        package var sinks: GatewayChange
    }

    /// Nothing is changed any more, because the gateway is stopping.
    package struct Stopping: Error {}

    /// Goes on with other parts: what has not changed is not touched, what has is started anew.
    ///
    /// A link of a source that is kept stays, and so does the cursor of every sink that keeps its name.
    /// A sink that waits before it tries again does so at once. One call at a time; before the gateway runs
    /// it waits for that.
    ///
    /// - Throws: What the journal has against the new sinks, or ``Stopping``; then all is as it was.
    package func change(to new: Parts, people: People) async throws -> Changes {
        await waitForBegin()
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
        await end(leaving.compactMap { sinks[$0]?.task }, seconds: Self.drainSeconds)
        do {
            try await journal.register(new.sinks.map(\.journalSink))
            parts.types = new.types
        } catch {
            for sink in parts.sinks where leaving.contains(sink.name) && isRunning { start(sink) }
            throw error
        }
        for name in change.removed { sinks[name] = nil }
        // Those that are kept stay the objects that they are: they hold connections.
        let kept = parts.sinks.filter { change.kept.contains($0.name) }
        parts.sinks = new.sinks.map { sink in kept.first { $0.name == sink.name } ?? sink }
        for sink in new.sinks where !change.kept.contains(sink.name) && isRunning { start(sink) }
        // Something may have been mended that the settings only name: a token's file, a server.
        for name in change.kept { sinks[name]?.nudge?.give() }
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
