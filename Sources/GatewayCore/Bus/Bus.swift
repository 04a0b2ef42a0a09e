public import Readings

/// The record bus: publishes records to the live lane and to the journal.
public struct Bus: Sendable {
    let journal: Journal
    private let live: LiveLane

    /// Makes a bus from the journal and the live lane.
    public init(journal: Journal, live: LiveLane) {
        self.journal = journal
        self.live = live
    }

    /// Publishes converted records.
    ///
    /// The live lane gets them first, without waiting.
    public func publish(_ conversion: Conversion) async {
        await publish(conversion, as: RecordBatch(conversion.records))
    }

    /// Publishes converted records that are already encoded as lines; the receipts get the outcome.
    func publish(
        _ conversion: Conversion, as batch: RecordBatch, for receipts: [ReportReceipt] = []
    ) async {
        guard conversion.converted > 0 else {
            for receipt in receipts { receipt.commit() }
            return
        }
        live.offer(batch)
        var addition = Ledger.Ingest()
        addition.converted = Int64(conversion.converted)
        for (key, count) in conversion.faults.counts { addition[key.fault] += Int64(count) }
        addition.published = Int64(conversion.records.count)
        await journal.append(batch.lines, addition: addition, for: receipts)
    }
}
