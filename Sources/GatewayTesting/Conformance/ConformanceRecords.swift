import HealthModel

/// Valid records for the tests of sinks; no two of them have the same id.
struct ConformanceRecords {
    /// A heart rate that no text contains by chance.
    static let heartRate = 123.4375

    private var count: UInt64 = 0
    private let start = Instant(nanosecondsSince1970: 1_795_284_900_000_000_000)
    private let device = Device(name: "Strap", localIdentifier: "D0:11:22:33:44:55")
    private let source = SourceRevision(name: "conformance", version: "1")

    /// So many heart rates, a second apart.
    mutating func heartRates(_ number: Int) throws -> [Record] {
        try (0..<number).map { _ in
            .sample(try sample(.heartRate, Quantity(Self.heartRate, .countPerMinute), seconds: 0))
        }
    }

    /// One record of every kind: a value, a total, a category, a correlation, a workout, an event.
    mutating func allKinds() throws -> [Record] {
        let members = [
            try sample(.bloodPressureSystolic, Quantity(120, .millimeterOfMercury), seconds: 0),
            try sample(.bloodPressureDiastolic, Quantity(80, .millimeterOfMercury), seconds: 0),
        ]
        let (category, correlation) = (next(), next())
        let (workout, event) = (next(), next())
        return [
            try heartRates(1)[0],
            .sample(try sample(.stepCount, Quantity(12, .count), seconds: 5)),
            .category(
                try CategorySample(
                    id: category.id, type: .highHeartRateEvent, start: category.time,
                    end: category.time, value: 0, person: "ada", device: device, source: source)),
            .correlation(
                try Correlation(
                    id: correlation.id, type: .bloodPressure, start: members[0].start,
                    end: members[1].start, samples: members.map { .quantity($0) }, person: "ada",
                    device: device, source: source)),
            .workout(
                try Workout(
                    id: workout.id, activity: WorkoutActivity(.running), start: workout.time,
                    end: workout.time.adding(nanoseconds: 600_000_000_000), person: "ada",
                    source: source)),
            .event(
                DeviceEvent(
                    id: event.id, at: event.time, device: device, source: source,
                    state: DeviceState(connection: .connected, contact: true, battery: 0.5))),
        ]
    }

    private mutating func sample(
        _ type: QuantityType, _ quantity: Quantity, seconds: Int64
    ) throws -> QuantitySample {
        let (id, time) = next()
        return try QuantitySample(
            id: id, type: type, start: time,
            end: time.adding(nanoseconds: seconds * 1_000_000_000), quantity: quantity,
            person: "ada", device: device, source: source)
    }

    private mutating func next() -> (id: RecordID, time: Instant) {
        count += 1
        let time = start.adding(nanoseconds: Int64(count) * 1_000_000_000)
        let id = RecordID.make(
            start: time, device: "conformance", stream: "conformance", key: count)
        return (id, time)
    }
}
