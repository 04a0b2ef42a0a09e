extension Ledger {
    /// The records that a sink has stored but not verified.
    ///
    /// The journal keeps them, so that they can be delivered again if the store turns out to be
    /// damaged.
    public struct Unverified: Sendable, Equatable {
        /// The cursor before the first record that the journal keeps.
        public var cursor: Int64
        /// The outcomes of the records up to there.
        public var outcome: Outcome
        /// The number of stored records before the cursor that are neither verified nor kept.
        public var released: Int64

        /// Describes the records that follow a cursor.
        public init(cursor: Int64, outcome: Outcome, released: Int64 = 0) {
            self.cursor = cursor
            self.outcome = outcome
            self.released = released
        }

        /// Whether the account of a sink contains it, so that the account balances there too.
        package func isPart(of sink: Sink) -> Bool {
            (sink.start...max(sink.start, sink.cursor)).contains(cursor)
                && cursor - sink.start == outcome.total
                && zip(outcome.parts, sink.outcome.parts).allSatisfy { $0 >= 0 && $0 <= $1 }
                && (0...max(outcome.delivered, 0)).contains(released)
        }
    }

    /// The cursor before which no sink needs a record, neither for the first time nor again.
    package var removableCursor: Int64 {
        sinks.values.map { $0.unverified?.cursor ?? $0.cursor }.min() ?? ingest.published
    }
}

/// What is delivered again to a sink because its store was opened again.
package struct Redelivery: Sendable, Equatable {
    /// The number of records that were stored before and are delivered again.
    package var records: Int64 = 0
    /// The number of records that are gone: stored but not verified, and no longer in the journal.
    package var lost: Int64 = 0
    /// The number of records that were verified in the earlier store, and are missing in this one.
    package var verified: Int64 = 0

    /// Delivers nothing again.
    package init() {}
}

extension Ledger.Sink {
    /// The number of stored records that the journal keeps until they are verified.
    package var keptCount: Int64 {
        unverified.map { outcome.delivered - $0.outcome.delivered } ?? 0
    }

    /// Whether the journal keeps something for it, if only what it filtered.
    var keepsRecords: Bool { unverified.map { $0.cursor < cursor } ?? false }

    /// Begins to keep what follows the cursor, unless records before it are kept.
    mutating func keep() {
        guard unverified == nil else { return }
        unverified = Ledger.Unverified(cursor: cursor, outcome: outcome)
    }

    /// Gives up the kept records up to an earlier state of this account.
    mutating func release(upTo state: Ledger.Sink) {
        guard let kept = unverified, kept.cursor < state.cursor else { return }
        unverified = Ledger.Unverified(
            cursor: state.cursor, outcome: state.outcome,
            released: kept.released + state.outcome.delivered - kept.outcome.delivered)
    }

    /// Moves the cursor back to the first kept record; nothing that is delivered again counts twice.
    ///
    /// - Parameter missing: The number of stored records that the store lacks, at most: the kept ones,
    ///   then the released ones, which are lost, and then those that were verified.
    mutating func redeliver(missing: Int64) -> Redelivery {
        var result = Redelivery()
        result.records = keptCount
        if let kept = unverified {
            cursor = kept.cursor
            outcome = kept.outcome
        }
        let missing = min(max(missing - result.records, 0), outcome.delivered)
        let released = unverified?.released ?? 0
        result.lost = min(released, missing)
        result.verified = missing - result.lost
        outcome.delivered -= result.lost
        outcome.lost += result.lost
        unverified =
            released > result.lost
            ? Ledger.Unverified(
                cursor: cursor, outcome: outcome, released: released - result.lost) : nil
        return result
    }
}
