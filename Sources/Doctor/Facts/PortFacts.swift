import GatewayCore
import Platform
package import Serial

/// The serial ports that the sources read.
package struct PortFacts: Area {
    /// A program that has a port open or locked.
    package struct Holder: Equatable, Sendable {
        package var process: Int
        /// Its name; nil when it is not known.
        package var name: String?
        /// Whether it was seen to have the port open; otherwise it holds a lock.
        package var hasPortOpen = true
    }

    /// A port of a source.
    package struct Port: Sendable {
        /// The path, or the name of the source when no port has its identity.
        package var name: String
        package var problem: SerialError?
        /// Another program that uses the port.
        package var holder: Holder?
        /// A lock file that names the port, when no program was seen that uses it.
        ///
        /// Any user can write such a file, so what is in it is not believed.
        package var lockFile: String?
        /// Whether the running gateway receives from the port.
        package var isLive = false
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
        guard let holder = port.holder else { return port.lockFile.map { noted($0, port) } }
        let problem =
            port.isLive
            ? "\(port.name): another program has the port open too"
            : SerialError.busy(path: port.name).linkError.problem
        let name = holder.name.map { ", \($0)" } ?? ""
        return Finding(
            .portBusy, "\(problem) (process \(holder.process)\(name))", subject: port.name,
            severity: port.isLive ? .advice : nil, fix: end(of: holder))
    }

    private func noted(_ lockFile: String, _ port: Port) -> Finding {
        Finding(
            .portBusy, "\(port.name): a lock file names the port: \(lockFile)",
            subject: port.name, severity: .advice,
            fix: Fix(
                instruction: "end the program that uses the port; without one, remove the lock file"
            ))
    }

    /// How to end a program; a command only for one that was seen at the port.
    private func end(of holder: Holder) -> Fix {
        if holder.name == "ModemManager" {
            return Fix(command: "sudo systemctl disable --now ModemManager")
        }
        guard holder.hasPortOpen, holder.process > 1, let name = holder.name else {
            return Fix(
                instruction: "end the program \(holder.name.map { "\($0) " } ?? "")"
                    + "(process \(holder.process))")
        }
        return Fix(command: "kill \(holder.process)", note: "ends the program \(name)")
    }

    private func finding(_ problem: SerialError, _ port: Port) -> Finding {
        let error = problem.linkError
        var kind = Self.kind(of: problem)
        var fix = Fix(error, otherwise: Fix(instruction: "check the device"))
        var text = error.problem
        if kind == .portDenied, let group = port.inactiveGroup {
            kind = .groupNotActive
            text += "; this user is in the group \(group), but this login is older than that"
            fix = Fix(
                command: "exec newgrp \(ShellWord.quoted(group))", note: "or log out and in again")
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
