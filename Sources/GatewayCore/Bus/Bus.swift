package import HealthModel
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
        await publish(RecordBatch(conversion.records), faults: conversion.faults)
    }

    /// Publishes deletions to the journal alone.
    package func publish(_ deletions: [DeletedRecord]) async {
        let lines = RecordBatch(deletions.map { .deletion($0) }).lines
        var addition = Ledger.Ingest()
        addition.converted = Int64(lines.count)
        addition.published = Int64(lines.count)
        await journal.append(lines, addition: addition)
    }

    /// Publishes records that are already encoded as lines, and the faults of readings that became no
    /// record; the receipts get the outcome.
    func publish(
        _ batch: RecordBatch, faults: ReadingFaults, for receipts: [ReportReceipt] = []
    ) async {
        let published = batch.lines.count
        guard published + faults.total > 0 else {
            for receipt in receipts { receipt.commit() }
            return
        }
        live.offer(batch)
        var addition = Ledger.Ingest()
        addition.converted = Int64(published + faults.total)
        for (key, count) in faults.counts { addition[key.fault] += Int64(count) }
        addition.published = Int64(published)
        await journal.append(batch.lines, addition: addition, for: receipts)
    }
}
