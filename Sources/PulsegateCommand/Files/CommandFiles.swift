import GatewayCore
import HealthModel

/// Where a command works: the configuration it was called with, and the data folder of that.
struct CommandFiles: Sendable {
    let configuration: ConfigurationFile
    let folder: DataFolder

    /// The types that there are: those of the table, of the plugins and of the configuration.
    var types: QuantityTypes { configuration.configuration.types }

    /// Reads the configuration and locates the folder; nothing is created.
    init(
        _ arguments: ParsedArguments, _ environment: Environment, _ plugins: Plugins,
        isSimulation: Bool = false
    ) throws(CommandFailure) {
        configuration = try ConfigurationFile.load(
            option: arguments.value(of: "--config"), environment: environment,
            types: try plugins.makeQuantityTypes())
        folder = try DataFolder.locate(
            configuration: configuration.configuration, environment: environment,
            isSimulation: isSimulation)
    }
}
