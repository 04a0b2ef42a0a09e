import GatewayCore
package import HealthModel
import JSON
import JournalLog
package import SQLiteStore

/// The database file of the first store among the configured sinks.
package struct StoreFile: Sendable {
    /// The path of the file.
    package let path: String
    /// The name of the sink.
    package let sinkName: String
    private let options: SinkOptions

    /// Finds the store among the configured sinks or, for a simulation, among its own.
    ///
    /// - Parameter sinkUses: The known kinds of sinks; nil if the configuration was checked before.
    /// - Throws: ``HostError``, also when none of the sinks is a store.
    package init(
        _ file: ConfigurationFile, _ folder: DataDirectory, usesConfiguredSinks: Bool,
        sinkUses: [String]? = nil
    ) throws(HostError) {
        let store = try Self(
            ifIn: file, folder, usesConfiguredSinks: usesConfiguredSinks, sinkUses: sinkUses)
        guard let store else {
            throw HostError(
                .configuration,
                "\(file.place): no store to query; add a sink with `use: \"sqlite\"`")
        }
        self = store
    }

    /// Finds the store as the other initializer; nil when none of the sinks is a store.
    package init?(
        ifIn file: ConfigurationFile, _ folder: DataDirectory, usesConfiguredSinks: Bool,
        sinkUses: [String]? = nil
    ) throws(HostError) {
        let sinks = usesConfiguredSinks ? file.configuration.sinks : Assembly.defaultSinks
        let store = (sinks ?? Assembly.defaultSinks).first { $0.use == StoreSettings.use }
        guard let store else {
            // A misspelled one may be the store.
            for sink in sinks ?? [] {
                guard let sinkUses, !sinkUses.contains(sink.use) else { continue }
                throw file.failure(sink.unknownPlugin(known: sinkUses))
            }
            return nil
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

    /// The number of accepted records that wait in a journal and are for the store, according to its `types`; nil when
    /// the journal has no ledger that can be read.
    ///
    /// - Parameters:
    ///   - journal: The path of the journal, which no gateway uses.
    ///   - types: The known types.
    package func waitingCount(inJournal journal: String, types: QuantityTypes) -> Int64? {
        guard let ledger = LogInspector.newestLedger(at: journal) else { return nil }
        guard let cursor = ledger.sinks[sinkName]?.cursor else { return 0 }
        let pending = ledger.pending(for: sinkName)
        guard pending > 0, let filter = TypeFilter(options.types, acceptingDeletions: true)
        else { return pending }
        var decoder = RecordDecoder(types: types, allowingUndeclared: true)
        let wanted = LogInspector.count(at: journal, after: cursor) { line in
            filter.isWanted(line, &decoder) ?? false
        }
        return wanted ?? pending
    }

    /// Whether the store accepts samples of a type.
    package func accepts(_ type: QuantityType) -> Bool {
        options.types?.contains(.quantity(type)) ?? true
    }

    /// Whether the store accepts workouts.
    package var acceptsWorkouts: Bool { options.types?.contains(.workout) ?? true }

    /// Opens the store for reading.
    package func open() throws(HostError) -> SQLiteStore {
        do {
            return try SQLiteStore(readingFrom: path)
        } catch {
            throw HostError(error)
        }
    }

    /// Opens the store for writing, and creates it if it is missing.
    package func create() throws(HostError) -> SQLiteStore {
        do {
            return try SQLiteStore(path: path)
        } catch {
            throw HostError(error)
        }
    }

    /// Opens the store for reading; nil when it was not created yet.
    package func openIfCreated() throws(HostError) -> SQLiteStore? {
        do {
            return try SQLiteStore(readingFrom: path)
        } catch SQLiteStoreError.noStore {
            return nil
        } catch {
            throw HostError(error)
        }
    }
}
