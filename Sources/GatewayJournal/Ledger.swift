public import Readings

/// The counts of every sample and event since the journal was created.
///
/// The counts balance exactly: a converted record has a fault, is not accepted, or is published. For each sink, a record published since the sink was added is filtered, delivered,
/// rejected, dropped, lost, or pending.
public struct Ledger: Sendable, Equatable {
    /// The counts of converted records.
    public struct Ingest: Sendable, Equatable {
        /// All converted records.
        public var converted: Int64 = 0
        /// The faults of readings that became no record, by reason; not one is zero.
        public private(set) var faults: [ReadingFault: Int64] = [:]
        /// Not accepted: discarded before the commit because the journal could not be written.
        public var unaccepted: Int64 = 0
        /// Committed to the journal.
        public var published: Int64 = 0

        /// Makes empty counts.
        public init() {}

        /// The number of readings with a fault.
        public subscript(fault: ReadingFault) -> Int64 {
            get { faults[fault] ?? 0 }
            set { faults[fault] = newValue == 0 ? nil : newValue }
        }

        /// The number of all converted records, as the sum of what became of them.
        package var accounted: Int64 { faults.values.reduce(unaccepted + published, +) }
    }

    /// The outcomes of the records that one sink has handled.
    public struct Outcome: Sendable, Equatable {
        /// Excluded by the sink's `types`.
        public var filtered: Int64 = 0
        /// Stored.
        public var delivered: Int64 = 0
        /// Rejected permanently by the sink.
        public var rejected: Int64 = 0
        /// Dropped because the sink's buffer was full.
        public var dropped: Int64 = 0
        /// Unreadable in the journal, or gone with a store before it was verified.
        public var lost: Int64 = 0

        /// Makes empty counts.
        public init() {}

        /// All records that the sink has handled.
        public var total: Int64 { parts.reduce(0, +) }

        /// The counts of all outcomes.
        package var parts: [Int64] { [filtered, delivered, rejected, dropped, lost] }
    }

    /// The ledger entry of one sink.
    public struct Sink: Sendable, Equatable {
        /// The number of published records when the sink was added.
        public var start: Int64
        /// The sink's position, counted like `published`.
        public var cursor: Int64
        /// The outcomes of the records up to the cursor.
        public var outcome: Outcome
        /// The previous name at the last registration, so that its account is adopted only once.
        public var previousName: String?
        /// The records before the cursor that the sink has not verified; nil if there are none.
        public var unverified: Unverified?

        /// Makes the ledger entry of a sink.
        public init(start: Int64, cursor: Int64, outcome: Outcome = Outcome()) {
            self.start = start
            self.cursor = cursor
            self.outcome = outcome
        }
    }

    /// The counts of converted records.
    public var ingest: Ingest
    /// The sinks by name.
    public var sinks: [String: Sink]

    /// Makes a ledger.
    public init(ingest: Ingest = Ingest(), sinks: [String: Sink] = [:]) {
        self.ingest = ingest
        self.sinks = sinks
    }

    /// Returns the number of published records that a sink has not handled yet.
    public func pending(for sink: String) -> Int64 {
        sinks[sink].map { ingest.published - $0.cursor } ?? 0
    }

    /// Descriptions of unequal sums and negative counts; empty if the ledger balances.
    public var imbalances: [String] {
        var found: [String] = []
        if ingest.converted != ingest.accounted {
            found.append("converted \(ingest.converted), accounted for \(ingest.accounted)")
        }
        for (name, sink) in sinks.sorted(by: { $0.key < $1.key }) {
            let due = ingest.published - sink.start
            let accounted = sink.outcome.total + pending(for: name)
            if due != accounted || sink.cursor > ingest.published {
                found.append("\(name): published \(due), accounted for \(accounted)")
            }
            if let unverified = sink.unverified, !unverified.isPart(of: sink) {
                found.append("\(name): not verified from \(unverified.cursor)")
            }
            if let negative = sink.outcome.parts.first(where: { $0 < 0 }) {
                found.append("\(name): \(negative) records")
            }
        }
        return found
    }
}

extension Ledger.Ingest {
    /// Adds other counts to these.
    package mutating func add(_ other: Self) {
        converted += other.converted
        for (fault, count) in other.faults { self[fault] += count }
        unaccepted += other.unaccepted
        published += other.published
    }
}

extension Ledger.Outcome {
    /// Adds other counts to these.
    package mutating func add(_ other: Self) {
        filtered += other.filtered
        delivered += other.delivered
        rejected += other.rejected
        dropped += other.dropped
        lost += other.lost
    }
}
