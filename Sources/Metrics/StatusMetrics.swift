package import GatewayHost
import Platform

/// The state of a gateway as metrics, without health values, people and reasons in words.
package enum StatusMetrics {
    /// Makes the metrics of a report.
    package static func families(of report: StatusReport) -> [MetricFamily] {
        gateway(report) + devices(report.devices) + parts(report)
            + (report.countsRecords
                ? sinks(report.sinks) + ledger(report.ledger) + journal(report.journal) : [])
            + clock(report.clock) + clients(report.clients)
    }

    private static func gateway(_ report: StatusReport) -> [MetricFamily] {
        var info = MetricFamily(
            "pulsegate_build_info", "The version of the gateway; the value is 1.")
        info.add(1, .init("version", report.version))
        let usage = report.usage
        // With the usual names, without a prefix, node_exporter would serve its own process in place
        // of the gateway's.
        return [
            info,
            MetricFamily(
                "pulsegate_uptime_seconds", "Time since the start of the gateway.",
                report.uptimeSeconds),
            MetricFamily(
                "pulsegate_process_start_time_seconds", "Start of the process since 1970.",
                report.started.map(seconds)),
            MetricFamily(
                "pulsegate_process_cpu_seconds_total", "Processor time of the process.",
                usage.map(\.cpuSeconds)),
            MetricFamily(
                "pulsegate_process_resident_memory_bytes", "Memory of the process that is in RAM.",
                usage.map { Double($0.residentBytes) }),
            MetricFamily(
                "pulsegate_process_open_fds", "Number of open descriptors of the process.",
                usage.map { Double($0.openDescriptors) }),
        ]
    }

    private static func parts(_ report: StatusReport) -> [MetricFamily] {
        var discarded = MetricFamily(
            "pulsegate_source_discarded_total",
            "Data of the source that belongs to no device and could not be used, by reason.")
        for source in report.sources {
            for (reason, count) in source.discarded.sorted(by: { $0.key < $1.key }) {
                discarded.add(count, .init("source", source.name), .init("reason", reason))
            }
        }
        return [
            healthy("source", report.sources), discarded,
            healthy("sink", report.sinks.map(\.part)),
            healthy("service", report.services),
        ]
    }

    private static func healthy(_ kind: String, _ parts: [StatusReport.Part]) -> MetricFamily {
        var family = MetricFamily(
            "pulsegate_\(kind)_healthy", "Whether the \(kind) works: 1, or 0 when it fails.")
        for part in parts { family.add(part.failure == nil, .init(kind, part.name)) }
        return family
    }

    private static func journal(_ journal: StatusReport.Journal) -> [MetricFamily] {
        var healthy = MetricFamily(
            "pulsegate_journal_healthy", "Whether the journal can be written: 1 or 0.")
        healthy.add(journal.failure == nil)
        var full = MetricFamily(
            "pulsegate_journal_disk_full", "Whether the disk of the journal is full: 1 or 0.")
        full.add(journal.isDiskFull)
        return [
            healthy, full,
            MetricFamily(
                "pulsegate_journal_size_bytes", "Size of the journal on disk, or in memory.",
                Double(journal.bytes)),
            MetricFamily(
                "pulsegate_journal_uncommitted_records",
                "Records in memory that are not committed to the journal yet.",
                Double(journal.waiting)),
        ]
    }

    private static func clock(_ clock: StatusReport.Clock) -> [MetricFamily] {
        var synchronized = MetricFamily(
            "pulsegate_clock_synchronized", "Whether the clock is synchronized: 1 or 0.")
        synchronized.add(clock.isSynchronized)
        var state = MetricFamily(
            "pulsegate_clock_state", "The time base of samples; the value is 1 for the current one."
        )
        for name in StatusReport.clockStates {
            state.add(clock.state == name, .init("state", name))
        }
        return [
            synchronized, state,
            MetricFamily(
                "pulsegate_clock_waiting_readings", "Readings that wait until the clock is set.",
                Double(clock.waiting)),
        ]
    }

    private static func clients(_ clients: StatusReport.Clients) -> [MetricFamily] {
        [
            MetricFamily(
                "pulsegate_control_clients", "Connected clients of the control socket.",
                Double(clients.connected)),
            MetricFamily(
                "pulsegate_control_clients_refused_total",
                "Clients that were refused because of the limit.", Double(clients.refused)),
            MetricFamily(
                "pulsegate_control_clients_disconnected_total",
                "Clients that were disconnected because they read too slowly or were idle.",
                Double(clients.cutOff)),
        ]
    }
}
