package import GatewayHost
import Platform
package import Terminal
import WorkoutScreens

/// The picture of `pulsegate top`: devices, sinks and the process, with their rates.
package struct TopText: Sendable {
    /// The order of the devices.
    package enum Order: CaseIterable, Sendable {
        /// By source and device, as in `status`.
        case device
        /// The fastest first.
        case rate
        /// Those that were not seen for longest first.
        case silence

        /// The order after this one.
        package var next: Order {
            let all = Self.allCases
            return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
        }

        var word: String {
            switch self {
            case .device: "device"
            case .rate: "rate"
            case .silence: "last seen"
            }
        }
    }

    private let report: StatusReport
    private let rates: StatusRates
    private let order: Order
    private let painter: Painter
    private let characters: TerminalCharacters
    /// What is shown in place of the status, such as that the gateway has ended; nil for nothing.
    private let notice: String?

    /// Makes the picture of a report.
    package init(
        _ report: StatusReport, rates: StatusRates, order: Order, notice: String? = nil,
        painter: Painter, characters: TerminalCharacters
    ) {
        self.report = report
        self.rates = rates
        self.order = order
        self.notice = notice
        self.painter = painter
        self.characters = characters
    }

    /// The number of lines that can be scrolled away.
    package func scrollLimit(columns: Int, rows: Int) -> Int {
        max(body(columns: columns).count - bodyRows(rows), 0)
    }

    /// The lines of the picture.
    ///
    /// - Parameter scroll: The number of lines of the tables that are scrolled away.
    package func lines(columns: Int, rows: Int, scroll: Int) -> [String] {
        let body = body(columns: columns)
        let count = bodyRows(rows)
        let first = min(scroll, max(body.count - count, 0))
        var visible = Array(body.dropFirst(first).prefix(count))
        while visible.count < count { visible.append("") }
        let rest = body.count - first - count
        return head(columns) + visible + [foot(columns, hidden: max(rest, 0))]
    }

    /// The head has two lines and an empty one, the foot one.
    private func bodyRows(_ rows: Int) -> Int { max(rows - 4, 1) }

    private func head(_ columns: Int) -> [String] {
        let first = heads.first { $0.width <= columns } ?? heads[heads.count - 1]
        return [shown(first, columns), shown(second, columns), ""]
    }

    /// The first line, and shorter ones for a narrow terminal, which keep the figures.
    private var heads: [StyledLine] {
        let version = StatusCells.shown(report.version)
        let uptime = HumanQuantity.duration(seconds: report.uptimeSeconds)
        let names = [
            "pulsegate \(version), running for \(uptime)", "pulsegate \(version)", "pulsegate",
        ]
        let figures = figures.map { "  \($0)" }.joined()
        return names.map { name in
            var line = StyledLine(name, .heading)
            line.append(figures)
            return line
        }
    }

    private var figures: [String] {
        var parts: [String] = []
        if let rate = rates.published { parts.append("\(Self.rate(rate)) records/s") }
        if let share = rates.processorShare { parts.append("processor \(Self.share(share))") }
        if let usage = report.usage {
            parts.append("memory \(HumanQuantity.size(bytes: usage.residentBytes))")
        }
        return parts
    }

    /// The journal and the clock, or a notice.
    private var second: StyledLine {
        if let notice { return StyledLine(notice, .warning) }
        let journal = report.journal
        if let failure = journal.failure { return StyledLine("journal: \(failure)", .bad) }
        var parts: [String] = []
        if !report.ledger.imbalances.isEmpty { parts.append("ledger: not balanced") }
        if report.clock.state != "set" { parts.append("clock: \(report.clock.state)") }
        if report.countsRecords {
            parts.append("journal: \(journal.waiting) not committed yet")
            parts.append(HumanQuantity.size(bytes: journal.bytes))
        }
        return StyledLine(parts.joined(separator: ", "))
    }

    private func foot(_ columns: Int, hidden: Int) -> String {
        var line = StyledLine("q quit  s sort (\(order.word))  j down  k up", .dim)
        if hidden > 0 { line.append("  \(hidden) more lines", .warning) }
        return shown(line, columns)
    }

    private func shown(_ line: StyledLine, _ columns: Int) -> String {
        line.cut(to: columns).text(painter, characters)
    }

    // MARK: Tables

    private func body(columns: Int) -> [String] {
        let width = TerminalWidth(columns: columns, characters: characters)
        let tables = [devices, sinks, failures].compactMap(\.self)
        return tables.map { $0.text(painter, within: width, lower: .wrapped(.dim)) }
            .joined(separator: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private var devices: TextTable? {
        guard !report.devices.isEmpty else { return nil }
        var table = TextTable(
            ["DEVICE", "NAME", "PERSON", "LINK", "CONTACT", "BATTERY", "RECORDS/S", "LAST SEEN"],
            right: 6..<7, lower: ["PERSON", "BATTERY", "CONTACT", "NAME", "LAST SEEN"])
        for device in ordered {
            table.add(
                [
                    .init(StatusCells.shown(device.identifier)),
                    .init(StatusCells.shown(device.name)),
                    .init(StatusCells.shown(device.person)), StatusCells.link(device),
                    StatusCells.contact(device), StatusCells.battery(device),
                    .init(Self.text(rates.records(of: device))),
                    .init(device.silentSeconds.map(StatusCells.ago) ?? "never"),
                ], note: device.reason.map { StatusCells.shown($0) })
        }
        return table
    }

    private var ordered: [StatusReport.Device] {
        switch order {
        case .device: return report.devices
        case .rate:
            let rated = report.devices.map { ($0, rates.records(of: $0) ?? -1) }
            return rated.sorted { $0.1 > $1.1 }.map(\.0)
        case .silence:
            let never = Double.infinity
            return report.devices.sorted {
                ($0.silentSeconds ?? never) > ($1.silentSeconds ?? never)
            }
        }
    }

    private var sinks: TextTable? {
        guard !report.sinks.isEmpty else { return nil }
        var table = TextTable(
            ["SINK", "STATE", "RECORDS/S", "PENDING", "LAG"], right: 2..<4, lower: ["LAG"])
        for sink in report.sinks {
            table.add(
                [
                    .init(StatusCells.shown(sink.part.name)), StatusCells.state(sink.part.failure),
                    .init(Self.text(rates.delivered(to: sink))),
                    report.countsRecords ? .init(sink.pending) : .init("-"),
                    .init(StatusCells.lag(sink)),
                ], note: sink.part.failure.map { StatusCells.shown($0) })
        }
        return table
    }

    /// The sources and services that do not work; nil when all do.
    private var failures: TextTable? {
        let failing = (report.sources + report.services).filter { $0.failure != nil }
        guard !failing.isEmpty else { return nil }
        var table = TextTable(["SOURCE OR SERVICE", "STATE"])
        for part in failing {
            table.add(
                [.init(StatusCells.shown(part.name)), StatusCells.state(part.failure)],
                note: part.failure.map { StatusCells.shown($0) })
        }
        return table
    }

    // MARK: Numbers

    private static func text(_ rate: Double?) -> String { rate.map(Self.rate) ?? "-" }

    /// `0.3`, `12`, `1840`.
    private static func rate(_ rate: Double) -> String {
        rate < 9.95 ? HumanQuantity.rounded((rate * 10).rounded() / 10) : "\(Int64(rate.rounded()))"
    }

    /// `0.4 %`.
    private static func share(_ share: Double) -> String {
        "\(HumanQuantity.rounded((share * 1_000).rounded() / 10)) %"
    }
}
