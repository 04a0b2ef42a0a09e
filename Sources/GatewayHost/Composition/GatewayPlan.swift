import Bluetooth
package import GatewayCore

/// The configuration of a gateway, completed with the adopted devices and people.
package struct GatewayPlan: Sendable {
    package let file: ConfigurationFile
    package let folder: DataDirectory
    /// The adopted devices stored in the data directory.
    package let adopted: AdoptedDevices
    /// The identifiers of the adopted devices, for sources that connect to all of them.
    ///
    /// Devices that another source reads are left out.
    package let devices: [String]
    /// The completed configuration.
    package let configuration: GatewayConfiguration
    /// The devices that each source of the completed configuration reads.
    package let claims: [SourceClaim]
    /// The names of the sinks that write to standard output.
    private let outputSinks: Set<String>
    /// Whether a sink or a service writes to standard output.
    package let usesStandardOutput: Bool

    /// Creates a plan with the devices adopted in the data directory.
    ///
    /// - Throws: ``HostError`` if an adopted device belongs to an unknown person.
    package init(
        file: ConfigurationFile, folder: DataDirectory, plugins: Plugins
    ) throws(HostError) {
        try self.init(showing: file, folder: folder, plugins: plugins)
        if let problem = unknownPeople.first { throw HostError(.configuration, problem) }
    }

    /// Creates a plan for display; a device of an unknown person has no person.
    package init(
        showing file: ConfigurationFile, folder: DataDirectory, plugins: Plugins
    ) throws(HostError) {
        let adopted = try AdoptedDevicesFile(folder: folder).read()
        var configuration = file.configuration
        configuration.people = try file.people(storedIn: folder).adding(adopted)
        self.init(
            file: file, folder: folder, adopted: adopted, configuration: configuration,
            plugins: plugins)
    }

    /// Creates a plan without adopted devices, for a simulation, or beside the data of another user.
    package init(simulating file: ConfigurationFile, folder: DataDirectory, plugins: Plugins) {
        self.init(
            file: file, folder: folder, adopted: AdoptedDevices(),
            configuration: file.configuration, plugins: plugins)
    }

    private init(
        file: ConfigurationFile, folder: DataDirectory, adopted: AdoptedDevices,
        configuration: GatewayConfiguration, plugins: Plugins
    ) {
        self.file = file
        self.folder = folder
        self.adopted = adopted
        var configuration = configuration
        let configured = plugins.claims(of: configuration.sources ?? [])
        devices = Self.devices(configuration.people, adopted, configured)
        if configuration.sources != nil {
            claims = configured
        } else {
            let sources = AdoptedSources.components(adopted, devices: devices)
            configuration.sources = sources
            claims = plugins.claims(of: sources)
        }
        self.configuration = configuration
        let sinks = plugins.sinks.filter(\.usesStandardOutput).map(\.use)
        let services = plugins.services.filter(\.usesStandardOutput).map(\.use)
        let names = (configuration.sinks ?? []).filter { sinks.contains($0.use) }.map(\.name)
        outputSinks = Set(names)
        usesStandardOutput =
            !names.isEmpty || configuration.services.contains { services.contains($0.use) }
    }

    private static func devices(
        _ people: People, _ adopted: AdoptedDevices, _ claims: [SourceClaim]
    ) -> [String] {
        let own = adopted.devices.filter { $0.isClassic || $0.format != nil }
        let taken = claims.reduce(into: Set(own.map(\.identifier.description))) {
            $0.formUnion($1.claim.named)
        }
        return people.boundDevices.filter { device in
            device.hasPrefix("/") || !taken.contains(device.uppercased())
        }
    }

    /// The `use` of the sink that writes lines of JSON to standard output.
    package static let standardOutputUse = "stdout"

    /// Whether a sink writes to standard output.
    package func usesStandardOutput(_ sink: String) -> Bool { outputSinks.contains(sink) }

    /// The error of a source's settings, with the file that contains them.
    package func failure(ofSource error: ConfigurationError) -> HostError {
        file.configuration.sources == nil
            ? AdoptedDevicesFile(folder: folder).failure(error) : file.failure(error)
    }

    /// An error line for each adopted device whose person is unknown, with the remedy.
    package var unknownPeople: [String] {
        let people = configuration.people
        return people.unknownPeople(adopted).map { device, person in
            let place = "\(AdoptedDevicesFile(folder: folder).path): devices.\(device).person"
            return "\(place): \(People.unknown(person, known: people.names)); "
                + "add the person: `pulsegate people set \(person)`, "
                + "change the person: `pulsegate adopt \(device) --person NAME`, "
                + "or remove the device: `pulsegate forget \(device)`"
        }
    }

    /// A note for each adopted device that no source of the configuration reads, and for each source that reads
    /// nothing.
    package var notes: [String] {
        adopted.devices.compactMap { Self.note(on: $0, file, claims) }
            + claims.compactMap(\.note)
    }

    /// The notes of sources about themselves, with their names.
    package static func notes(of sources: [Gateway.NamedSource]) -> [String] {
        sources.flatMap { named in
            ((named.source as? BluetoothSource)?.notes ?? []).map { "\(named.name): \($0)" }
        }
    }

    /// Returns a note if no configured source reads an adopted device.
    ///
    /// Returns nil for a configuration without `sources`: it reads all adopted devices.
    package static func note(
        on device: AdoptedDevice, _ file: ConfigurationFile, _ claims: [SourceClaim]
    ) -> String? {
        guard file.configuration.sources != nil,
            !claims.contains(where: { $0.includes(device) })
        else { return nil }
        let source =
            if device.identifier.isPort {
                #"{ use: "serial", port: { path: "\#(device.identifier)" }, protocol: … }"#
            } else if device.isClassic {
                #"{ use: "rfcomm", address: "\#(device.identifier)", protocol: … }"#
            } else if let format = device.format {
                #"{ use: "advertisements", devices: ["\#(device.identifier)"], "#
                    + #"formats: ["\#(format)"] }"#
            } else {
                #"{ use: "bluetooth" }"#
            }
        return "\(device.identifier) is adopted, but no source in \(file.place) reads it; add "
            + "\(source) to `sources` there, or remove `sources` to read all adopted devices"
    }
}

extension GatewayPlan {
    /// Makes the sources, without opening them.
    package func makeSources(_ assembly: Assembly) throws(HostError) -> [Gateway.NamedSource] {
        do { return try assembly.sources(configuration) } catch { throw failure(ofSource: error) }
    }

    /// Makes the sinks, without opening them, and checks them against each other and the sources.
    package func makeSinks(
        _ assembly: Assembly, besides sources: [Gateway.NamedSource]
    ) throws(HostError) -> [Gateway.NamedSink] {
        do {
            let sinks = try assembly.sinks(configuration)
            try SinkRules(sources: sources, sinks: sinks).check()
            return sinks
        } catch {
            throw file.failure(error)
        }
    }

    /// Makes the services, without opening them.
    package func makeServices(_ assembly: Assembly) throws(HostError) -> [NamedService] {
        do { return try assembly.services(configuration) } catch { throw file.failure(error) }
    }

    /// Runs the self-check of each source and sink that has one.
    package func check(
        _ sources: [Gateway.NamedSource], _ sinks: [Gateway.NamedSink]
    ) throws(HostError) {
        let components: [any Sendable] = sources.map(\.source) + sinks.map(\.sink)
        for component in components {
            guard let component = component as? any SelfChecking else { continue }
            do { try component.check() } catch { throw file.failure(error) }
        }
    }
}
