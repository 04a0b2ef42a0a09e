import HealthModel
import HealthStore
import SQLiteStore

/// Records of every kind, versions of them, deletions, and what a store has besides records.
enum EveryKind {
    private static func instant(_ seconds: Int) -> Instant {
        Instant(nanosecondsSince1970: Int64(seconds) * 1_000_000_000)
    }

    private static func sample(
        _ number: Int, _ value: Double, metadata: Metadata = Metadata()
    ) throws -> QuantitySample {
        try QuantitySample(
            id: RecordID(high: UInt64(number), low: 1), type: .bodyMass, start: instant(number),
            end: instant(number), quantity: Quantity(value, .kilogram), person: "ada",
            device: Device(name: "scale", localIdentifier: "D0:11:22:33:44:55"),
            source: SourceRevision(name: "scales", version: "1"), metadata: metadata)
    }

    private static func version(_ version: Double) throws -> Metadata {
        var metadata = try Metadata(["n": .number(version)])
        try metadata.setSync(identifier: "mass", version: version)
        return metadata
    }

    private static func pressure(_ id: UInt64, _ type: QuantityType) throws -> Correlation.Member {
        .quantity(
            try QuantitySample(
                id: RecordID(high: id, low: 6), type: type, start: instant(9), end: instant(9),
                quantity: Quantity(100, .millimeterOfMercury), person: "ada"))
    }

    /// Stores them.
    static func save(in store: SQLiteStore) async throws {
        let workout = try Workout(
            id: RecordID(high: 7 << 48, low: 1), activity: WorkoutActivity(.running),
            location: .outdoor, start: instant(0), end: instant(600),
            events: [
                WorkoutEvent(.pause, at: instant(30)), WorkoutEvent(.resume, at: instant(40)),
            ],
            totals: [WorkoutTotal(.activeEnergyBurned, sum: Quantity(12.5, .kilocalorie))],
            person: "ada", metadata: Metadata(["HKWorkoutBrandName": .string("Park \u{e9}")]))
        let records: [Record] = [
            .sample(try sample(1, 70)), .sample(try sample(2, 71, metadata: version(1))),
            .sample(try sample(3, 71.5, metadata: version(2))), .sample(try sample(4, 72)),
            .category(
                try CategorySample(
                    id: RecordID(high: 1, low: 5), type: .sleepAnalysis, start: instant(1),
                    end: instant(90), value: 4, person: "eve")),
            .correlation(
                try Correlation(
                    id: RecordID(high: 1, low: 7), type: .bloodPressure, start: instant(9),
                    end: instant(9),
                    samples: [
                        pressure(2, .bloodPressureSystolic), pressure(3, .bloodPressureDiastolic),
                    ], person: "ada")),
            .workout(workout),
            .event(
                DeviceEvent(
                    id: RecordID(high: 1, low: 30), at: instant(3), device: Device(name: "c"),
                    state: DeviceState(battery: 0.5))),
        ]
        _ = try await store.save(records)
        _ = try await store.save(
            [.sample(try sample(5, 73))],
            of: ImportedFile(path: "/home/ada/export.xml"))
        try await store.saveSession(
            PersistedSession(
                id: RecordID(high: 9, low: 3), person: "eve", text: "{\"phase\":\"running\"}",
                seen: instant(9)))
        let whole = SQLiteHealthStore(store, types: .standard)
        try await whole.setCharacteristics(
            Characteristics(biologicalSex: .female, bloodType: .aPositive), of: "ada")
        _ = try await whole.delete([RecordID(high: 4, low: 1)])
    }
}
