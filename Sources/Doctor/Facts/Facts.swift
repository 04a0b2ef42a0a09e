/// What was found out about the gateway and its machine, without judging it.
package struct Facts: Sendable {
    /// Whether systemd runs the machine, so that its commands work.
    package var hasSystemd = true
    package var configuration = ConfigurationFacts()
    package var storage = StorageFacts()
    package var permissions = PermissionFacts()
    package var services: [ServiceFacts] = []
    package var gateway = GatewayFacts()
    package var bluetooth: BluetoothFacts?
    package var devices = DeviceFacts()
    package var ports = PortFacts()
    package var sinks: [SinkFacts] = []
    package var clock = ClockFacts()

    /// Makes facts of which nothing is known.
    package init() {}

    private var areas: [any Area] {
        var areas: [any Area] = [configuration, storage, permissions]
        areas += services as [any Area]
        areas += [gateway] as [any Area]
        if let bluetooth { areas.append(bluetooth) }
        areas += [devices, ports] as [any Area]
        areas += sinks as [any Area]
        return areas + [clock]
    }

    /// What is well, a line for each.
    package var well: [String] { areas.flatMap(\.well) }
}

/// A part of the facts, and what follows from it alone.
protocol Area: Sendable {
    /// What is wrong, with its fix.
    var findings: [Finding] { get }
    /// What is well, a line for each.
    var well: [String] { get }
}

extension Doctor {
    /// What follows from the facts, problems first.
    ///
    /// A source or sink of the running gateway that fails for a reason with a finding of its own is
    /// not reported a second time.
    package static func judge(_ facts: Facts) -> [Finding] {
        let all = facts.findings
        let single = all.filter { finding in
            guard finding.kind.isReported else { return true }
            return !all.contains { other in
                !other.kind.isReported && other.severity == .problem
                    && (other.text == finding.text || other.subject == finding.subject)
            }
        }
        let kinds = Finding.Kind.allCases
        return [Finding.Severity.problem, .advice].flatMap { severity in
            kinds.flatMap { kind in
                single.filter { $0.severity == severity && $0.kind == kind }
            }
        }
    }
}

extension Facts {
    fileprivate var findings: [Finding] {
        let findings = areas.flatMap(\.findings)
        guard !hasSystemd else { return findings }
        return findings.map { finding in
            var finding = finding
            finding.fix = finding.fix.withoutSystemd
            return finding
        }
    }
}

extension Finding.Kind {
    /// Whether it repeats what a running gateway reports.
    fileprivate var isReported: Bool { self == .sourceFailing || self == .sinkFailing }
}
