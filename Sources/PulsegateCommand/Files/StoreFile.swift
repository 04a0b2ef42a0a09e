import GatewayCore
import HealthModel
import HealthStore

/// The store that the configuration names: its first sink that is one.
struct StoreFile {
    /// Where the file is.
    let path: String
    /// The name of the sink.
    let sinkName: String
    private let options: SinkOptions

    /// Finds the store of the configuration or, for a simulation, that of its folder.
    init(_ files: CommandFiles) throws(CommandFailure) {
        try self.init(files.configuration, files.folder, isSimulation: files.isSimulation)
    }

    init(
        _ file: ConfigurationFile, _ folder: DataFolder, isSimulation: Bool
    ) throws(CommandFailure) {
        let sinks = isSimulation ? Assembly.defaultSinks : file.configuration.sinks
        let store = (sinks ?? Assembly.defaultSinks).first { $0.use == StoreSettings.use }
        guard let store else {
            throw CommandFailure(
                .configuration, "\(file.place): no sink is a store to query (use: \"sqlite\")")
        }
        do {
            sinkName = store.name
            let keys = SinkOptions.keys + StoreSettings.keys
            let object = try store.settings.object(keys: keys)
            path = folder.resolve(try StoreSettings(object).path)
            options = try SinkOptions(object)
        } catch {
            throw file.failure(error)
        }
    }

    /// Whether samples of a type get there.
    func takes(_ type: QuantityType) -> Bool {
        options.types?.contains(.quantity(type)) ?? true
    }

    /// Whether workouts get there.
    var takesWorkouts: Bool { options.types?.contains(.workout) ?? true }

    /// Opens the store for reading.
    func open() throws(CommandFailure) -> HealthStore {
        do {
            return try HealthStore(readingFrom: path)
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }
}
