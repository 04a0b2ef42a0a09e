import GatewayCore
package import GatewayHost
import Glibc
import HealthModel
import Platform
import SQLiteStore

/// Finds out why there is no data.
///
/// Every wait has a limit, and nothing is changed but a small file that is written and removed in
/// the data directory of this user.
package struct Doctor: Sendable {
    private let system: DoctorSystem
    private let plugins: Plugins
    private let option: String?

    /// Makes a doctor for a machine.
    ///
    /// - Parameter option: The path of the configuration that the user names.
    package init(_ system: DoctorSystem, plugins: Plugins, configuration option: String?) {
        self.system = system
        self.plugins = plugins
        self.option = option
    }

    /// Collects the facts and judges them.
    package func examine() async throws(HostError) -> DoctorReport {
        let facts = try await facts()
        return DoctorReport(facts)
    }

    /// Collects the facts.
    package func facts() async throws(HostError) -> Facts {
        var facts = Facts()
        facts.hasSystemd = system.has(ServicesCheck.systemd)
        let configuration = try ConfigurationCheck(system: system, plugins: plugins, option: option)
            .read(into: &facts.configuration)
        let (plan, folder) = (configuration.plan, configuration.folder)
        let sources = plan.configuration.sources ?? []
        facts.configuration.isOfService = folder.isOfService
        facts.clock = ClockFacts(now: system.now(), isSynchronized: system.isSynchronized())
        facts.gateway.state = await GatewayCheck(folder: folder, clock: system.clock).state()
        let report = facts.gateway.report
        facts.ports = PortsCheck(
            system: system,
            ownProcesses: Set([report.map { Int($0.processID) }].compactMap(\.self)),
            liveSources: facts.gateway.liveSources
        ).facts(sources)
        facts.storage = await StorageCheck(
            folder: folder, isRunning: report != nil, clock: system.clock
        ).facts()
        // These wait for other programs.
        async let services = ServicesCheck(system: system).facts()
        let areNamed = facts.configuration.namesSources
        async let bluetooth = BluetoothCheck(system: system).facts(sources, areNamed: areNamed)
        if !folder.isOfAnotherUser {
            facts.permissions = PermissionsCheck(file: plan.file, folder: folder).facts()
            await check(configuration, report, into: &facts)
        }
        facts.bluetooth = await bluetooth
        facts.services = await services
        relate(&facts, plan)
        return facts
    }

    /// Checks the sinks and the devices, whose files are this user's.
    private func check(
        _ configuration: ConfigurationCheck.Result, _ report: StatusReport?, into facts: inout Facts
    ) async {
        let components = configuration.plan.configuration.sinks ?? Assembly.defaultSinks
        let results = await SinksCheck(
            folder: configuration.folder, clock: system.clock
        ).results(configuration.sinks, components)
        for result in results {
            switch result {
            case .facts(var sink):
                sink.isFailing = facts.gateway.failingSinks.contains(sink.name)
                facts.sinks.append(sink)
            case .flaw(let flaw): facts.configuration.flaws.append(flaw)
            case .nothing: break
            }
        }
        guard facts.clock.isSet, let now = facts.clock.now else { return }
        facts.devices = await DevicesCheck(
            plan: configuration.plan, report: report, now: now, clock: system.clock
        ).facts()
    }

    /// Relates what the checks have found separately.
    private func relate(_ facts: inout Facts, _ plan: GatewayPlan) {
        if let service = facts.services.first(where: { $0.scope == .system }) {
            facts.gateway.start = "sudo systemctl start pulsegate"
            let isStopped = if case .stopped = facts.gateway.state { true } else { false }
            if let directory = ServicesCheck.directory(of: service), directory != plan.folder.path,
                isStopped, facts.configuration.sources?.isEmpty == true
            {
                facts.storage.serviceDirectory = (directory, service.user)
            }
        } else if !facts.services.isEmpty {
            facts.gateway.start = "systemctl --user start pulsegate"
        }
        if let process = facts.gateway.report?.processID {
            let login = LoginGroups(system: system)
            facts.gateway.groups = login.names(besideProcess: Int(process))
            if facts.services.contains(where: { $0.scope == .user && $0.isActive }) {
                facts.gateway.restart = login.restartOfManager
            }
        }
        facts.gateway.isOfService = facts.services.contains {
            $0.isActive || !$0.findings.isEmpty
        }
    }
}
