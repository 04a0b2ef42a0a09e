import HealthModel

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
