package import GatewayHost
import JSON
import Platform
package import Terminal

/// What the command `doctor` prints, and its exit status.
package struct DoctorReport: Sendable {
    /// The version of the JSON: a later one may add keys and kinds, but no key changes its meaning.
    private static let format: Int64 = 1

    /// What was found, problems first.
    package let findings: [Finding]
    /// What is well, a line for each.
    package let well: [String]

    /// Judges facts.
    package init(_ facts: Facts) {
        findings = Doctor.judge(facts)
        well = facts.well
    }

    /// Whether nothing was found that keeps records from being stored.
    package var dataFlows: Bool { !findings.contains { $0.severity == .problem } }

    /// 78 for a wrong configuration, 1 for any other problem, 0 without one.
    package var status: ExitStatus {
        if findings.contains(where: { $0.kind == .configurationInvalid }) { return .configuration }
        return dataFlows ? .success : .failure
    }

    /// A line for each finding and for each part that is well.
    package func text(_ painter: Painter) -> String {
        let found = findings.map { finding in
            let (mark, style): (String, Painter.Style) =
                finding.severity == .problem ? ("✗", .bad) : ("!", .warning)
            return painter.paint("\(mark) \(finding.kind.rawValue)", style)
                + ": \(LogFormat.escaped(finding.text)); fix: \(LogFormat.escaped(finding.fix.text))"
        }
        let fine = well.map { painter.paint("✓", .good) + " \(LogFormat.escaped($0))" }
        return (found + fine).map { "\($0)\n" }.joined()
    }

    /// One line of JSON.
    package var json: String {
        var json = JSONWriter()
        json.object { json in
            json.field("v", Self.format)
            json.field("dataFlows", dataFlows)
            json.objects("findings", findings) { finding, json in
                json.field("id", finding.kind.rawValue)
                json.field("severity", finding.severity.rawValue)
                json.field("subject", finding.subject)
                json.field("text", finding.text)
                json.field("command", finding.fix.command)
                json.field("note", finding.fix.note)
            }
            json.strings("well", well)
        }
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}
