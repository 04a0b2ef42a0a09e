import GatewayCore
package import Serial

/// The serial ports that the sources read.
package struct PortFacts: Area {
    /// A program that has a port open or locked.
    package struct Holder: Equatable, Sendable {
        package var process: Int
        /// Its name; nil when it is not known.
        package var name: String?
    }

    /// A port of a source.
    package struct Port: Sendable {
        /// The path, or the name of the source when no port has its identity.
        package var name: String
        package var problem: SerialError?
        /// Another program that uses the port.
        package var holder: Holder?
        /// The group that may open it and to which this user belongs since the login.
        package var inactiveGroup: String?
        /// Whether it is a USB port, for which there are udev rules.
        package var isUSB = false
    }

    package var ports: [Port] = []
    /// Whether the udev rules of Pulsegate are installed.
    package var hasRules = true

    var findings: [Finding] { ports.compactMap(finding) + rules }

    private func finding(_ port: Port) -> Finding? {
        if let problem = port.problem { return finding(problem, port) }
        guard let holder = port.holder else { return nil }
        let error = SerialError.busy(path: port.name).linkError
        let name = holder.name.map { ", \($0)" } ?? ""
        let fix =
            holder.name == "ModemManager"
            ? Fix(command: "sudo systemctl disable --now ModemManager")
            : Fix(command: "kill \(holder.process)")
        return Finding(
            .portBusy, "\(error.problem) (process \(holder.process)\(name))", subject: port.name,
            fix: fix)
    }

    private func finding(_ problem: SerialError, _ port: Port) -> Finding {
        let error = problem.linkError
        var kind = Self.kind(of: problem)
        var fix = error.remedy.map(Fix.init(remedy:)) ?? Fix(instruction: "check the device")
        var text = error.problem
        if kind == .portDenied, let group = port.inactiveGroup {
            kind = .groupNotActive
            text += "; this user is in the group \(group), but this login is older than that"
            fix = Fix(command: "exec newgrp \(group)", note: "or log out and in again")
        }
        return Finding(kind, text, subject: port.name, fix: fix)
    }

    private static func kind(of problem: SerialError) -> Finding.Kind {
        switch problem {
        case .noSuchPort, .unplugged, .noPortMatches: .portMissing
        case .permissionDenied: .portDenied
        case .busy: .portBusy
        default: .portUnusable
        }
    }

    private var rules: [Finding] {
        guard !hasRules, ports.contains(where: \.isUSB) else { return [] }
        return [
            Finding(
                .udevRulesMissing,
                "the udev rules of Pulsegate are not installed, so ModemManager may write to serial "
                    + "ports, and their names can change",
                fix: Fix(
                    command: "sudo cp udev-rules/70-pulsegate.rules /etc/udev/rules.d/ && "
                        + "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=tty",
                    note: "in the folder of the sources"))
        ]
    }

    var well: [String] {
        ports.filter { finding($0) == nil }.map { "port \($0.name): this user may open it" }
    }
}
