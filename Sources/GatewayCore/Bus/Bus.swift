/// Where samples go from the converters: to the live lane at once, and into the journal.
public struct Bus: Sendable {
    let journal: Journal
    private let live: LiveLane

    /// Makes a bus from its two lanes.
    public init(journal: Journal, live: LiveLane) {
        self.journal = journal
        self.live = live
    }

    /// Publishes what a converter made.
    ///
    /// The live lane sees it first and waits for nothing.
    public func publish(_ conversion: Conversion) async {
        await publish(conversion, as: RecordBatch(conversion.records))
    }

    /// Publishes what a converter made, whose lines are written already.
    func publish(_ conversion: Conversion, as batch: RecordBatch) async {
        guard conversion.converted > 0 else { return }
        live.offer(batch)
        var addition = Ledger.Ingest()
        addition.converted = Int64(conversion.converted)
        addition.implausible = Int64(conversion.implausible)
        addition.duplicate = Int64(conversion.duplicate)
        addition.published = Int64(conversion.records.count)
        await journal.append(batch.lines, addition: addition)
    }
}
