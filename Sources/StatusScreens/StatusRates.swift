import GatewayCore
package import GatewayHost
import Platform

/// How fast the counts of a gateway grow between two reports of it.
package struct StatusRates: Sendable {
    private let newest: StatusReport
    /// The report before; nil when it is of another process, or when there is none.
    private let previous: StatusReport?

    /// Makes the rates from a report and the one before.
    package init(_ newest: StatusReport, since previous: StatusReport?) {
        self.newest = newest
        let isSameRun = previous?.processID == newest.processID
        self.previous = isSameRun ? previous : nil
    }

    /// The time between the reports, in seconds; nil when it is unknown.
    private var seconds: Double? {
        guard let previous else { return nil }
        let seconds = newest.uptimeSeconds - previous.uptimeSeconds
        return seconds > 0 ? seconds : nil
    }

    /// Records a second; nil when it is unknown.
    ///
    /// A count that was reset is no rate.
    private func rate(_ count: Int64?, since earlier: Int64?) -> Double? {
        guard let count, let earlier, count >= earlier, let seconds else { return nil }
        return Double(count - earlier) / seconds
    }

    /// The published records a second.
    var published: Double? {
        guard newest.countsRecords, let previous, previous.countsRecords else { return nil }
        return rate(
            newest.ledger.ingest.published, since: previous.ledger.ingest.published)
    }

    /// The records a second that are made of a device's readings.
    func records(of device: StatusReport.Device) -> Double? {
        let earlier = previous?.devices.first {
            $0.identifier == device.identifier && $0.source == device.source
        }
        return rate(device.records, since: earlier?.records)
    }

    /// The records a second that a sink has stored.
    func delivered(to sink: StatusReport.Sink) -> Double? {
        guard newest.countsRecords, let previous, previous.countsRecords else { return nil }
        let earlier = previous.sinks.first { $0.part.name == sink.part.name }
        return rate(sink.outcome.delivered, since: earlier?.outcome.delivered)
    }

    /// The share of a core that the gateway uses, from 0; nil when it is unknown.
    var processorShare: Double? {
        guard let usage = newest.usage, let earlier = previous?.usage, let seconds else {
            return nil
        }
        return max(usage.cpuSeconds - earlier.cpuSeconds, 0) / seconds
    }
}
