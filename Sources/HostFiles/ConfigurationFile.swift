package import GatewayCore
import Glibc
package import HealthModel
package import Platform

/// The configuration and the file it was read from.
package struct ConfigurationFile: Sendable {
    /// The path of the file; nil for the default configuration.
    package let path: String?
    /// The parsed configuration.
    package let configuration: GatewayConfiguration

    /// Creates the value from a configuration that was read from `path`.
    package init(path: String?, configuration: GatewayConfiguration) {
        self.path = path
        self.configuration = configuration
    }

    /// The file's name in messages.
    package var place: String { path ?? "the defaults" }

    /// Returns the people of the configuration and of the data directory.
    ///
    /// Where both define the same fact, the configuration takes precedence.
    package func people(storedIn folder: DataDirectory) throws(HostError) -> People {
        configuration.people.adding(
            try PeopleFile(folder: folder, types: configuration.types).read())
    }

    /// Checks the birth dates of the people; a clock that is not set counts as one of the release.
    package func checkBirthDates(at now: Instant) throws(HostError) {
        let today = LocalCalendar.system.date(at: max(now, Version.earliestTime))
        for person in configuration.people.people {
            guard let problem = person.birthDateProblem(today: today) else { continue }
            let path = "people.\(LogFormat.escaped(person.name)).birthDate"
            throw failure(ConfigurationError(path: path, problem: problem))
        }
    }

    /// Converts an error in the configuration to an error of the command.
    package func failure(_ error: ConfigurationError) -> HostError {
        HostError(.configuration, "\(place): \(error)")
    }

    /// Reads the specified file, or the first file found in the default places.
    ///
    /// - Parameter types: The known types; the file may declare more.
    package static func load(
        option: String?, environment: Environment, types: QuantityTypes
    ) throws(HostError) -> ConfigurationFile {
        if let path = option ?? environment["PULSEGATE_CONFIG"] {
            guard let text = try TextFile.read(path) else {
                throw HostError(.configuration, "no configuration file at \(path)")
            }
            return try parse(text, path, types)
        }
        for path in defaultPlaces(environment) {
            if path == systemPlace { try checkMembership() }
            if let text = try TextFile.read(path) { return try parse(text, path, types) }
        }
        return ConfigurationFile(path: nil, configuration: GatewayConfiguration(types: types))
    }

    /// The configuration of the system service, which the members of its group can read.
    private static let systemPlace = "/etc/pulsegate/pulsegate.json5"

    private static func checkMembership() throws(HostError) {
        guard access(systemPlace, R_OK) != 0, errno == EACCES else { return }
        throw HostError(
            .configuration,
            "cannot read \(systemPlace): \(SystemCall.message(of: EACCES)); run this command as root: "
                + "`sudo pulsegate …`, or join the group of the service and log in again: `sudo usermod "
                + "-aG pulsegate $USER`, or use a configuration of your own: --config FILE")
    }

    /// The paths of the user's and the system's configuration, in this order.
    package static func defaultPlaces(_ environment: Environment) -> [String] {
        let user = environment.folder("XDG_CONFIG_HOME") ?? environment.home.map { "\($0)/.config" }
        return (user.map { [$0] } ?? []).map { "\($0)/pulsegate/pulsegate.json5" }
            + [systemPlace]
    }

    /// Parses the text of a file at a path.
    package static func parse(
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
