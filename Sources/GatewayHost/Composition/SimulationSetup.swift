import Bluetooth
package import GatewayCore
package import JSON
package import Platform
import Serial
import Simulation

/// What `run --simulate` puts in the place of a configuration: a strap and a pedometer that send the
/// bytes of real ones, a store of their own, and lines on standard output.
package struct SimulationSetup {
    /// The protocol and preset that the simulated pedometer speaks.
    package static let pedometerProtocol: [String: JSONValue] = [
        "use": .string("lines"), "preset": .string("steps"),
    ]

    package let plugins: Plugins
    package let clock: any GatewayClock
    package let log: Logger
    package let folder: DataDirectory

    /// The sinks; sources are made by ``sources()``.
    package func configuration(writesLines: Bool) -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        let lines = GatewayConfiguration.Component(name: "lines", use: "stdout", section: "sinks")
        configuration.sinks = Assembly.defaultSinks + (writesLines ? [lines] : [])
        return configuration
    }

    /// The strap and the pedometer.
    ///
    /// The latter is read by the same source as a real serial port.
    package func sources() throws(ConfigurationError) -> [Gateway.NamedSource] {
        let seed = UInt64.random(in: 0...UInt64.max)
        let profiles = try GATTProfileFactory.makeProfiles(nil, from: plugins.profiles)
        let strap = SimulatedStrapSource(profiles: profiles, seed: seed, clock: clock)
        let serial = SerialSource.factory(protocols: plugins.serialProtocols)
        let context = ComponentContext(
            name: "Simulated Pedometer", clock: clock, log: log, dataDirectory: folder.path)
        // Made once for nothing, so that a missing protocol is told now.
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
