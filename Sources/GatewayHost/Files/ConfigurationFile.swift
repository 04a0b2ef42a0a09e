package import GatewayCore
package import HealthModel
package import Platform

/// Finds and reads the configuration.
package struct ConfigurationFile: Sendable {
    /// Where it was found; nil when there is none and the defaults hold.
    package let path: String?
    /// What it says.
    package let configuration: GatewayConfiguration

    /// The path for messages.
    package var place: String { path ?? "the defaults" }

    /// The people that it names, and those that the data directory keeps; where both say something of one
    /// the configuration wins.
    package func people(keptIn folder: DataDirectory) throws(HostError) -> People {
        configuration.people.adding(
            try PeopleFile(folder: folder, types: configuration.types).read())
    }

    /// Something in it is wrong.
    package func failure(_ error: ConfigurationError) -> HostError {
        HostError(.configuration, "\(place): \(error)")
    }

    /// Reads the file that was asked for, or the first of the usual places that has one.
    ///
    /// It may declare types beside those that are known.
    package static func load(
        option: String?, environment: Environment, types: QuantityTypes
    ) throws(HostError) -> ConfigurationFile {
        if let path = option ?? environment["PULSEGATE_CONFIG"] {
            guard let text = try TextFile.read(path) else {
                throw HostError(.configuration, "no configuration at \(path)")
            }
            return try parse(text, path, types)
        }
        for path in defaultPlaces(environment) {
            if let text = try TextFile.read(path) { return try parse(text, path, types) }
        }
        return ConfigurationFile(path: nil, configuration: GatewayConfiguration(types: types))
    }

    /// The user's own file, then the machine's.
    package static func defaultPlaces(_ environment: Environment) -> [String] {
        let user = environment.folder("XDG_CONFIG_HOME") ?? environment.home.map { "\($0)/.config" }
        return (user.map { [$0] } ?? []).map { "\($0)/pulsegate/pulsegate.json5" }
            + ["/etc/pulsegate/pulsegate.json5"]
    }

    private static func parse(
        _ text: String, _ path: String, _ types: QuantityTypes
    ) throws(HostError) -> ConfigurationFile {
        do {
            let root = try ConfigurationNode(json5: text, types: types)
            return ConfigurationFile(path: path, configuration: try GatewayConfiguration(root))
        } catch {
            throw HostError(.configuration, "\(path): \(error)")
        }
    }
}
