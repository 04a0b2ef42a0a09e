import CMemory
import GatewayCore
import HealthModel

extension ServiceCheck {
    /// The number of bursts of the two loads that are compared, and of batches in a burst.
    private static let burstCounts = (short: 10, long: 100)
    private static let burst = 20
    /// The maximum growth of the memory from the short to the long load, in bytes.
    private static let growthLimit = 262_144
    /// The number of times that growth must be seen: other threads use memory meanwhile.
    private static let attempts = 3

    /// Publishes records that the gateway accepts and no device sends.
    mutating func oddRecords(_ service: any Service) async {
        await run(service, "records with odd values") { check, harness in
            for record in try OddRecords().all {
                check.input.write("\(record)")
                try await harness.publish([record])
            }
            try await harness.publish([])
            // More than a subscription queues: it may get a gap.
            var all = ConformanceRecords()
            try await harness.publish(try all.heartRates(20_000))
        }
    }

    /// Publishes the same heart rates again and again; the memory must not grow with their number.
    mutating func memory(_ makeService: () throws -> any Service) async throws {
        for _ in 0..<Self.attempts {
            var growth = 0
            await run(try makeService(), "a long run") { _, harness in
                var all = ConformanceRecords()
                let batch = try all.heartRates(10)
                func usedBytes(after count: Int) async throws -> Int {
                    for _ in 0..<count { try await harness.publish(batch, times: Self.burst) }
                    return Int(cmemory_used_bytes())
                }
                let before = try await usedBytes(after: Self.burstCounts.short)
                growth = try await usedBytes(after: Self.burstCounts.long) - before
            }
            if growth <= Self.growthLimit { return }
        }
        find("the memory that the service keeps grows with the number of records")
    }
}

/// Valid records with values, times, people and devices at the edges of what a record can have.
struct OddRecords {
    private let now = Instant(nanosecondsSince1970: 1_795_284_900_000_000_000)
    /// The first and the last time that a record can have, and one that it cannot be dated by.
    private let ages: [Int64] = [-1_795_284_900_000_000_000, 0, 3_000_000_000_000_000_000]

    /// The records.
    var all: [Record] {
        get throws {
            var records: [Record] = []
            for value in [0, -1, 0.5, 65_535, 65_536, 1e18, 1e300] {
                records.append(try sample(.heartRate, Quantity(value, .countPerMinute)))
                records.append(try sample(.rrInterval, Quantity(value, .second)))
            }
            for age in ages {
                records.append(
                    try sample(
                        .heartRate, Quantity(72, .countPerMinute), at: now.adding(nanoseconds: age))
                )
            }
            for person in [nil, String(repeating: "x", count: 64)] {
                records.append(
                    try sample(.heartRate, Quantity(72, .countPerMinute), person: person))
            }
            for device in [nil, Device(), Device(name: "\u{1B}[31m", localIdentifier: "a/../b")] {
                records.append(
                    try sample(.heartRate, Quantity(72, .countPerMinute), device: device))
                records.append(
                    .event(
                        DeviceEvent(
                            id: id(records.count), at: now, device: device ?? Device(),
                            source: SourceRevision(name: "conformance", version: "1"),
                            state: DeviceState())))
            }
            // A stored record can have a type that is not declared any more.
            let unit = Unit.degreeCelsius
            records.append(
                try sample(QuantityType(undeclared: "forgotten", unit: unit), Quantity(1, unit)))
            return records
        }
    }

    private func id(_ number: Int) -> RecordID { RecordID(high: 2, low: UInt64(number)) }

    private func sample(
        _ type: QuantityType, _ quantity: Quantity, at time: Instant? = nil,
        person: String? = "ada", device: Device? = Device(name: "Strap", localIdentifier: "strap")
    ) throws -> Record {
        let time = time ?? now
        return .sample(
            try QuantitySample(
                id: RecordID.make(
                    start: time, device: "odd", stream: type.name, key: quantity.value.bitPattern),
                type: type, start: time, end: time, quantity: quantity, person: person,
                device: device))
    }
}
