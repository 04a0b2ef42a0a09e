import GatewayCore
import HealthStore

/// The store that the configuration names: its first sink that is one.
struct StoreFile {
    /// Where the file is.
    let path: String

    /// Finds the store of the configuration or, for a simulation, that of its folder.
    init(_ files: CommandFiles, isSimulation: Bool = false) throws(CommandFailure) {
        let (file, folder) = (files.configuration, files.folder)
        let sinks = isSimulation ? Assembly.defaultSinks : file.configuration.sinks
        let store = (sinks ?? Assembly.defaultSinks).first { $0.use == StoreSettings.use }
        guard let store else {
            throw CommandFailure(
                .configuration, "\(file.place): no sink is a store to query (use: \"sqlite\")")
        }
        do {
            let keys = SinkOptions.keys + StoreSettings.keys
            path = folder.resolve(try StoreSettings(store.settings.object(keys: keys)).path)
        } catch {
            throw file.failure(error)
        }
    }

    /// Opens the store for reading.
    func open() throws(CommandFailure) -> HealthStore {
        do {
            return try HealthStore(readingFrom: path)
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }
}
