extension Ledger {
    /// The cursor that all sinks have reached.
    package var minimumCursor: Int64 { sinks.values.map(\.cursor).min() ?? ingest.published }

    /// Replaces the registered sinks.
    ///
    /// - Parameter oldest: The cursor of a new sink that starts at the oldest record.
    package mutating func register(_ wanted: [JournalSink], oldest: Int64) {
        let moves = moves(among: wanted)
        var registered: [String: Ledger.Sink] = [:]
        for sink in wanted {
            let start = sink.startPosition == .start ? oldest : ingest.published
            var account =
                moves[sink.name].flatMap { sinks[$0] } ?? sinks[sink.name]
                ?? Ledger.Sink(start: start, cursor: start)
            account.previousName = sink.previousName
            registered[sink.name] = account
        }
        sinks = registered
    }

    /// Returns the previous names whose accounts are adopted, by the new names of the sinks.
    ///
    /// A sink with an account adopts another one only if its own goes to another sink: two sinks
    /// can swap their names, and an old `previousName` may stay in the configuration.
    package func moves(among wanted: [JournalSink]) -> [String: String] {
        let names = Set(wanted.map(\.name))
        var moves: [String: String] = [:]
        for sink in wanted {
            guard let former = sink.previousName, former != sink.name, sinks[former] != nil,
                sinks[sink.name]?.previousName != former
            else { continue }
            moves[sink.name] = former
        }
        while let stuck = moves.first(where: { name, former in
            let wouldLoseItsOwn = sinks[name] != nil && !moves.values.contains(name)
            return wouldLoseItsOwn || (names.contains(former) && moves[former] == nil)
        }) {
            moves[stuck.key] = nil
        }
        return moves
    }

    /// Returns the sinks whose accounts none of these continues, sorted by name.
    package func left(by wanted: [JournalSink]) -> [String] {
        let kept = Set(wanted.map(\.name)).union(moves(among: wanted).values)
        return sinks.keys.filter { !kept.contains($0) }.sorted()
    }
}
