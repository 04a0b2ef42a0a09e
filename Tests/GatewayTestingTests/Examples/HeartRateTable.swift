import GatewayCore
import HealthModel
import JSON
import Platform

/// A sink that appends every heart rate to a table of comma-separated values.
actor HeartRateTable: Sink {
    /// Makes the sink from `{ use: "heartRateTable", file: "rates.csv" }`.
    static let factory = SinkFactory(use: "heartRateTable", keys: ["file"]) {
        settings, context throws(ConfigurationError) in
        let file = try settings.require("file").string()
        return HeartRateTable(path: context.resolve(file), durability: context.durability)
    }

    private let file: AppendedFile
    /// A thread of its own, because a write may block.
    private let executor = QueueExecutor(label: "table")

    init(path: String, durability: Durability) {
        file = AppendedFile(path: path, waitsForDisk: durability == .powerLoss)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func write(_ batch: [Record]) async throws {
        try Task.checkCancellation()
        let lines = batch.flatMap { Self.samples(in: $0) }.compactMap { Self.line(of: $0) }
        do throws(AppendedFile.Failure) {
            try file.append(Array(lines.joined().utf8))
        } catch {
            if error.isStorageFull { throw SinkError.storageFull(reason: error.description) }
            throw error.isTemporary
                ? SinkError.retry(reason: error.description, after: nil)
                : SinkError.blocked(reason: "\(error); name a file that this user can write")
        }
    }

    /// The quantity samples of a record, of which a correlation has several.
    private static func samples(in record: Record) -> [QuantitySample] {
        switch record {
        case .sample(let sample): [sample]
        case .correlation(let correlation):
            correlation.samples.compactMap { member in
                if case .quantity(let sample) = member { sample } else { nil }
            }
        case .category, .workout, .event, .deletion: []
        }
    }

    /// Id, time and beats per minute; nil for another type.
    private static func line(of sample: QuantitySample) -> String? {
        guard sample.type == .heartRate,
            let rate = try? sample.quantity.value(in: .countPerMinute)
        else { return nil }
        return "\(sample.id),\(sample.start),\(rate)\n"
    }
}
