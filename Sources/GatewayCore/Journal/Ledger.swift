/// The account of every sample and event since the journal was begun.
///
/// It closes exactly.
///
/// What came out of the converter was implausible, a duplicate, never accepted, or published. For each sink, what was
/// published since the sink was added is filtered, delivered, rejected, dropped, lost, or pending.
public struct Ledger: Sendable, Equatable {
    /// What the converters made.
    public struct Ingest: Sendable, Equatable {
        /// Everything that came out of the converters.
        public var converted: Int64 = 0
        /// Outside what the type allows; never published.
        public var implausible: Int64 = 0
        /// Sent before by the device; not published again.
        public var duplicate: Int64 = 0
        /// Never accepted: given up before the commit, because the journal could not be written.
        public var unaccepted: Int64 = 0
        /// Committed to the journal.
        public var published: Int64 = 0

        /// Makes an account of nothing.
        public init() {}
    }

    /// What one sink did with the records it has dealt with.
    public struct Outcome: Sendable, Equatable {
        /// Not of a type that the sink wants.
        public var filtered: Int64 = 0
        /// Stored.
        public var delivered: Int64 = 0
        /// Never to be taken by the sink.
        public var rejected: Int64 = 0
        /// Given up because the sink lagged too far behind.
        public var dropped: Int64 = 0
        /// In the journal, but not to be read any more.
        public var lost: Int64 = 0

        /// Makes an account of nothing.
        public init() {}

        /// All records that the sink has dealt with.
        public var total: Int64 { parts.reduce(0, +) }

        /// Every kind of outcome.
        package var parts: [Int64] { [filtered, delivered, rejected, dropped, lost] }
    }

    /// One sink's part of the ledger.
    public struct Sink: Sendable, Equatable {
        /// How much had been published when the sink was added.
        public var start: Int64
        /// How far the sink has come, counted like `published`.
        public var cursor: Int64
        /// What became of the records up to the cursor.
        public var outcome: Outcome
        /// The former name under which the sink was registered last: what was taken over once is not
        /// taken over again.
        public var previousName: String?

        /// Makes a sink's part of the ledger.
        public init(start: Int64, cursor: Int64, outcome: Outcome = Outcome()) {
            self.start = start
            self.cursor = cursor
            self.outcome = outcome
        }
    }

    /// What the converters made.
    public var ingest: Ingest
    /// The sinks by name.
    public var sinks: [String: Sink]

    /// Makes a ledger.
    public init(ingest: Ingest = Ingest(), sinks: [String: Sink] = [:]) {
        self.ingest = ingest
        self.sinks = sinks
    }

    /// How many published records a sink has not dealt with yet.
    public func pending(for sink: String) -> Int64 {
        sinks[sink].map { ingest.published - $0.cursor } ?? 0
    }

    /// The sums that do not come out, and what is less than nothing, in words; empty when the ledger
    /// closes.
    public var imbalances: [String] {
        var found: [String] = []
        let accounted =
            ingest.implausible + ingest.duplicate + ingest.unaccepted + ingest.published
        if ingest.converted != accounted {
            found.append("converted \(ingest.converted), accounted for \(accounted)")
        }
        for (name, sink) in sinks.sorted(by: { $0.key < $1.key }) {
            let due = ingest.published - sink.start
            let accounted = sink.outcome.total + pending(for: name)
            if due != accounted || sink.cursor > ingest.published {
                found.append("\(name): published \(due), accounted for \(accounted)")
            }
            if let negative = sink.outcome.parts.first(where: { $0 < 0 }) {
                found.append("\(name): \(negative) records")
            }
        }
        return found
    }
}

extension Ledger.Ingest {
    /// Adds another account to this one.
    package mutating func add(_ other: Self) {
        converted += other.converted
        implausible += other.implausible
        duplicate += other.duplicate
        unaccepted += other.unaccepted
        published += other.published
    }
}

extension Ledger.Outcome {
    /// Adds another account to this one.
    package mutating func add(_ other: Self) {
        filtered += other.filtered
        delivered += other.delivered
        rejected += other.rejected
        dropped += other.dropped
        lost += other.lost
    }
}
