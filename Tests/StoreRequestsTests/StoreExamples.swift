import HealthModel
import XCTest

/// Records for tests, from fixed numbers.
enum StoreExamples {
    static func time(_ text: String) throws -> Instant {
        try XCTUnwrap(Instant(iso8601: text), text)
    }

    static func id(_ number: UInt64) -> RecordID {
        RecordID(high: 0x0198_f3c2_0000_8000, low: 0x8000_0000_0000_0000 + number)
    }

    static func sample(
        _ number: UInt64, _ type: QuantityType, _ value: Double, from start: String,
        to end: String? = nil, of person: String = "ada"
    ) throws -> Record {
        .sample(
            try QuantitySample(
                id: id(number), type: type, start: time(start), end: time(end ?? start),
                quantity: Quantity(value, type.canonicalUnit), person: person,
                source: SourceRevision(name: "test")))
    }

    /// A run of ten minutes, which begins at the minute of an hour.
    static func workout(
        _ number: UInt64, _ activity: WorkoutActivityType = .running, minute: Int = 0,
        of person: String = "ada"
    ) throws -> Record {
        let start = try time("2026-11-22T18:00:00Z").adding(
            nanoseconds: Int64(minute) * 60_000_000_000)
        return .workout(
            try Workout(
                id: id(number), activity: WorkoutActivity(activity), start: start,
                end: start.adding(nanoseconds: 600_000_000_000), person: person,
                source: SourceRevision(name: "test")))
    }

    /// A heart rate each ten seconds of the run that begins at 18:00, from 120 on.
    static func rates(of person: String = "ada") throws -> [Record] {
        let start = try time("2026-11-22T18:00:00Z")
        return try (0...60).map { index in
            let at = start.adding(nanoseconds: Int64(index) * 10_000_000_000)
            return try sample(
                1_000 + UInt64(index), .heartRate, 120 + Double(index), from: "\(at)", of: person)
        }
    }
}
