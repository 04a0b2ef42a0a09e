package import GatewayCore

/// What a gateway is made of: the configuration and, where it leaves something open, what is adopted.
package struct GatewayPlan: Sendable {
    package let file: ConfigurationFile
    package let folder: DataDirectory
    /// What the data directory says of the user's own devices.
    package let adopted: AdoptedDevices
    /// The identifiers of the user's own devices, for a source that looks for them by itself.
    ///
    /// An address that another source reads is not among them: no device is read twice.
    package let devices: [String]
    /// The configuration, completed.
    package let configuration: GatewayConfiguration
    /// What each source of the completed configuration reads.
    package let claims: [SourceClaim]

    /// Reads what is adopted in the data directory.
    ///
    /// A plan whose devices belong to somebody unknown is none: nobody would get their samples.
    package init(
        file: ConfigurationFile, folder: DataDirectory, plugins: Plugins
    ) throws(HostError) {
        try self.init(showing: file, folder: folder, plugins: plugins)
        if let problem = unknownPeople.first { throw HostError(.configuration, problem) }
    }

    /// Reads what is adopted in the data directory, to show it; a device of somebody unknown is nobody's.
    package init(
        showing file: ConfigurationFile, folder: DataDirectory, plugins: Plugins
    ) throws(HostError) {
        let adopted = try AdoptedDevicesFile(folder: folder).read()
        var configuration = file.configuration
        configuration.people = try file.people(keptIn: folder).adding(adopted)
        self.init(
            file: file, folder: folder, adopted: adopted, configuration: configuration,
            plugins: plugins)
    }

    /// A plan without adopted devices: what the configuration says and nothing more.
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
        let stated = plugins.claims(of: configuration.sources ?? [])
        devices = Self.devices(configuration.people, adopted, stated)
        if configuration.sources != nil {
            claims = stated
        } else {
            let sources = AdoptedSources.components(adopted, devices: devices)
            configuration.sources = sources
            claims = plugins.claims(of: sources)
        }
        self.configuration = configuration
    }

    private static func devices(
        _ people: People, _ adopted: AdoptedDevices, _ claims: [SourceClaim]
    ) -> [String] {
        let classic = adopted.devices.filter(\.isClassic).map(\.identifier.description)
        let taken = claims.reduce(into: Set(classic)) { $0.formUnion($1.claim.named) }
        return people.boundDevices.filter { device in
            device.hasPrefix("/") || !taken.contains(device.uppercased())
        }
    }

    /// The word for a sink that writes to standard output.
    package static let lineSink = "stdout"

    /// Whether a sink writes to standard output.
    package var writesLines: Bool {
        configuration.sinks?.contains { $0.use == Self.lineSink } ?? false
    }

    /// Something in the settings of a source is wrong, where they stand.
    package func failure(ofSource error: ConfigurationError) -> HostError {
        file.configuration.sources == nil
            ? AdoptedDevicesFile(folder: folder).failure(error) : file.failure(error)
    }

    /// Adopted devices whose person is not there, with what mends it; one line for each.
    package var unknownPeople: [String] {
        let people = configuration.people
        return people.unknownPeople(adopted).map { device, person in
            let place = "\(AdoptedDevicesFile(folder: folder).path): devices.\(device).person"
            let known = people.names.joined(separator: ", ")
            return "\(place): `\(person)` is unknown, known: \(known); "
                + "`pulsegate adopt \(device) --person NAME` gives the device to somebody else, "
                + "`pulsegate forget \(device)` removes it, and `pulsegate people set \(person)` adds the person"
        }
    }

    /// What is adopted, but not read by any source of the configuration; one note for each.
    package var notes: [String] {
        adopted.devices.compactMap { Self.note(on: $0, file, claims) }
    }

    /// Says that no source of the configuration reads an adopted device; nil when one does, or when the
    /// configuration has no sources and all is read.
    package static func note(
        on device: AdoptedDevice, _ file: ConfigurationFile, _ claims: [SourceClaim]
    ) -> String? {
        guard file.configuration.sources != nil,
            !claims.contains(where: { $0.claim.includes(device) })
        else { return nil }
        let source =
            if device.identifier.isPort {
                #"{ use: "serial", port: { path: "\#(device.identifier)" }, protocol: … }"#
            } else if device.isClassic {
                #"{ use: "rfcomm", address: "\#(device.identifier)", protocol: … }"#
            } else {
                #"{ use: "bluetooth" }"#
            }
        return "\(device.identifier) is adopted, but no source in \(file.place) reads it; add "
            + "\(source) to `sources` there, or remove `sources` to have all read that is adopted"
    }
}

extension GatewayPlan {
    /// Makes the sources; nothing is opened.
    package func makeSources(_ assembly: Assembly) throws(HostError) -> [Gateway.NamedSource] {
        do { return try assembly.sources(configuration) } catch { throw failure(ofSource: error) }
    }

    /// Makes the sinks, and sees that they get on with each other and with the sources; nothing is
    /// opened.
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

    /// Lets the sinks say what will be in their way.
    package func check(_ sinks: [Gateway.NamedSink]) throws(HostError) {
        for sink in sinks {
            guard let sink = sink.sink as? any SelfChecking else { continue }
            do { try sink.check() } catch { throw file.failure(error) }
        }
    }
}
