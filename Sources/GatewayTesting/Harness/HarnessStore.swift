import GatewayCore
import HealthModel
import SQLiteStore

/// A sink with a SQLite store in a folder, which tells when it has changed.
actor HarnessStore: Sink {
    private let store: SQLiteStore
    private var watchers: [AsyncStream<Void>.Continuation] = []

    init(folder: TemporaryFolder) throws {
        store = try SQLiteStore(path: folder.path("health.sqlite"))
    }

    func write(_ batch: [Record]) async throws {
        _ = try await store.save(batch)
        for watcher in watchers { watcher.yield() }
    }

    /// An element now, and one after every change.
    func changes() -> AsyncStream<Void> {
        let (changes, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        signal.yield()
        watchers.append(signal)
        return changes
    }

    /// All samples of a type, the oldest first.
    func samples(of type: QuantityType) async throws -> [QuantitySample] {
        try await store.samples(matching: SampleQuery(type: type))
    }

    /// All events of devices, the oldest first.
    func events() async throws -> [DeviceEvent] {
        try await store.events()
    }
}
