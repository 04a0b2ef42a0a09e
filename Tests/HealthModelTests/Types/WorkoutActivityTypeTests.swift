import HealthModel
import XCTest

final class WorkoutActivityTypeTests: XCTestCase {
    /// Numbers and names of Apple's header.
    private static let facts = """
        1 americanFootball
        2 archery
        3 australianFootball
        4 badminton
        5 baseball
        6 basketball
        7 bowling
        8 boxing
        9 climbing
        10 cricket
        11 crossTraining
        12 curling
        13 cycling
        14 dance
        15 danceInspiredTraining
        16 elliptical
        17 equestrianSports
        18 fencing
        19 fishing
        20 functionalStrengthTraining
        21 golf
        22 gymnastics
        23 handball
        24 hiking
        25 hockey
        26 hunting
        27 lacrosse
        28 martialArts
        29 mindAndBody
        30 mixedMetabolicCardioTraining
        31 paddleSports
        32 play
        33 preparationAndRecovery
        34 racquetball
        35 rowing
        36 rugby
        37 running
        38 sailing
        39 skatingSports
        40 snowSports
        41 soccer
        42 softball
        43 squash
        44 stairClimbing
        45 surfingSports
        46 swimming
        47 tableTennis
        48 tennis
        49 trackAndField
        50 traditionalStrengthTraining
        51 volleyball
        52 walking
        53 waterFitness
        54 waterPolo
        55 waterSports
        56 wrestling
        57 yoga
        58 barre
        59 coreTraining
        60 crossCountrySkiing
        61 downhillSkiing
        62 flexibility
        63 highIntensityIntervalTraining
        64 jumpRope
        65 kickboxing
        66 pilates
        67 snowboarding
        68 stairs
        69 stepTraining
        70 wheelchairWalkPace
        71 wheelchairRunPace
        72 taiChi
        73 mixedCardio
        74 handCycling
        75 discSports
        76 fitnessGaming
        77 cardioDance
        78 socialDance
        79 pickleball
        80 cooldown
        82 swimBikeRun
        83 transition
        84 underwaterDiving
        3000 other
        """

    func testEveryActivity_hasHealthKitsNumberAndName() throws {
        let rows = Self.facts.split(separator: "\n").map { $0.split(separator: " ") }
        XCTAssertEqual(rows.count, WorkoutActivityType.allCases.count)
        for row in rows {
            let activity = try XCTUnwrap(
                WorkoutActivityType(rawValue: try XCTUnwrap(UInt(row[0]))), "\(row[0])")
            XCTAssertEqual(activity.name, String(row[1]))
            XCTAssertEqual(WorkoutActivityType.named(activity.name), activity)
            XCTAssertEqual(WorkoutActivityType.named(activity.identifier), activity)
        }
    }

    func testNumbers_areThoseFrom1To84Without81_andOneForTheRest() {
        XCTAssertEqual(
            Set(WorkoutActivityType.allCases.map(\.rawValue)),
            Set(1...84).subtracting([81]).union([3_000]))
        for number: UInt in [0, 81, 85, 2_999, 3_001] {
            XCTAssertNil(WorkoutActivityType(rawValue: number))
        }
    }

    func testIdentifier_isTheOneOfExports() {
        XCTAssertEqual(
            WorkoutActivityType.highIntensityIntervalTraining.identifier,
            "HKWorkoutActivityTypeHighIntensityIntervalTraining")
        XCTAssertEqual(WorkoutActivityType.taiChi.identifier, "HKWorkoutActivityTypeTaiChi")
        XCTAssertNil(WorkoutActivityType.named("Running"))
        XCTAssertNil(WorkoutActivityType.named("HKWorkoutActivityType"))
    }

    func testSuperseded_areTheThreeThatAreOnlyInOlderData() {
        XCTAssertEqual(
            WorkoutActivityType.allCases.filter(\.isSuperseded),
            [.dance, .danceInspiredTraining, .mixedMetabolicCardioTraining])
    }
}
