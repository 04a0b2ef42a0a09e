import Foundation
import GatewayTesting
import HealthModel
import SQLiteStore

extension Home {
    /// The time of the first record that ``fill(_:)`` stores: the beginning of 2026, UTC.
    static let fillTime = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)

    /// A heart rate of a minute of 2026.
    static func heartRate(
        _ minute: Int, person: String? = "me", source: String = "straps", device: String = "strap"
    ) throws -> Record {
        let time = fillTime.adding(nanoseconds: Int64(minute) * 60_000_000_000)
        return .sample(
            try QuantitySample(
                id: RecordID.make(
                    start: time, device: device, stream: person ?? "", key: UInt64(minute)),
                type: .heartRate, start: time, end: time, quantity: Quantity(60, .countPerMinute),
                person: person, device: Device(name: device, localIdentifier: device),
                source: SourceRevision(name: source)))
    }

    /// A blood pressure of a minute of 2026 with its two samples.
    static func bloodPressure(_ minute: Int, person: String? = "me") throws -> Record {
        let time = fillTime.adding(nanoseconds: Int64(minute) * 60_000_000_000)
        func member(_ type: QuantityType, _ value: Double) throws -> Correlation.Member {
            .quantity(
                try QuantitySample(
                    id: RecordID.make(
                        start: time, device: "cuff", stream: type.name, key: UInt64(minute)),
                    type: type, start: time, end: time,
                    quantity: Quantity(value, .millimeterOfMercury), person: person))
        }
        return .correlation(
            try Correlation(
                id: RecordID.make(
                    start: time, device: "cuff", stream: "pressure", key: UInt64(minute)),
                type: .bloodPressure, start: time, end: time,
                samples: [
                    member(.bloodPressureSystolic, 120), member(.bloodPressureDiastolic, 80),
                ], person: person))
    }

    /// Stores records in the default store, as a gateway would.
    func fill(_ records: [Record]) async throws {
        try folder.makeFolder("data/pulsegate")
        let store = try SQLiteStore(path: "\(dataDirectory)/health.sqlite")
        _ = try await store.save(records)
    }

    /// Starts a gateway whose only device is missing, and waits until it runs.
    func startIdleGateway() async throws -> RunningCommand {
        try configure(
            """
            { sources: { foot: { use: "serial", port: { path: "/dev/pulsegate-missing" },
              protocol: "hxm" } } }
            """)
        let gateway = try start("run")
        try await gateway.waitForLines(with: "running", on: .error)
        return gateway
    }

    /// The number of stored records of a type.
    func count(_ type: String, _ words: String...) async throws -> Int {
        let outcome = try await run(["query", type, "--format", "ndjson"] + words)
        guard outcome.ending == .exited(0) else {
            throw RunningCommand.Failure(description: outcome.error)
        }
        return outcome.output.split(separator: "\n").count
    }

    /// Writes lines to a file and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        try folder.write(Array(text.utf8), to: name)
    }
}
