import HealthModel
import XCTest

/// Example records with all fields, and with the required fields only.
enum RecordExamples {
    static let id = RecordID(high: 0x0198_F3C2_0123_8ABC, low: 0x9DEF_00FF_1020_3040)
    static let start = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)
    static let device = Device(
        name: "Polar H10 8A2F", manufacturer: "Polar Electro Oy", model: "H10",
        hardwareVersion: "00760690.03", firmwareVersion: "5.0.0", softwareVersion: "H10 3.1.1",
        localIdentifier: "D0:11:22:33:44:55", serial: "8A2F1234")
    static let source = SourceRevision(name: "straps", version: "1.0.0")

    static func fullSample() throws -> QuantitySample {
        try QuantitySample(
            id: id, type: .heartRate, start: start, end: start,
            quantity: Quantity(72, .countPerMinute), person: "ada", device: device, source: source,
            metadata: Metadata(["HKHeartRateSensorLocation": .number(1)]))
    }

    static func sample(
        _ value: Double = 1.5, metadata: Metadata = Metadata(), device: Device? = nil
    ) throws -> QuantitySample {
        try QuantitySample(
            id: id, type: .stepCount, start: start, end: start.adding(nanoseconds: 1_000_000_001),
            quantity: Quantity(value, .count), device: device, metadata: metadata)
    }

    static func fullEvent() -> DeviceEvent {
        DeviceEvent(
            id: id, at: start, device: Device(name: "Polar H10 8A2F"), source: source,
            person: "ada",
            state: DeviceState(connection: .connected, contact: true, battery: 0.87),
            reason: "found")
    }

    static func metadataOfEveryKind() throws -> Metadata {
        try Metadata([
            "string": .string("é \"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f} 💓"),
            "number": .number(-1.25e-7),
            "boolean": .boolean(false), "quantity": .quantity(Quantity(120, .countPerMinute)),
            "date": .date(start), "key \"\n\"": .string(""),
        ])
    }

    static func member(_ number: Int) -> RecordID {
        RecordID(high: id.high, low: UInt64(number))
    }

    static func pressure(
        _ type: QuantityType, _ value: Double, _ number: Int
    ) throws -> Correlation.Member {
        .quantity(
            try QuantitySample(
                id: member(number), type: type, start: start, end: start,
                quantity: Quantity(value, .millimeterOfMercury)))
    }

    static func bloodPressure() throws -> Correlation {
        try Correlation(
            id: id, type: .bloodPressure, start: start, end: start,
            samples: [
                pressure(.bloodPressureSystolic, 120, 1),
                pressure(.bloodPressureDiastolic, 80, 2),
            ], person: "ada")
    }

    /// Half an hour of deep sleep.
    static func sleep(_ number: Int) throws -> CategorySample {
        try CategorySample(
            id: member(number), type: .sleepAnalysis, start: start,
            end: start.adding(nanoseconds: 1_800_000_000_000), value: 4)
    }

    /// A meal with all fields of a correlation.
    static func meal() throws -> Correlation {
        let energy = try QuantitySample(
            id: member(1), type: .dietaryEnergyConsumed, start: start,
            end: start.adding(nanoseconds: 1), quantity: Quantity(640, .kilocalorie),
            person: "ada", device: device, source: source, metadata: metadataOfEveryKind())
        let calm = try CategorySample(
            id: member(2), type: .mindfulSession, start: start, end: start, value: 0,
            person: "bob", device: device, source: source, metadata: metadataOfEveryKind())
        return try Correlation(
            id: id, type: .food, start: start, end: start.adding(nanoseconds: 5),
            samples: [.quantity(energy), .category(calm)], person: "ada", device: device,
            source: source, metadata: metadataOfEveryKind())
    }

    /// A run of ten minutes with all fields of a workout.
    static func run() throws -> Workout {
        func time(_ seconds: Double) -> Instant {
            start.adding(nanoseconds: Int64(seconds * 1e9))
        }
        return try Workout(
            id: id, activity: WorkoutActivity(.running), location: .indoor, start: start,
            end: time(600),
            events: [
                WorkoutEvent(
                    .lap, from: time(0), to: time(300.5), metadata: metadataOfEveryKind()),
                WorkoutEvent(.pause, at: time(310)), WorkoutEvent(.resume, at: time(330)),
                WorkoutEvent(.marker, at: time(400)),
                WorkoutEvent(.motionPaused, at: time(410), metadata: metadataOfEveryKind()),
                WorkoutEvent(.motionResumed, at: time(420)),
                WorkoutEvent(.segment, from: time(500), to: time(510)),
            ],
            totals: [
                WorkoutTotal(
                    .heartRate, average: Quantity(132.5, .countPerMinute),
                    minimum: Quantity(80, .countPerMinute), maximum: Quantity(171, .countPerMinute)
                ),
                WorkoutTotal(
                    .activeEnergyBurned, sum: Quantity(112.25, .kilocalorie), method: "heartRate"),
            ], person: "ada", device: device, source: source, metadata: metadataOfEveryKind())
    }

    /// A workout with a custom activity and the required fields only.
    static func prancercise() throws -> Workout {
        let activity = try XCTUnwrap(WorkoutActivity(customName: "prancercise"))
        return try Workout(id: id, activity: activity, start: start, end: start)
    }

    /// Records that are neither quantity samples nor events.
    static func otherKinds() throws -> [Record] {
        [
            .category(try sleep(1)), .correlation(try bloodPressure()),
            .correlation(try meal()), .workout(try run()), .workout(try prancercise()),
            .category(
                try CategorySample(
                    id: id, type: .highHeartRateEvent, start: start, end: start, value: 0,
                    person: "ada", device: device, source: source,
                    metadata: Metadata([
                        "HKHeartRateEventThreshold": .quantity(Quantity(120, .countPerMinute))
                    ]))),
        ]
    }

    static func all() throws -> [Record] {
        try otherKinds() + [
            .sample(try fullSample()), .sample(try sample()),
            .sample(try sample(metadata: metadataOfEveryKind(), device: Device())),
            .event(fullEvent()),
            .event(DeviceEvent(id: id, at: start, device: Device(), state: DeviceState())),
            .event(
                DeviceEvent(
                    id: id, at: start, device: Device(), state: DeviceState(),
                    metadata: try metadataOfEveryKind())),
            .event(
                DeviceEvent(
                    id: id, at: start, device: device, state: DeviceState(battery: 1), reason: "")),
        ]
    }

    static func line(_ record: Record) -> [UInt8] {
        var buffer: [UInt8] = []
        RecordEncoder.append(record, to: &buffer)
        return buffer
    }
}
