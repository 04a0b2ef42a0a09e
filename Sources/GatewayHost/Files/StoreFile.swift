import GatewayCore
package import HealthModel
package import HealthStore
import JSON

/// The store that the configuration names: its first sink that is one.
package struct StoreFile: Sendable {
    /// Where the file is.
    package let path: String
    /// The name of the sink.
    package let sinkName: String
    private let options: SinkOptions

    /// Finds the store of the configuration or, for a simulation, that of its folder.
    package init(
        _ file: ConfigurationFile, _ folder: DataDirectory, isSimulation: Bool
    ) throws(HostError) {
        let sinks = isSimulation ? Assembly.defaultSinks : file.configuration.sinks
        let store = (sinks ?? Assembly.defaultSinks).first { $0.use == StoreSettings.use }
        guard let store else {
            throw HostError(
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
    package func takes(_ type: QuantityType) -> Bool {
        options.types?.contains(.quantity(type)) ?? true
    }

    /// Whether workouts get there.
    package var takesWorkouts: Bool { options.types?.contains(.workout) ?? true }

    /// Opens the store for reading.
    package func open() throws(HostError) -> HealthStore {
        do {
            return try HealthStore(readingFrom: path)
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }
}
