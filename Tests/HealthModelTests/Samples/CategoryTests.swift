import HealthModel
import XCTest

final class CategoryTests: XCTestCase {
    private let start = RecordExamples.start

    func testTypes_haveHealthKitsNamesAndNumbers() {
        let expected: [(CategoryType, String, [Int])] = [
            (.highHeartRateEvent, "HKCategoryTypeIdentifierHighHeartRateEvent", [0]),
            (.lowHeartRateEvent, "HKCategoryTypeIdentifierLowHeartRateEvent", [0]),
            (
                .irregularHeartRhythmEvent, "HKCategoryTypeIdentifierIrregularHeartRhythmEvent",
                [0]
            ),
            (.lowCardioFitnessEvent, "HKCategoryTypeIdentifierLowCardioFitnessEvent", [1]),
            (.appleStandHour, "HKCategoryTypeIdentifierAppleStandHour", [0, 1]),
            (.mindfulSession, "HKCategoryTypeIdentifierMindfulSession", [0]),
            (.sleepAnalysis, "HKCategoryTypeIdentifierSleepAnalysis", [0, 1, 2, 3, 4, 5]),
        ]
        XCTAssertEqual(CategoryType.all, expected.map(\.0))
        for (type, identifier, numbers) in expected {
            XCTAssertEqual(type.healthKitIdentifier, identifier)
            XCTAssertEqual(type.values.map(\.number), numbers)
            XCTAssertEqual(CategoryType.named(type.name), type)
            XCTAssertEqual(CategoryType.named(identifier), type)
        }
        XCTAssertEqual(
            CategoryType.sleepAnalysis.values.map(\.name),
            ["inBed", "asleepUnspecified", "awake", "asleepCore", "asleepDeep", "asleepREM"])
        XCTAssertNil(CategoryType.named("heartRate"))
    }

    func testNames_differFromQuantityTypes() {
        for name in RecordType.otherNames { XCTAssertNil(QuantityTypes.standard.named(name), name) }
        XCTAssertEqual(Set(RecordType.otherNames).count, RecordType.otherNames.count)
        for name in RecordType.otherNames {
            XCTAssertThrowsError(
                try QuantityTypes(
                    custom: [
                        QuantityType(
                            custom: name, aggregationStyle: .discreteArithmetic, unit: .count)
                    ])
            ) { XCTAssertEqual($0 as? QuantityTypeError, .nameTaken(name)) }
        }
    }

    func testInit_ofEveryValue_andOfNoOther() throws {
        for type in CategoryType.all {
            for number in -2...9 {
                let sample = try? CategorySample(
                    id: RecordExamples.id, type: type, start: start, end: start, value: number)
                XCTAssertEqual(sample?.valueName, type.nameOfValue(number), "\(type) \(number)")
            }
        }
        XCTAssertThrowsError(
            try CategorySample(
                id: RecordExamples.id, type: .appleStandHour, start: start, end: start, value: 5)
        ) {
            XCTAssertEqual($0 as? SampleError, .unknownValue(type: "appleStandHour"))
            XCTAssertEqual(
                "\($0)", "unknown value of appleStandHour; known: 0 (stood), 1 (idle)")
        }
    }

    func testInit_whenTimesOrPersonAreWrong_throws() {
        XCTAssertThrowsError(
            try CategorySample(
                id: RecordExamples.id, type: .sleepAnalysis, start: start,
                end: start.adding(nanoseconds: -1), value: 0)
        ) { XCTAssertEqual($0 as? SampleError, .endBeforeStart(type: "sleepAnalysis")) }
        XCTAssertThrowsError(
            try CategorySample(
                id: RecordExamples.id, type: .sleepAnalysis, start: start, end: start, value: 0,
                person: "a b")
        ) { XCTAssertEqual($0 as? SampleError, .person) }
    }
}
