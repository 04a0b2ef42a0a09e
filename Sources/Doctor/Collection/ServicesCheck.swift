import GatewayHost
import Glibc
import Platform

/// Asks systemd for the unit of the gateway: its own, and that of the user.
struct ServicesCheck: Sendable {
    /// It exists where systemd runs the machine (sd_booted(3)).
    static let systemd = "/run/systemd/system"
    private static let unit = "pulsegate.service"
    /// Where `StateDirectory` of a system unit is (systemd.exec(5)).
    private static let stateFolder = "/var/lib"

    let system: DoctorSystem

    /// The units that are installed.
    func facts() async -> [ServiceFacts] {
        guard system.has(Self.systemd) else { return [] }
        async let own = show(.system)
        async let users = show(.user)
        return [await own, await users].compactMap(\.self)
    }

    private func show(_ scope: ServiceFacts.Scope) async -> ServiceFacts? {
        if scope == .user, system.environment.folder("XDG_RUNTIME_DIR") == nil { return nil }
        let properties = ServiceFacts.properties.joined(separator: ",")
        let words =
            ["systemctl"] + (scope == .user ? ["--user"] : [])
            + ["show", Self.unit, "--no-pager", "--property=\(properties)"]
        guard let output = await system.run(words) else { return nil }
        let uptime = Double(SystemTime.monotonicMicroseconds()) / 1e6
        guard var facts = ServiceFacts(output, scope: scope, uptimeSeconds: uptime) else {
            return nil
        }
        if scope == .system, let path = Self.directory(of: facts) {
            let owner = GatewayCheck.process(of: DataDirectory(path: path))
            facts.otherOwner = owner == facts.process ? nil : owner
        }
        return facts
    }

    /// The data directory of a system unit; nil when it sets none.
    static func directory(of service: ServiceFacts) -> String? {
        guard service.scope == .system,
            let name = service.values["StateDirectory"]?.split(separator: " ").first
        else { return nil }
        return "\(stateFolder)/\(name)"
    }
}
