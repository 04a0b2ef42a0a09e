import GatewayCore

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
        configuration.people.adding(try PeopleFile(folder: folder).read())
    }

    /// Something in it is wrong.
    func failure(_ error: ConfigurationError) -> CommandFailure {
        CommandFailure(.configuration, "\(place): \(error)")
    }

    /// Reads the file that was asked for, or the first of the usual places that has one.
    static func load(
        option: String?, environment: Environment
    ) throws(CommandFailure) -> ConfigurationFile {
        if let path = option ?? environment["PULSEGATE_CONFIG"] {
            guard let text = try TextFile.read(path) else {
                throw CommandFailure(.configuration, "no configuration at \(path)")
            }
            return try parse(text, path)
        }
        for path in usualPlaces(environment) {
            if let text = try TextFile.read(path) { return try parse(text, path) }
        }
        return ConfigurationFile(path: nil, configuration: GatewayConfiguration())
    }

    /// The user's own file, then the machine's.
    static func usualPlaces(_ environment: Environment) -> [String] {
        let user = environment.folder("XDG_CONFIG_HOME") ?? environment.home.map { "\($0)/.config" }
        return (user.map { [$0] } ?? []).map { "\($0)/pulsegate/pulsegate.json5" }
            + ["/etc/pulsegate/pulsegate.json5"]
    }

    private static func parse(
        _ text: String, _ path: String
    ) throws(CommandFailure) -> ConfigurationFile {
        do {
            let root = ConfigurationNode(path: "", value: try ConfigurationValue(json5: text))
            return ConfigurationFile(path: path, configuration: try GatewayConfiguration(root))
        } catch {
            throw CommandFailure(.configuration, "\(path): \(error)")
        }
    }
}
