import GatewayCore
import Glibc
import JSON
import Platform
import SQLiteSink

/// Makes the sink of a store, as a gateway does.
enum StoreSink {
    /// Makes a sink of a file and opens the file.
    static func open(_ path: String, _ context: BenchmarkContext) async throws -> any Sink {
        let settings = ConfigurationNode(
            path: "sinks.store", value: .object(["use": .string("sqlite"), "path": .string(path)]))
        let componentContext = ComponentContext(
            name: "store", clock: SystemClock(), log: Logger(component: "benchmark") { _ in },
            dataDirectory: context.folder)
        let sink = try SQLiteSink.factory.make(
            try settings.object(keys: ["use"] + SQLiteSink.factory.keys), componentContext)
        try await sink.write([])
        return sink
    }

    /// Removes the files of a store.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }
}
