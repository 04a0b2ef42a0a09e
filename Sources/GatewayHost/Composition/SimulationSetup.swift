import Bluetooth
package import GatewayCore
package import JSON
package import Platform
import Serial
import Simulation

/// The sources and sinks of `run --simulate`: a simulated strap and pedometer, a separate store,
/// and optionally JSON lines on standard output.
package struct SimulationSetup {
    /// The protocol and preset of the simulated pedometer.
    package static let pedometerProtocol: [String: JSONValue] = [
        "use": .string("lines"), "preset": .string("steps"),
    ]

    /// The name of the sink that prints samples; it ends with its run.
    package static let linesName = "lines"

    package let plugins: Plugins
    package let clock: any GatewayClock
    package let log: Logger
    package let folder: DataDirectory

    /// The configuration with the sinks; ``sources()`` makes the sources.
    package func configuration(writesLines: Bool) -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        let lines = GatewayConfiguration.Component(
            name: Self.linesName, use: GatewayPlan.standardOutputUse, section: "sinks")
        configuration.sinks = Assembly.defaultSinks + (writesLines ? [lines] : [])
        return configuration
    }

    /// Makes the strap and the pedometer.
    ///
    /// The pedometer is read by the source of real serial ports.
    package func sources() throws(ConfigurationError) -> [Gateway.NamedSource] {
        let seed = UInt64.random(in: 0...UInt64.max)
        let profiles = try GATTProfileFactory.makeProfiles(nil, from: plugins.profiles)
        let strap = SimulatedStrapSource(profiles: profiles, seed: seed, clock: clock)
        let serial = SerialSource.factory(protocols: plugins.serialProtocols)
        let context = ComponentContext(
            name: "Simulated Pedometer", clock: clock, log: log, dataDirectory: folder.path)
        // Made once as a check, so that a missing protocol is reported now.
        _ = try serial.make(Self.pedometerSettings(port: "/dev/null"), context)
        let foot = SimulatedPedometerSource(SimulatedPedometer(seed: seed), clock: clock) { path in
            try serial.make(Self.pedometerSettings(port: path), context)
        }
        return [
            Gateway.NamedSource(name: "strap", source: strap),
            Gateway.NamedSource(name: "foot", source: foot),
        ]
    }

    private static func pedometerSettings(port: String) -> ConfigurationNode {
        ConfigurationNode(
            path: "simulation.foot",
            value: .object([
                "use": .string("serial"), "port": .object(["path": .string(port)]),
                "protocol": .object(pedometerProtocol),
            ]))
    }
}
