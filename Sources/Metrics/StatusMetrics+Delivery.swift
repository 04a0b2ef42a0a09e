import GatewayHost
import GatewayJournal
import Readings

extension StatusMetrics {
    /// What the sinks have done, and how far they are behind.
    static func sinks(_ sinks: [StatusReport.Sink]) -> [MetricFamily] {
        var records = MetricFamily(
            "pulsegate_sink_records_total", "Records by what became of them at a sink.")
        for sink in sinks {
            for (outcome, count) in [
                ("delivered", sink.outcome.delivered), ("filtered", sink.outcome.filtered),
                ("rejected", sink.outcome.rejected), ("dropped", sink.outcome.dropped),
                ("lost", sink.outcome.lost),
            ] {
                records.add(count, .init("sink", sink.part.name), .init("outcome", outcome))
            }
        }
        return [
            records,
            family(sinks, "pending_records", "Records that wait for the sink.") {
                Double($0.pending)
            },
            family(sinks, "unverified_records", "Stored records that the sink has not verified.") {
                Double($0.unverified)
            },
            family(sinks, "lag_bytes", "Size of the records that wait for the sink.") {
                Double($0.lagBytes)
            },
            family(sinks, "lag_seconds", "Age of the oldest record that waits for the sink.") {
                $0.lagSeconds ?? 0
            },
            family(sinks, "failing_seconds", "Time since the sink fails; 0 when it works.") {
                $0.failingSeconds ?? 0
            },
            family(sinks, "writing_seconds", "Duration of the current write; 0 when there is none.")
            {
                $0.writingSeconds ?? 0
            },
        ]
    }

    private static func family(
        _ sinks: [StatusReport.Sink], _ name: String, _ help: String,
        _ number: (StatusReport.Sink) -> Double
    ) -> MetricFamily {
        var family = MetricFamily("pulsegate_sink_\(name)", help)
        for sink in sinks { family.add(number(sink), .init("sink", sink.part.name)) }
        return family
    }

    /// The counts of the pipeline since the journal was created.
    static func ledger(_ ledger: StatusReport.Ledger) -> [MetricFamily] {
        let ingest = ledger.ingest
        var discarded = MetricFamily(
            "pulsegate_readings_discarded_total", "Readings that became no record, by reason.")
        for fault in ReadingFault.allCases {
            discarded.add(ingest[fault], .init("reason", fault.rawValue))
        }
        var balanced = MetricFamily(
            "pulsegate_ledger_balanced", "Whether the counts of records add up: 1 or 0.")
        balanced.add(ledger.imbalances.isEmpty)
        return [
            MetricFamily(
                "pulsegate_readings_converted_total",
                "Readings that were converted to records, or discarded.", Double(ingest.converted)),
            discarded,
            MetricFamily(
                "pulsegate_records_unaccepted_total",
                "Records that were not accepted because the journal could not be written.",
                Double(ingest.unaccepted)),
            MetricFamily(
                "pulsegate_records_published_total", "Records that were committed to the journal.",
                Double(ingest.published)),
            balanced,
        ]
    }
}
