import GatewayCore
package import GatewayHost
import Platform
import Readings
package import Terminal
import WorkoutScreens

/// The output of `pulsegate status`: tables, with problems below the rows.
package struct StatusText {
    private let report: StatusReport
    private let painter: Painter
    private let width: TerminalWidth?

    /// Creates the text; in a narrow terminal, less important columns are below their rows.
    package init(_ report: StatusReport, painter: Painter, width: TerminalWidth? = nil) {
        self.report = report
        self.width = width
        self.painter = painter
    }

    /// The whole text.
    package var text: String {
        [head, devices, sources, sinks, services, accounts].filter { !$0.isEmpty }.joined(
            separator: "\n")
    }

    private var head: String {
        """
        pulsegate \(shown(report.version)), process \(report.processID), \
        running for \(HumanQuantity.duration(seconds: report.uptimeSeconds))
        data: \(shown(report.dataDirectory))

        """ + clock
    }

    /// The clock's problem and its remedy; empty when the clock is set.
    private var clock: String {
        let problem =
            switch ClockStatus.State(rawValue: report.clock.state) {
            case .waiting where !report.countsRecords: "not set; readings are waiting for it"
            case .waiting: "not set; \(report.clock.waiting) readings are waiting for it"
            case .estimated: "not set; sample times are estimated and marked as such"
            case .holdover:
                "set to a time before the release of this version; the previous time is used"
            case .set where report.clock.isSynchronized == false: "set, but not synchronized"
            case .set, nil: ""
            }
        guard !problem.isEmpty else { return "" }
        func words(_ text: String, _ style: Painter.Style) -> [TextTable.Cell] {
            text.split(separator: " ").map { .init(String($0), style) }
        }
        return lines(words("clock: \(problem);", .warning) + words(ClockLog.remedy, .plain)) + "\n"
    }

    private var devices: String {
        guard !report.devices.isEmpty else { return "no device seen yet\n" }
        var table = TextTable(
            [
                "DEVICE", "NAME", "SOURCE", "PERSON", "LINK", "CONTACT", "BATTERY", "LAST SEEN",
                "DISCARDED",
            ], lower: ["DISCARDED", "PERSON", "SOURCE", "BATTERY", "CONTACT", "NAME", "LAST SEEN"])
        for device in report.devices {
            table.add(
                [
                    .init(shown(device.identifier)),
                    .init(shown(device.name)),
                    .init(shown(device.source)),
                    .init(shown(device.person)), StatusCells.link(device),
                    StatusCells.contact(device), StatusCells.battery(device),
                    .init(device.silentSeconds.map(StatusCells.ago) ?? "never"),
                    .init(Self.list(device.discarded)),
                ],
                note: note(device))
        }
        return table.text(painter, within: width)
    }

    /// The reason of the link's state, its remedy, and the readings that became no record.
    ///
    /// A failing source has the remedy itself.
    private func note(_ device: StatusReport.Device) -> String? {
        let source = report.sources.first { $0.name == device.source }
        let remedy = source?.failure == nil ? DeviceRemedy.text(for: device) : nil
        let faults = device.faults.map {
            "\($0.count) \(shown($0.type)) \(shown($0.reason))"
        }
        let discarded =
            faults.isEmpty ? nil : "readings discarded: " + faults.joined(separator: ", ")
        let notes = [device.reason.map(shown), remedy, discarded].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    private var sources: String { parts(report.sources, "SOURCE") }

    private var services: String { parts(report.services, "SERVICE") }

    private func parts(_ parts: [StatusReport.Part], _ title: String) -> String {
        guard !parts.isEmpty else { return "" }
        var table = TextTable([title, "STATE"])
        for part in parts {
            table.add(
                [.init(shown(part.name)), StatusCells.state(part.failure)],
                note: note(part))
        }
        return table.text(painter, within: width)
    }

    /// The failure or the address, and the discarded input that belongs to no device.
    private func note(_ part: StatusReport.Part) -> String? {
        let discarded =
            part.discarded.isEmpty ? nil : "discarded: \(Self.list(part.discarded))"
        let notes = [(part.failure ?? part.address).map(shown), discarded].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    private static let counts = [
        "CURSOR", "PENDING", "DELIVERED", "FILTERED", "REJECTED", "DROPPED", "LOST",
    ]

    private var sinks: String {
        let titles = report.countsRecords ? Self.counts + ["LAG"] : []
        var table = TextTable(
            ["SINK", "STATE"] + titles, right: 2..<max(titles.count + 1, 2),
            lower: ["CURSOR", "FILTERED", "DROPPED", "LOST", "REJECTED", "LAG", "DELIVERED"])
        for sink in report.sinks {
            table.add(
                [.init(shown(sink.part.name)), StatusCells.state(sink.part.failure)]
                    + (report.countsRecords ? counts(sink) : []),
                note: note(sink))
        }
        return table.text(painter, within: width)
    }

    private func counts(_ sink: StatusReport.Sink) -> [TextTable.Cell] {
        let outcome = sink.outcome
        let counts = [
            sink.cursor, sink.pending, outcome.delivered, outcome.filtered, outcome.rejected,
            outcome.dropped, outcome.lost,
        ]
        return counts.map(TextTable.Cell.init) + [.init(StatusCells.lag(sink))]
    }

    /// The failure of a sink and its duration, a write that takes too long, or a store that was replaced.
    private func note(_ sink: StatusReport.Sink) -> String? {
        if let failure = sink.part.failure {
            let span = sink.failingSeconds.map { "for \(HumanQuantity.duration(seconds: $0)): " }
            let next = sink.retryInSeconds.map {
                "; retry in \(HumanQuantity.duration(seconds: $0))"
            }
            return (span ?? "") + shown(failure) + (next ?? "")
        }
        guard let seconds = sink.writingSeconds, seconds >= Self.longWrite
        else { return sink.restored?.description }
        return "write in progress for \(HumanQuantity.duration(seconds: seconds))"
    }

    /// Duration of a write in seconds from which on it is reported.
    private static let longWrite = 10.0

    private var accounts: String {
        guard report.countsRecords else {
            return "journal: \(report.journal.isInMemory ? "in memory" : "on disk")"
                + "\(journalProblems)\n"
                + "no counts of records: they need access to read all types\n"
        }
        let ingest = report.ledger.ingest
        let journal = report.journal
        // The sink that is furthest behind determines what the journal must retain.
        let pending = report.sinks.map(\.pending).max() ?? 0
        let lag = HumanQuantity.size(bytes: report.sinks.map(\.lagBytes).max() ?? 0)
        let size = HumanQuantity.size(bytes: journal.bytes)
        return lines([
            .init("journal: \(pending) records (\(lag)) pending,"),
            .init("\(journal.waiting) not committed yet;"),
            .init("\(size) \(journal.isInMemory ? "in memory" : "on disk")"),
        ]) + journalProblems + "\n"
            + lines(
                [.init("ledger: \(ingest.converted) converted =")] + faults(ingest) + [
                    .init("\(ingest.unaccepted) not accepted +"),
                    .init("\(ingest.published) published;"),
                    report.ledger.imbalances.isEmpty
                        ? .init("balanced") : .init("not balanced", .bad),
                ])
            + report.ledger.imbalances.map { "\n  \(shown($0))" }.joined() + "\n"
    }

    /// Parts of a line; where the terminal is too narrow, the line is continued below.
    private func lines(_ parts: [TextTable.Cell]) -> String {
        var lines: [StyledLine] = []
        for part in parts {
            let length = TextWidth.columns(of: part.text) + 1
            if let last = lines.last, last.width + length <= width?.columns ?? .max {
                let isOfOneStyle = last.pieces.last?.style == part.style
                lines[lines.count - 1].append(" ", isOfOneStyle ? part.style : .plain)
            } else {
                lines.append(StyledLine(lines.isEmpty ? "" : "  "))
            }
            lines[lines.count - 1].append(part.text, part.style)
        }
        let characters = width?.characters ?? .unicode
        return lines.map { $0.text(painter, characters) }.joined(separator: "\n")
    }

    /// The failure and the corruption of the journal, a line each.
    private var journalProblems: String {
        let journal = report.journal
        var text = ""
        if let failure = journal.failure {
            let what = journal.isDiskFull ? "the disk is full" : "cannot write"
            text += "\n  " + painter.paint("\(what): \(shown(failure))", .bad)
        }
        if let damage = journal.damage {
            text +=
                "\n  " + painter.paint("corruption found: \(shown(damage))", .warning)
        }
        return text
    }

    /// `24 implausible +`, `1 duplicate +`; empty when there are no faults.
    private func faults(_ ingest: Ledger.Ingest) -> [TextTable.Cell] {
        ReadingFault.allCases.filter { ingest[$0] > 0 }
            .map { .init("\(ingest[$0]) \($0.rawValue) +") }
    }

    /// `damaged 3, unknown 1`.
    private static func list(_ counts: [String: Int64]) -> String {
        let parts = counts.sorted { $0.key < $1.key }.map {
            "\(LogFormat.escaped($0.key)) \($0.value)"
        }
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }

    private func shown(_ text: String?) -> String { StatusCells.shown(text) }
}
