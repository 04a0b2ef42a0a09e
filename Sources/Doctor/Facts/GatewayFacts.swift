import Bluetooth
import GatewayCore
package import GatewayHost
import Platform
import StatusScreens
import WorkoutScreens

/// The gateway of the data directory.
package struct GatewayFacts: Area {
    /// Whether it answers.
    package enum State: Sendable {
        /// Nobody has looked.
        case unknown
        /// None runs.
        case stopped
        /// It has answered.
        case running(StatusReport)
        /// It runs, and does not answer: why.
        case silent(reason: String, process: Int?)
        /// Its socket belongs to a group to which this user does not.
        case forbidden(group: String)
        /// The lock of the data directory cannot be used.
        case unusableLock(reason: String)
    }

    package var state = State.unknown
    /// Whether systemd has it running or keeps restarting it: the unit has its own findings.
    package var isOfService = false
    /// The command that starts it.
    package var start = "pulsegate run"

    /// The groups of this login, when the gateway is this user's: it may have been started before the user joined
    /// them.
    package var groups: Set<String> = []
    /// How the gateway gets the groups of this login.
    package var restart = Fix(instruction: "restart the gateway from this login")

    /// The status; nil when it does not answer.
    package var report: StatusReport? {
        if case .running(let report) = state { report } else { nil }
    }

    /// The sources with a device that sends.
    package var liveSources: Set<String> {
        let live = (report?.devices ?? []).filter { LinkState(rawValue: $0.link) == .live }
        return Set(live.map(\.source))
    }

    /// The sinks that it cannot deliver to.
    package var failingSinks: Set<String> {
        Set((report?.sinks ?? []).filter { $0.part.failure != nil }.map(\.part.name))
    }

    var findings: [Finding] {
        switch state {
        case .unknown: []
        case .running(let report): findings(report)
        case .stopped:
            isOfService
                ? []
                : [Finding(.gatewayNotRunning, "no gateway is running", fix: Fix(command: start))]
        case .silent(let reason, let process):
            [
                Finding(
                    .gatewaySilent, reason,
                    fix: process.map {
                        Fix(command: "kill \($0)", note: "then start it again: \(start)")
                    } ?? Fix(instruction: "restart the gateway"))
            ]
        case .forbidden(let group):
            [
                Finding(
                    .notInGroup,
                    "a gateway runs, and this user is not in the group \(group) that may ask it",
                    fix: Fix(
                        command: "sudo usermod -aG \(ShellWord.quoted(group)) $USER",
                        note: "then log in again"))
            ]
        case .unusableLock(let reason):
            [finding(.otherGateway, reason, otherwise: "remove the lock file")]
        }
    }

    private func finding(
        _ kind: Finding.Kind, _ reason: String, subject: String? = nil, otherwise: String
    ) -> Finding {
        let (problem, fix) = Fix.split(reason, otherwise: otherwise)
        return Finding(kind, problem, subject: subject, fix: fix)
    }

    private func findings(_ report: StatusReport) -> [Finding] {
        report.devices.compactMap { finding($0, report) }
            + report.sources.compactMap { source in
                source.failure.map { finding($0, ofSource: source.name) }
            }
            + report.sinks.compactMap { sink in
                sink.part.failure.map {
                    finding(
                        .sinkFailing, $0, subject: sink.part.name,
                        otherwise: "check the sink \(sink.part.name)")
                }
            }
            + report.services.compactMap { service in
                service.failure.map {
                    finding(
                        .interfaceFailing, $0, subject: service.name,
                        otherwise: "check the service \(service.name)")
                }
            } + journal(report.journal)
    }

    private func finding(_ reason: String, ofSource source: String) -> Finding {
        let found = finding(
            CentralProblem.isShortage(reason) ? .adapterFull : .sourceFailing, reason,
            subject: source, otherwise: "check the device of \(source)")
        // `sudo usermod -aG dialout $USER`
        let words = (found.fix.command ?? "").split(separator: " ")
        guard words.starts(with: ["sudo", "usermod", "-aG"]), words.count > 3,
            groups.contains(String(words[3]))
        else { return found }
        return Finding(
            .groupNotActive,
            "\(found.text); this user is in the group \(words[3]), but the gateway was started before that",
            subject: source, fix: restart)
    }

    private func journal(_ journal: StatusReport.Journal) -> [Finding] {
        var found: [Finding] = []
        if let failure = journal.failure {
            found.append(
                finding(
                    journal.isDiskFull ? .diskFull : .journalFailing, failure, subject: "journal",
                    otherwise: "check the disk"))
        }
        if let damage = journal.damage {
            found.append(
                finding(
                    .journalDamaged, damage, subject: "journal",
                    otherwise: "check the disk; what was intact is kept"))
        }
        return found
    }

    /// The finding of a device; none when its source has one that explains it.
    private func finding(_ device: StatusReport.Device, _ report: StatusReport) -> Finding? {
        let reason = device.reason ?? "the link is \(device.link)"
        let text = "\(device.identifier): \(reason)"
        if reason.contains(text: "pulsegate pair") {
            let kind: Finding.Kind =
                reason.contains(text: "bluetoothctl remove") ? .pairingLost : .pairingNeeded
            return finding(kind, text, subject: device.identifier, otherwise: "")
        }
        if LinkState(rawValue: device.link) == .quarantined {
            return finding(
                .deviceQuarantined, text, subject: device.identifier,
                otherwise: "pulsegate adopt \(ShellWord.quoted(device.identifier))")
        }
        let isExplained = report.sources.contains { $0.name == device.source && $0.failure != nil }
        guard !isExplained, let remedy = DeviceRemedy.text(for: device) else { return nil }
        return Finding(
            .deviceNotConnected, text, subject: device.identifier, fix: Fix(remedy: remedy))
    }

    var well: [String] {
        guard let report else { return [] }
        let live = report.devices.filter { LinkState(rawValue: $0.link) == .live }.count
        let time = HumanQuantity.duration(seconds: report.uptimeSeconds)
        return [
            "gateway: process \(report.processID), running for \(time); "
                + "devices that send: \(live) of \(report.devices.count)"
        ] + (report.journal.failure == nil ? ["records: \(Self.records(report))"] : [])
    }

    private static func records(_ report: StatusReport) -> String {
        guard report.countsRecords else { return "accepted by the gateway" }
        let sinks = report.sinks.filter { $0.part.failure == nil }.map {
            "\($0.outcome.delivered) in \($0.part.name)"
        }
        return "\(report.ledger.ingest.published) accepted, stored: "
            + (sinks.isEmpty ? "none" : sinks.joined(separator: ", "))
    }
}
