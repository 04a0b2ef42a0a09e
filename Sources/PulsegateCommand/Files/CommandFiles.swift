import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import Platform

/// Where a command works: the configuration it was called with, the data directory of that, and its store.
struct CommandFiles: Sendable {
    let configuration: ConfigurationFile
    let folder: DataDirectory
    /// Whether the simulation's own data are meant.
    let isSimulation: Bool

    /// The types that there are: those of the table, of the plugins and of the configuration.
    var types: QuantityTypes { configuration.configuration.types }

    /// Reads the configuration and locates the folder; nothing is created.
    init(
        _ arguments: ParsedArguments, _ environment: Environment, _ plugins: Plugins
    ) throws(HostError) {
        isSimulation = arguments.has(CommandSyntax.simulate.name)
        configuration = try ConfigurationFile.load(
            option: arguments.value(of: "--config"), environment: environment,
            types: try plugins.makeQuantityTypes())
        folder = try DataDirectory.locate(
            configuration: configuration.configuration, environment: environment,
            isSimulation: isSimulation)
    }

    /// The people of the configuration and of the data directory.
    func people() throws(HostError) -> People {
        try configuration.people(keptIn: folder)
    }

    /// Opens the store for reading.
    func openStore() throws(HostError) -> HealthStore {
        try StoreFile(self).open()
    }
}

extension StoreFile {
    /// Finds the store of the configuration or, for a simulation, that of its folder.
    init(_ files: CommandFiles) throws(HostError) {
        try self.init(files.configuration, files.folder, isSimulation: files.isSimulation)
    }
}
