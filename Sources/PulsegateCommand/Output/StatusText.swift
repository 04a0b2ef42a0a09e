import GatewayCore
import GatewayHost
import Platform
import Terminal
import WorkoutScreens

/// The status of a gateway for people: tables, and under each what is in the way.
struct StatusText {
    private let report: StatusReport
    private let painter: Painter

    init(_ report: StatusReport, painter: Painter) {
        self.report = report
        self.painter = painter
    }

    /// All of it.
    var text: String {
        [head, devices, sources, sinks, accounts].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var head: String {
        """
        pulsegate \(shown(report.version)), process \(report.processID), \
        running for \(HumanQuantity.duration(seconds: report.uptimeSeconds))
        data: \(shown(report.dataDirectory))

        """ + clock
    }

    /// What is wrong with the clock, which is not worth a line while it is right.
    private var clock: String {
        let problem =
            switch ClockStatus.State(rawValue: report.clock.state) {
            case .waiting: "not set; \(report.clock.waiting) readings wait for it"
            case .estimated:
                "not set; samples are dated from the day of this version on, and marked so"
            case .holdover: "set to a time before this program was made; samples go on as before"
            case .set where report.clock.isSynchronized == false:
                "set, but the system knows of nothing that keeps it right"
            case .set, nil: ""
            }
        guard !problem.isEmpty else { return "" }
        return painter.paint("clock: \(problem)", .doubtful) + "; \(ClockLog.remedy)\n"
    }

    private var devices: String {
        guard !report.devices.isEmpty else { return "no device seen yet\n" }
        var table = TextTable([
            "DEVICE", "NAME", "SOURCE", "PERSON", "LINK", "CONTACT", "BATTERY", "LAST SEEN",
            "DISCARDED",
        ])
        for device in report.devices {
            table.add(
                [
                    .init(shown(device.identifier)), .init(shown(device.name)),
                    .init(shown(device.source)), .init(shown(device.person)), link(device),
                    contact(device), battery(device),
                    .init(device.silentSeconds.map(Self.ago) ?? "never"),
                    .init(Self.list(device.discarded)),
                ],
                note: device.reason.map(shown))
        }
        return table.text(painter)
    }

    private var sources: String {
        var table = TextTable(["SOURCE", "STATE"])
        for source in report.sources {
            table.add(
                [.init(shown(source.name)), state(source.failure)],
                note: source.failure.map(shown))
        }
        return table.text(painter)
    }

    private var sinks: String {
        var table = TextTable(
            [
                "SINK", "STATE", "CURSOR", "PENDING", "DELIVERED", "FILTERED", "REJECTED",
                "DROPPED", "LOST", "BEHIND",
            ],
            right: 2..<9)
        for sink in report.sinks {
            let outcome = sink.outcome
            let counts = [
                sink.cursor, sink.pending, outcome.delivered, outcome.filtered, outcome.rejected,
                outcome.dropped, outcome.lost,
            ]
            table.add(
                [.init(shown(sink.part.name)), state(sink.part.failure)]
                    + counts.map(TextTable.Cell.init) + [.init(Self.behind(sink))],
                note: note(sink))
        }
        return table.text(painter)
    }

    /// `1.5 MiB, 2 h 5 min`.
    private static func behind(_ sink: StatusReport.Sink) -> String {
        guard sink.pending > 0 else { return "-" }
        let size = HumanQuantity.size(bytes: sink.lagBytes)
        return sink.lagSeconds.map { "\(size), \(HumanQuantity.duration(seconds: $0))" } ?? size
    }

    /// What a sink fails with and for how long, or that it does not come back from a write.
    private func note(_ sink: StatusReport.Sink) -> String? {
        if let failure = sink.part.failure {
            let span = sink.failingSeconds.map { "for \(HumanQuantity.duration(seconds: $0)): " }
            let next = sink.retryInSeconds.map {
                "; next try in \(HumanQuantity.duration(seconds: $0))"
            }
            return (span ?? "") + shown(failure) + (next ?? "")
        }
        guard let seconds = sink.writingSeconds, seconds >= Self.longWrite else { return nil }
        return "has been writing for \(HumanQuantity.duration(seconds: seconds))"
    }

    /// A write that takes so long, in seconds, is worth a word.
    private static let longWrite = 10.0

    private var accounts: String {
        let ingest = report.ledger.ingest
        let journal = report.journal
        var text = "journal: \(journal.isInMemory ? "in memory, " : "")"
        text += "\(HumanQuantity.size(bytes: journal.bytes)), "
        text += "\(journal.waiting) records wait to be committed"
        if let failure = journal.failure {
            let what = journal.isDiskFull ? "the disk is full" : "cannot write"
            text += "\n  " + painter.paint("\(what): \(shown(failure))", .bad)
        }
        if let damage = journal.damage {
            text += "\n  " + painter.paint("was damaged: \(shown(damage))", .doubtful)
        }
        text += """

            ledger: \(ingest.converted) converted = \(ingest.implausible) implausible + \
            \(ingest.duplicate) duplicate + \(ingest.unaccepted) not accepted + \
            \(ingest.published) published; 
            """
        text +=
            report.ledger.imbalances.isEmpty
            ? "it balances" : painter.paint("it does not balance", .bad)
        for imbalance in report.ledger.imbalances { text += "\n  \(shown(imbalance))" }
        return text + "\n"
    }

    private func link(_ device: StatusReport.Device) -> TextTable.Cell {
        let style: Painter.Style =
            switch LinkState(rawValue: device.link) {
            case .live: .good
            case .backOff: .bad
            case .idle: .plain
            default: .doubtful
            }
        return TextTable.Cell(shown(device.link), style)
    }

    private func contact(_ device: StatusReport.Device) -> TextTable.Cell {
        switch device.contact {
        case true?: TextTable.Cell("yes")
        case false?: TextTable.Cell("no", .doubtful)
        case nil: TextTable.Cell("-")
        }
    }

    private func battery(_ device: StatusReport.Device) -> TextTable.Cell {
        guard let charge = device.battery else { return TextTable.Cell("-") }
        return TextTable.Cell(
            HumanQuantity.percent(charge), charge < Self.lowBattery ? .doubtful : .plain)
    }

    private func state(_ failure: String?) -> TextTable.Cell {
        failure == nil ? TextTable.Cell("healthy", .good) : TextTable.Cell("failing", .bad)
    }

    /// Less than this should be charged soon.
    private static let lowBattery = 0.15

    private static func ago(_ seconds: Double) -> String {
        "\(HumanQuantity.duration(seconds: seconds)) ago"
    }

    /// `damaged 3, unknown 1`.
    private static func list(_ counts: [String: Int64]) -> String {
        let parts = counts.sorted { $0.key < $1.key }.map {
            "\(LogFormat.escaped($0.key)) \($0.value)"
        }
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }

    /// A text from elsewhere, without what could drive a terminal.
    private func shown(_ text: String?) -> String {
        text.flatMap { $0.isEmpty ? nil : LogFormat.escaped($0) } ?? "-"
    }
}
