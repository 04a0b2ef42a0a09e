package import GatewayCore
package import Platform

/// Makes the sources and sinks of a plan, without opening them.
package struct PartsMaker: Sendable {
    package let plugins: Plugins
    package let environment: Environment
    package let clock: any GatewayClock
    package let log: Logger
    private let standardOutput = LineOutput()
    /// The poller of the parts' descriptors.
    let poller = DescriptorPoller()
    /// The marks of the calls of adapters.
    let marks = CallMarks()
    /// The probes of the loops that must make progress.
    let probes = ProgressProbes()
    /// The devices that must not be read.
    let quarantine = Quarantine()
    /// The problems of Bluetooth that several components have.
    let radioProblems: RadioProblems

    /// Creates a maker for the built-in plugins.
    package init(plugins: Plugins, environment: Environment, clock: any GatewayClock, log: Logger) {
        self.plugins = plugins
        self.environment = environment
        self.clock = clock
        self.log = log
        radioProblems = RadioProblems(clock: clock, log: log)
    }

    /// Makes the sources and sinks.
    ///
    /// - Parameters:
    ///   - mayReadNothing: Whether an empty list of adopted devices is allowed.
    ///   - mayServeOnly: Whether services are enough.
    /// - Throws: ``HostError`` if the configuration is invalid, or names no source although one is needed.
    package func parts(
        of plan: GatewayPlan, mayReadNothing: Bool = false, mayServeOnly: Bool = true
    ) throws(HostError) -> Gateway.Parts {
        let assembly = assembly(of: plan)
        let sources = try plan.makeSources(assembly)
        let sinks = try plan.makeSinks(assembly, besides: sources)
        let usesAdoption = plan.file.configuration.sources == nil
        let serves = mayServeOnly && !plan.configuration.services.isEmpty
        guard !sources.isEmpty || serves || (mayReadNothing && usesAdoption) else {
            throw noSource(in: plan)
        }
        return Gateway.Parts(
            sources: sources, sinks: sinks, types: plan.configuration.types)
    }

    /// Makes the sinks only.
    package func sinks(of plan: GatewayPlan) throws(HostError) -> [Gateway.NamedSink] {
        try plan.makeSinks(assembly(of: plan), besides: [])
    }

    /// Makes the services.
    package func services(of plan: GatewayPlan) throws(HostError) -> [NamedService] {
        try plan.makeServices(assembly(of: plan))
    }

    /// Makes the sources and sinks of a simulation.
    package func simulation(
        _ simulation: GatewayHost.Simulation, of plan: GatewayPlan
    ) throws(HostError) -> Gateway.Parts {
        let configuration = SimulationSetup.configuration(simulation, of: plan)
        let assembly = assembly(of: plan)
        do {
            let parts = Gateway.Parts(
                sources: try assembly.sources(configuration),
                sinks: try assembly.sinks(configuration), types: plan.configuration.types)
            try SinkRules(sources: parts.sources, sinks: parts.sinks).check()
            return parts
        } catch {
            throw plan.file.failure(error)
        }
    }

    private func assembly(of plan: GatewayPlan) -> Assembly {
        Assembly(
            plugins: plugins, dataDirectory: plan.folder, environment: environment, clock: clock,
            log: log, adopted: plan.devices, standardOutput: standardOutput,
            poller: poller, marks: marks, probes: probes, quarantine: quarantine,
            radioProblems: radioProblems)
    }

    private func noSource(in plan: GatewayPlan) -> HostError {
        let place =
            plan.file.path ?? ConfigurationFile.defaultPlaces(environment).first
            ?? "the configuration"
        let reason =
            plan.file.configuration.sources == nil
            ? "no source is configured and no device is adopted"
            : "`sources` in \(place) is empty"
        return HostError(
            .configuration,
            """
            nothing to read: \(reason)
              pulsegate devices                      list sensors in range and serial ports
              pulsegate adopt ADDRESS                adopt a Bluetooth sensor
              pulsegate adopt PORT --protocol NAME   adopt a serial port
              pulsegate run --simulate               run with simulated sensors
            Or add a source to \(place), for example:
              { sources: { foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "hxm" } } }
            """)
    }
}
