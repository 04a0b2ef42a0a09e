import GatewayCore
import JSON

/// The configuration of `run --simulate`: a simulated strap and pedometer with a separate store, and
/// optionally JSON lines on standard output, or with the configured sinks.
package enum SimulationSetup {
    /// The `use` of the source that simulates devices.
    package static let simulatorUse = "simulator"
    /// The name of the sink that prints samples; it ends with its run.
    package static let linesName = "lines"

    /// Returns the configuration.
    static func configuration(
        _ simulation: GatewayHost.Simulation, of plan: GatewayPlan
    ) -> GatewayConfiguration {
        var configuration =
            simulation == .configuredSinks
            ? plan.configuration : GatewayConfiguration(types: plan.configuration.types)
        configuration.sources = sources
        switch simulation {
        case .configuredSinks: break
        case .store: configuration.sinks = Assembly.defaultSinks
        case .storeAndLines: configuration.sinks = Assembly.defaultSinks + [lines]
        }
        return configuration
    }

    private static let lines = GatewayConfiguration.Component(
        name: linesName, use: GatewayPlan.standardOutputUse, section: "sinks")

    private static let sources = [
        source("strap", ["devices": .object(["heartRateStrap": .number(1)])]),
        source("foot", ["devices": .object(["pedometer": .number(1)]), "faults": pedometerFaults]),
    ]

    /// A pedometer on a cable has a corrupt line now and then.
    private static let pedometerFaults = JSONValue.object([
        "damagedPackets": .object(["every": .string("60s")])
    ])

    private static func source(
        _ name: String, _ settings: [String: JSONValue]
    ) -> GatewayConfiguration.Component {
        let settings = settings.merging(["use": .string(simulatorUse)]) { own, _ in own }
        return GatewayConfiguration.Component(
            name: name, use: simulatorUse,
            settings: ConfigurationNode(path: "simulation.\(name)", value: .object(settings)))
    }
}
