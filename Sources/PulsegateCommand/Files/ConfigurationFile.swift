import GatewayCore
import HealthModel

/// Finds and reads the configuration.
struct ConfigurationFile: Sendable {
    /// Where it was found; nil when there is none and the defaults hold.
    let path: String?
    /// What it says.
    let configuration: GatewayConfiguration

    /// The path for messages.
    var place: String { path ?? "the defaults" }

    /// The people that it names, and those that the data folder keeps; where both say something of one
    /// the configuration wins.
    func people(keptIn folder: DataFolder) throws(CommandFailure) -> People {
        configuration.people.adding(
            try PeopleFile(folder: folder, types: configuration.types).read())
    }

    /// Something in it is wrong.
    func failure(_ error: ConfigurationError) -> CommandFailure {
        CommandFailure(.configuration, "\(place): \(error)")
    }

    /// Reads the file that was asked for, or the first of the usual places that has one.
    ///
    /// It may declare types beside those that are known.
    static func load(
        option: String?, environment: Environment, types: QuantityTypes
    ) throws(CommandFailure) -> ConfigurationFile {
        if let path = option ?? environment["PULSEGATE_CONFIG"] {
            guard let text = try TextFile.read(path) else {
                throw CommandFailure(.configuration, "no configuration at \(path)")
            }
            return try parse(text, path, types)
        }
        for path in usualPlaces(environment) {
            if let text = try TextFile.read(path) { return try parse(text, path, types) }
        }
        return ConfigurationFile(path: nil, configuration: GatewayConfiguration(types: types))
    }

    /// The user's own file, then the machine's.
    static func usualPlaces(_ environment: Environment) -> [String] {
        let user = environment.folder("XDG_CONFIG_HOME") ?? environment.home.map { "\($0)/.config" }
        return (user.map { [$0] } ?? []).map { "\($0)/pulsegate/pulsegate.json5" }
            + ["/etc/pulsegate/pulsegate.json5"]
    }

    private static func parse(
        _ text: String, _ path: String, _ types: QuantityTypes
    ) throws(CommandFailure) -> ConfigurationFile {
        do {
            let root = ConfigurationNode(
                path: "", value: try ConfigurationValue(json5: text), types: types)
            return ConfigurationFile(path: path, configuration: try GatewayConfiguration(root))
        } catch {
            throw CommandFailure(.configuration, "\(path): \(error)")
        }
    }
}
