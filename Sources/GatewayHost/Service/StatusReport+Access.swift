import GatewayCore

extension StatusReport {
    /// The report for a client that may read device events and some types.
    ///
    /// It counts nothing of a type that the client may not read.
    func limited(to readable: AccessDecisions) -> StatusReport {
        guard !readable.isEverything else { return self }
        var report = withoutCounts
        for index in report.devices.indices {
            report.devices[index].faults.removeAll {
                readable.decision(on: $0.type) != .granted
            }
        }
        return report
    }

    /// The report without the counts of records.
    var withoutCounts: StatusReport {
        var report = self
        report.countsRecords = false
        for index in report.devices.indices { report.devices[index].records = nil }
        report.sinks = sinks.map(\.withoutCounts)
        report.ledger = Ledger()
        (report.journal.waiting, report.journal.bytes) = (0, 0)
        report.clock.waiting = 0
        report.usage = nil
        return report
    }
}

extension StatusReport.Sink {
    /// The state of the sink alone.
    fileprivate var withoutCounts: StatusReport.Sink {
        StatusReport.Sink(
            part: part, failingSeconds: failingSeconds, writingSeconds: writingSeconds,
            retryInSeconds: retryInSeconds)
    }
}
