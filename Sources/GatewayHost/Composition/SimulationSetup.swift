package import GatewayCore
import JSON

/// The configuration of `run --simulate`: a simulated strap and pedometer, a separate store, and
/// optionally JSON lines on standard output.
package enum SimulationSetup {
    /// The `use` of the source that simulates devices.
    package static let simulatorUse = "simulator"
    /// The name of the sink that prints samples; it ends with its run.
    package static let linesName = "lines"

    /// Returns the configuration.
    package static func configuration(writesLines: Bool) -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        configuration.sources = [
            source("strap", ["devices": .object(["heartRateStrap": .number(1)])]),
            source(
                "foot", ["devices": .object(["pedometer": .number(1)]), "faults": pedometerFaults]),
        ]
        let lines = GatewayConfiguration.Component(
            name: linesName, use: GatewayPlan.standardOutputUse, section: "sinks")
        configuration.sinks = Assembly.defaultSinks + (writesLines ? [lines] : [])
        return configuration
    }

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
