package import GatewayCore
package import HealthModel
import HealthStore
import SQLite

/// Keeps every record in the store, a SQLite file that `query` and other programs read.
///
/// The file is opened with the first batch, and again when it could not be.
package actor SQLiteSink: Sink {
    private let path: String
    private let durability: Durability
    private var store: HealthStore?

    /// The factory for `use: "sqlite"`.
    package static let factory = SinkFactory(use: StoreSettings.use, keys: StoreSettings.keys) {
        object, context throws(ConfigurationError) in
        let path = try StoreSettings(object).path
        return SQLiteSink(path: context.resolve(path), durability: context.durability)
    }

    init(path: String, durability: Durability) {
        self.path = path
        self.durability = durability
    }

    /// Stores the batch in one transaction.
    ///
    /// What is there already stays as it is.
    package func write(_ batch: [Record]) async throws {
        do {
            let store = try self.store ?? HealthStore(path: path, durability: durability)
            self.store = store
            _ = try await store.save(batch)
        } catch let error as SQLiteError {
            throw Self.sinkError(error)
        } catch let error as HealthStoreError {
            throw SinkError.hold(reason: "\(error)")
        }
    }

    /// A file that is locked or a disk that is full may be free again; the rest somebody must mend.
    private static func sinkError(_ error: SQLiteError) -> SinkError {
        switch error.reason {
        case .busy, .full, .inputOutput, .other: .retry(reason: "\(error)", after: nil)
        default: .hold(reason: "\(error)")
        }
    }
}
