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

    init(_ trial: Trial, of role: ProgramRole, warnings: Int) {
        counts = trial.counts.map { ($0.key, $0.value) }.sorted { $0.type < $1.type }
        var findings = trial.findings(role)
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
}
