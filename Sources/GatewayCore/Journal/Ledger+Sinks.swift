extension Ledger {
    /// What all sinks have dealt with.
    package var doneByAll: Int64 { sinks.values.map(\.cursor).min() ?? ingest.published }

    /// Makes these sinks, and no others, take part.
    ///
    /// - Parameter oldest: Where a sink begins that wants everything which is still there.
    package mutating func register(_ wanted: [JournalSink], oldest: Int64) {
        let moves = moves(among: wanted)
        var registered: [String: Ledger.Sink] = [:]
        for sink in wanted {
            let start = sink.begins == .start ? oldest : ingest.published
            var account =
                moves[sink.name].flatMap { sinks[$0] } ?? sinks[sink.name]
                ?? Ledger.Sink(start: start, cursor: start)
            account.previousName = sink.previousName
            registered[sink.name] = account
        }
        sinks = registered
    }

    /// The former names whose accounts sinks take over now, by the sinks' own names.
    ///
    /// Whoever has an account takes over another one only when its own goes to somebody else: so two can
    /// swap their names, and a word about a former name that did its work may stay.
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

    /// The sinks that none of these goes on with, in the order of their names.
    package func left(by wanted: [JournalSink]) -> [String] {
        let kept = Set(wanted.map(\.name)).union(moves(among: wanted).values)
        return sinks.keys.filter { !kept.contains($0) }.sorted()
    }
}
