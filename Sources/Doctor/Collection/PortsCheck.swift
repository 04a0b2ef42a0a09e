import GatewayCore
import GatewayHost
import Glibc
import Platform
import Serial

/// Collects the facts about the serial ports of the sources, without opening a port.
struct PortsCheck: Sendable {
    private static let use = "serial"
    private static let ruleFolders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]
    private static let ruleFile = "pulsegate.rules"

    let system: DoctorSystem
    /// The processes whose use of a port is right: the gateway's.
    let ownProcesses: Set<Int>
    /// The sources from whose ports the gateway receives.
    let liveSources: Set<String>

    /// The facts about the ports of these sources.
    func facts(_ sources: [GatewayConfiguration.Component]) -> PortFacts {
        let ports = sources.filter { $0.use == Self.use }.compactMap(port)
        guard !ports.isEmpty else { return PortFacts() }
        var facts = PortFacts(ports: ports, hasRules: true)
        // Without udev, as in a container, there is nothing that reads rules.
        if system.has("/run/udev") || system.has("/usr/lib/udev/rules.d") {
            facts.hasRules = Self.ruleFolders.contains { folder in
                let names = (try? Folder.names(in: system.path(folder))) ?? []
                return names.contains { $0.hasSuffix(Self.ruleFile) }
            }
        }
        return facts
    }

    private func port(_ source: GatewayConfiguration.Component) -> PortFacts.Port? {
        do throws(SerialError) {
            guard let path = try PortCheck.path(source.settings) else { return nil }
            var port = port(at: path)
            port.isLive = liveSources.contains(source.name)
            return port
        } catch {
            return PortFacts.Port(name: source.name, problem: error)
        }
    }

    private func port(at path: String) -> PortFacts.Port {
        var port = PortFacts.Port(name: path, problem: PortCheck.problem(at: path))
        port.isUSB = isUSB(path)
        if case .permissionDenied(_, let group?, _)? = port.problem, isMember(ofListed: group) {
            port.inactiveGroup = group
        }
        guard port.problem == nil else { return port }
        let holders = PortHolders(system: system, ignoring: ownProcesses)
        port.holder = holders.holder(of: path)
        port.lockFile = holders.lockFile(of: path)
        return port
    }

    private func isUSB(_ path: String) -> Bool {
        let ports = (try? SerialPorts.list(lookingUpAccess: false)) ?? []
        return ports.contains {
            $0.vendor != nil && ($0.path == path || $0.links.contains(path))
        }
    }

    /// Whether the group file lists this user, which then gets the group at the next login.
    private func isMember(ofListed group: String) -> Bool {
        guard let text = try? TextFile.read(system.path("/etc/group")) else { return false }
        let user = AccountNames.user(geteuid())
        return text.split(separator: "\n").contains { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count == 4 && fields[0] == group
                && fields[3].split(separator: ",").contains { $0 == user }
        }
    }
}
