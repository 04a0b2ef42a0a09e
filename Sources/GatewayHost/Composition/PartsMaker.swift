package import GatewayCore
package import Platform

/// Makes the sources and the sinks that a plan names; nothing is opened.
package struct PartsMaker: Sendable {
    package let plugins: Plugins
    package let environment: Environment
    package let clock: any GatewayClock
    package let log: Logger
    private let standardOutput = LineOutput()

    package init(plugins: Plugins, environment: Environment, clock: any GatewayClock, log: Logger) {
        self.plugins = plugins
        self.environment = environment
        self.clock = clock
        self.log = log
    }

    /// Makes the parts.
    ///
    /// - Parameter mayReadNothing: Whether that is no mistake where nothing is adopted any more.
    /// - Throws: What is wrong with the configuration, or that there is nothing to read.
    package func parts(
        of plan: GatewayPlan, mayReadNothing: Bool = false
    ) throws(HostError) -> Gateway.Parts {
        let assembly = assembly(of: plan)
        let sources = try plan.makeSources(assembly)
        let sinks = try plan.makeSinks(assembly, besides: sources)
        let goesByAdoption = plan.file.configuration.sources == nil
        guard !sources.isEmpty || (mayReadNothing && goesByAdoption) else {
            throw noSource(in: plan)
        }
        return Gateway.Parts(
            sources: sources, sinks: sinks, types: plan.configuration.types)
    }

    /// Makes the sinks alone.
    package func sinks(of plan: GatewayPlan) throws(HostError) -> [Gateway.NamedSink] {
        try plan.makeSinks(assembly(of: plan), besides: [])
    }

    /// Makes the parts of the simulation.
    package func simulation(of plan: GatewayPlan, writesLines: Bool) throws(HostError)
        -> Gateway.Parts
    {
        let simulation = SimulationSetup(
            plugins: plugins, clock: clock, log: log, folder: plan.folder)
        do {
            let sinks = simulation.configuration(writesLines: writesLines)
            return Gateway.Parts(
                sources: try simulation.sources(), sinks: try assembly(of: plan).sinks(sinks))
        } catch {
            throw plan.file.failure(error)
        }
    }

    private func assembly(of plan: GatewayPlan) -> Assembly {
        Assembly(
            plugins: plugins, dataDirectory: plan.folder, environment: environment, clock: clock,
            log: log, adopted: plan.devices, standardOutput: standardOutput)
    }

    private func noSource(in plan: GatewayPlan) -> HostError {
        let place =
            plan.file.path ?? ConfigurationFile.defaultPlaces(environment).first
            ?? "the configuration"
        let reason =
            plan.file.configuration.sources == nil
            ? "no source is configured and no device is adopted"
            : "`sources` in \(place) names none"
        return HostError(
            .configuration,
            """
            nothing to read: \(reason).
              pulsegate devices                      shows the sensors and ports around
              pulsegate adopt ADDRESS                takes a Bluetooth sensor for yours
              pulsegate adopt PORT --protocol NAME   takes a serial port for yours
              pulsegate run --simulate               goes on without any device
            Or add a source to \(place), for example
              { sources: { foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "hxm" } } }
            """)
    }
}
