import HealthModel
import XCTest

final class CorrelationTests: XCTestCase {
    private func correlation(
        _ type: CorrelationType, _ samples: [Correlation.Member],
        end: Instant = RecordExamples.start
    ) throws -> Correlation {
        try Correlation(
            id: RecordExamples.id, type: type, start: RecordExamples.start, end: end,
            samples: samples)
    }

    private func error(
        _ type: CorrelationType, _ samples: [Correlation.Member],
        end: Instant = RecordExamples.start
    ) -> SampleError? {
        do {
            _ = try correlation(type, samples, end: end)
            return nil
        } catch {
            return error as? SampleError
        }
    }

    private func food(_ number: Int, metadata: Metadata = Metadata()) throws -> Correlation.Member {
        let start = RecordExamples.start
        return .quantity(
            try QuantitySample(
                id: RecordExamples.member(number), type: .dietaryEnergyConsumed, start: start,
                end: start.adding(nanoseconds: 1), quantity: Quantity(100, .kilocalorie),
                metadata: metadata))
    }

    func testBloodPressure_isOneSystolicAndOneDiastolic() throws {
        let systolic = try RecordExamples.pressure(.bloodPressureSystolic, 120, 1)
        let diastolic = try RecordExamples.pressure(.bloodPressureDiastolic, 80, 2)
        let another = try RecordExamples.pressure(.bloodPressureSystolic, 121, 3)
        XCTAssertEqual(
            try correlation(.bloodPressure, [diastolic, systolic]).samples, [systolic, diastolic])
        let wrong = [
            [], [systolic], [diastolic], [systolic, another], [systolic, diastolic, another],
            [systolic, .category(try RecordExamples.sleep(4))],
        ]
        for members in wrong {
            XCTAssertEqual(
                error(.bloodPressure, members),
                .members(
                    type: "bloodPressure",
                    expected: "one bloodPressureSystolic and one bloodPressureDiastolic"))
        }
    }

    func testFood_hasADietaryQuantity_andMayHaveOthers() throws {
        let sleep = Correlation.Member.category(try RecordExamples.sleep(2))
        XCTAssertNoThrow(try correlation(.food, [try food(1)]))
        XCTAssertNoThrow(try correlation(.food, [try food(1), sleep]))
        for members in [[], [sleep]] {
            XCTAssertEqual(
                error(.food, members),
                .members(type: "food", expected: "at least one dietary quantity"))
        }
    }

    func testMembers_areASet_whateverTheirOrder() throws {
        let members = try (1...5).map { try food($0) }
        XCTAssertEqual(
            try correlation(.food, members), try correlation(.food, members.reversed()))
    }

    func testInit_whenAnIDIsDuplicate_throws() throws {
        XCTAssertEqual(
            error(.food, [try food(1), try food(1)]), .duplicateID(type: "food"))
        let own = Correlation.Member.category(
            try CategorySample(
                id: RecordExamples.id, type: .mindfulSession, start: RecordExamples.start,
                end: RecordExamples.start, value: 0))
        XCTAssertEqual(error(.food, [try food(1), own]), .duplicateID(type: "food"))
    }

    func testInit_whenThereIsTooMuch_throws() throws {
        let most = try (0..<Correlation.maximumCount).map { try food($0) }
        XCTAssertNil(error(.food, most))
        XCTAssertEqual(
            error(.food, most + [try food(99)]), .tooManyMembers(type: "food"))
        let metadata = try Metadata(["x": .string(String(repeating: "\u{1}", count: 4_000))])
        let large = try (0..<3).map { try food($0, metadata: metadata) }
        XCTAssertNil(error(.food, Array(large.prefix(2))))
        XCTAssertEqual(error(.food, large), .tooLong(type: "food"))
    }

    func testInit_whenItEndsBeforeItStarts_throws() throws {
        XCTAssertEqual(
            error(.food, [try food(1)], end: RecordExamples.start.adding(nanoseconds: -1)),
            .endBeforeStart(type: "food"))
    }

    func testNames_areHealthKits() {
        XCTAssertEqual(
            CorrelationType.bloodPressure.healthKitIdentifier,
            "HKCorrelationTypeIdentifierBloodPressure")
        XCTAssertEqual(CorrelationType.named("HKCorrelationTypeIdentifierFood"), .food)
        XCTAssertEqual(CorrelationType.named("food"), .food)
        XCTAssertNil(CorrelationType.named("Food"))
    }
}
