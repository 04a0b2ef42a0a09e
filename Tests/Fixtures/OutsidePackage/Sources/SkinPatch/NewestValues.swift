import GatewayCore
import Glibc
import HealthModel
import JSON
import Platform

/// A sink that keeps the newest value of every type in a text file, for a status bar.
///
/// The whole file is replaced with each batch, so that a batch that comes again changes nothing.
public actor NewestValues: Sink {
    /// Makes the sink from `{ use: "newestValues", path: "newest.txt" }`.
    public static let factory = SinkFactory(
        use: "newestValues", keys: ["path"],
        about: PluginDescription(
            summary: "Keeps the newest value of every type in a text file.",
            settings: [
                PluginDescription.Setting("path", "path of the file in the data directory")
            ],
            sample: """
                {
                  sources: { straps: { use: "bluetooth" } },
                  sinks: { bar: { use: "newestValues", path: "newest.txt" } },
                }

                """)
    ) { settings, context throws(ConfigurationError) in
        NewestValues(path: context.resolve(try settings.require("path").string()))
    }

    private let path: String
    private var newest: [String: QuantitySample] = [:]
    /// A queue of its own: writing a file may block.
    private let executor = QueueExecutor(label: "newest values")

    init(path: String) {
        self.path = path
    }

    /// The queue of the sink.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Writes the newest values of this batch and of those before.
    public func write(_ batch: [Record]) async throws {
        for case .sample(let sample) in batch {
            let name = sample.type.name
            if let other = newest[name], other.end > sample.end { continue }
            newest[name] = sample
        }
        let lines = newest.values.map { "\($0.type.name) \($0.quantity)\n" }
        try replaceFile(with: lines.sorted().joined())
    }

    private func replaceFile(with text: String) throws {
        let draft = "\(path).new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(draft, errno) }
        defer { close(file) }
        do {
            try OutputDescriptor(descriptor: file).write(Array(text.utf8))
        } catch {
            throw failure(draft, error.code)
        }
        guard rename(draft, path) == 0 else { throw failure(path, errno) }
    }

    private func failure(_ path: String, _ code: Int32) -> SinkError {
        .retry(reason: "\(path): \(SystemCall.message(of: code))", after: nil)
    }
}
