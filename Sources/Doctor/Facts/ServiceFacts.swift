import Platform

/// The unit `pulsegate.service` of systemd, as `systemctl show` prints it.
package struct ServiceFacts: Area {
    /// Which systemd has the unit.
    package enum Scope: Sendable {
        case system, user
    }

    /// The properties to ask for.
    package static let properties = [
        "LoadState", "ActiveState", "SubState", "Result", "NRestarts", "ExecMainStatus", "MainPID",
        "UnitFileState", "User", "StateDirectory", "ActiveEnterTimestampMonotonic",
        "FragmentPath",
    ]
    /// The number of restarts that is a loop, when the last one is not long ago.
    private static let restartLimit = 3
    /// The time, in seconds, after which a restarted service is no longer in a loop.
    private static let calmSeconds = 300.0

    package var scope: Scope
    /// The properties by name.
    package var values: [String: String]
    /// The seconds since boot, on the clock that systemd uses.
    package var uptimeSeconds = 0.0
    /// The process that uses the data directory of the unit, when it is not the unit's.
    package var otherOwner: Int?

    /// Reads the lines `NAME=VALUE`; nil for a unit that is not installed.
    package init?(_ output: String, scope: Scope, uptimeSeconds: Double) {
        values = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
        }
        guard values["LoadState"] == "loaded" else { return nil }
        self.scope = scope
        self.uptimeSeconds = uptimeSeconds
    }

    /// The main process; nil while there is none.
    package var process: Int? {
        values["MainPID"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The user that it runs as.
    package var user: String { values["User"].flatMap { $0.isEmpty ? nil : $0 } ?? "root" }

    /// Whether systemd has it running.
    package var isActive: Bool { values["ActiveState"] == "active" }

    private var isOfPackage: Bool {
        ["/usr/lib/", "/lib/"].contains { values["FragmentPath"]?.hasPrefix($0) == true }
    }

    /// The name of the unit in messages.
    private var name: String {
        scope == .system ? "pulsegate.service" : "the user's pulsegate.service"
    }

    private func systemctl(_ words: String) -> String {
        scope == .system ? "sudo systemctl \(words)" : "systemctl --user \(words)"
    }

    private var log: String {
        let unit = scope == .system ? "sudo journalctl -u" : "journalctl --user -u"
        return "\(unit) pulsegate -n 30 --no-pager"
    }

    var findings: [Finding] { loop ?? state }

    private var loop: [Finding]? {
        let restarts = values["NRestarts"].flatMap { Int($0) } ?? 0
        let entered = (values["ActiveEnterTimestampMonotonic"].flatMap { Double($0) } ?? 0) / 1e6
        let isNew = isActive && uptimeSeconds - entered < Self.calmSeconds
        guard values["SubState"] == "auto-restart" || restarts >= Self.restartLimit && isNew else {
            return nil
        }
        return [
            Finding(
                .serviceRestarting,
                "\(name) ends again and again, and systemd has restarted it "
                    + "\(restarts) times; \(ending)", subject: name, fix: endingFix)
        ]
    }

    private var state: [Finding] {
        let isEnabled = values["UnitFileState"] == "enabled"
        switch values["ActiveState"] {
        case "failed":
            return [
                Finding(
                    .serviceFailed, "\(name) has failed; \(ending)", subject: name, fix: endingFix)
            ]
        case "inactive" where isEnabled:
            return [
                Finding(
                    .serviceStopped, "\(name) is enabled, but not started", subject: name,
                    fix: Fix(command: systemctl("start pulsegate")))
            ]
        // Every user has the unit of a package, and few run it.
        case "inactive" where scope == .user && isOfPackage: return []
        case "inactive":
            return [
                Finding(
                    .serviceDisabled, "\(name) is installed, but neither enabled nor started",
                    subject: name, fix: Fix(command: systemctl("enable --now pulsegate")))
            ]
        case "active" where values["UnitFileState"] == "disabled":
            return [
                Finding(
                    .serviceDisabled, "\(name) runs, but does not start at the next boot",
                    subject: name, fix: Fix(command: systemctl("enable pulsegate")))
            ]
        default: return []
        }
    }

    /// How its last process ended.
    private var ending: String {
        if let otherOwner {
            return "process \(otherOwner) uses its data directory"
        }
        switch (values["Result"], values["ExecMainStatus"]) {
        case (_, "78"?): return "its configuration is wrong"
        case (_, "64"?): return "its command line is wrong"
        case ("watchdog"?, _): return "it did not answer the watchdog in time"
        case ("oom-kill"?, _): return "the machine has run out of memory"
        case ("timeout"?, _): return "it did not start or stop in time"
        case (_, "0"?), (_, nil): return "its log has the reason"
        case (_, let status?): return "its last process ended with status \(status)"
        }
    }

    private var endingFix: Fix {
        if let otherOwner {
            return Fix(
                command: "sudo kill \(otherOwner); \(systemctl("restart pulsegate"))")
        }
        guard values["ExecMainStatus"] != "78" || scope == .user else {
            return Fix(
                command: "sudo -u \(ShellWord.quoted(user)) pulsegate check",
                note: "then \(systemctl("restart pulsegate"))")
        }
        return Fix(command: log, note: "then \(systemctl("restart pulsegate"))")
    }

    var well: [String] {
        guard isActive, loop == nil else { return [] }
        return ["service: \(name) is active\(process.map { ", process \($0)" } ?? "")"]
    }
}
