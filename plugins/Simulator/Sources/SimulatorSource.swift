package import Bluetooth
package import GatewayCore
import JSON
import Platform
package import Serial

/// A source of simulated devices: straps, pedometers and chest straps on serial ports.
///
/// Their bytes go through the adapters of real devices. Every local identifier begins with
/// `simulated-`, so that no record is taken for that of a real device.
package struct SimulatorSource: Source {
    let settings: SimulatorSettings
    let seed: UInt64
    let profiles: [any GATTProfile]
    let readers: SerialReaders
    let serial: [SimulatedKind: SerialReaders.Reader]
    let context: ComponentContext

    /// Simulates the devices until the task is cancelled.
    package func run(into inlet: any ReadingInlet) async throws {
        try Task.checkCancellation()
        let devices = settings.devices(seed: seed)
        let straps = devices.filter { $0.kind == .heartRateStrap }
        let quarantined = straps.filter { context.quarantine.contains($0.identifier) }
        let running = straps.filter { !context.quarantine.contains($0.identifier) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if !running.isEmpty { group.addTask { try await simulate(running, into: inlet) } }
            for strap in quarantined {
                group.addTask { try await waitInQuarantine(strap, inlet) }
            }
            for device in devices {
                guard let reader = serial[device.kind] else { continue }
                let simulation = SerialSimulation(
                    simulated: device, settings: settings, readers: readers, reader: reader,
                    context: context)
                group.addTask { try await simulation.run(into: inlet) }
            }
            try await group.waitForAll()
        }
    }

    private func simulate(
        _ straps: [SimulatedDevice], into inlet: any ReadingInlet
    ) async throws {
        let links = straps.map { strap in
            StrapLink(
                strap, settings, profiles: profiles, mark: context.mark(for: strap.identifier),
                recordsTraffic: inlet.recordsTraffic)
        }
        var fleet = StrapFleet(links, clock: context.clock)
        let probe = context.probe(ask: fleet.ask)
        defer { withExtendedLifetime(probe) {} }
        try await fleet.run(into: inlet)
    }

    /// Waits while a strap is in quarantine, then simulates it.
    private func waitInQuarantine(
        _ strap: SimulatedDevice, _ inlet: any ReadingInlet
    ) async throws {
        let reason = Quarantine.reason(for: strap.identifier)
        context.log.error(
            "the device is in quarantine", ["device": strap.identifier, "reason": reason])
        await inlet.report(
            DeviceReport(device: strap.identifier, .link(.quarantined, reason: reason)))
        await context.quarantine.waitForRelease(of: strap.identifier)
        try Task.checkCancellation()
        try await simulate([strap], into: inlet)
    }
}

extension SimulatorSource {
    /// Makes the factory for `use: "simulator"`.
    ///
    /// The profiles and protocols read the simulated devices.
    package static func factory(
        profiles: [GATTProfileFactory], serialProtocols: [SerialProtocolFactory]
    ) -> SourceFactory {
        let readers = SerialReaders(protocols: serialProtocols)
        return SourceFactory(use: "simulator", about: about, claim: claim) {
            node, context throws(ConfigurationError) in
            let settings = try SimulatorSettings(node)
            var serial: [SimulatedKind: SerialReaders.Reader] = [:]
            for (kind, setting) in serialSettings where settings.counts[kind] ?? 0 > 0 {
                let place = "\(node.path).devices.\(kind.rawValue)"
                serial[kind] = try readers.reader(
                    ConfigurationNode(path: place, value: setting, types: node.types))
            }
            return SimulatorSource(
                settings: settings,
                seed: settings.seed ?? UInt64.random(in: 0...UInt64.max),
                profiles: try GATTProfileFactory.makeProfiles(
                    nil, from: profiles, types: node.types),
                readers: readers, serial: serial, context: context)
        }
    }

    /// The setting `protocol` of the kinds on serial ports.
    private static let serialSettings: [SimulatedKind: JSONValue] = [
        .pedometer: .object(["use": .string("lines"), "preset": .string("steps")]),
        .hxm: .string("hxm"),
    ]

    private static func claim(_ node: ConfigurationNode) throws(ConfigurationError) -> DeviceClaim {
        let devices = try SimulatorSettings(node).devices(seed: 0)
        let phrase = devices.count > 4 ? "\(devices.count) simulated devices" : nil
        return DeviceClaim(
            .named(Set(devices.map(\.identifier))), over: "simulator", phrase: phrase)
    }
}
