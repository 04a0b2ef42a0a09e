import GatewayCore
import GatewayHost
import Platform
import Readings
import Terminal

/// What a check of a program has found, as text.
struct ProgramReport {
    /// The problems, each with what to do.
    let findings: [String]
    private let counts: [(type: String, count: Int)]

    init(_ trial: Trial, of role: ProgramCheck.Role, warnings: Int) {
        counts = trial.counts.map { ($0.key, $0.value) }.sorted { $0.type < $1.type }
        let own =
            role == .sink
            ? Self.undelivered(trial.ledger)
            : Self.discarded(trial.status) + Self.nothing(trial.counts)
        var findings = Self.failures(trial.status) + own
        if findings.isEmpty, warnings > 0 {
            findings.append("\(warnings) warnings; see the log above")
        }
        self.findings = findings
    }

    /// The records by type, and the findings.
    var text: String {
        var table = TextTable(["TYPE", "RECORDS"], right: 1..<2)
        for entry in counts { table.add([.init(entry.type), .init(Int64(entry.count))]) }
        let lines = findings.map { "finding: \(LogFormat.escaped($0))\n" }.joined()
        let end = findings.isEmpty ? "no findings\n" : lines
        return (counts.isEmpty ? "" : table.text(Painter.plain)) + end
    }

    private static func failures(_ status: GatewayStatus) -> [String] {
        status.sources.compactMap(\.failure) + status.sinks.compactMap(\.failure)
    }

    private static func discarded(_ status: GatewayStatus) -> [String] {
        status.devices.flatMap { device in
            device.drops.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
                "\(device.identifier): \(count) lines or packets discarded: \(reason.rawValue)"
            }
                + device.faults.counts.map { key, count in
                    "\(device.identifier): \(count) readings of \(key.stream) rejected: \(key.fault.rawValue)"
                }
        }
    }

    private static func undelivered(_ ledger: Ledger) -> [String] {
        guard let sink = ledger.sinks["program"] else { return [] }
        let answered = sink.outcome.filtered + sink.outcome.delivered + sink.outcome.rejected
        let unanswered = ledger.ingest.published - sink.start - answered
        var findings: [String] = []
        if sink.outcome.rejected > 0 {
            findings.append("\(sink.outcome.rejected) records rejected by the program")
        }
        if unanswered > 0 {
            findings.append(
                "\(unanswered) records without an answer; print {\"ack\":N} for each batch N")
        }
        return findings
    }

    private static func nothing(_ counts: [String: Int]) -> [String] {
        guard counts.allSatisfy({ $0.key == "event" }) else { return [] }
        return ["no sample; print readings, and flush the standard output after each line"]
    }
}
