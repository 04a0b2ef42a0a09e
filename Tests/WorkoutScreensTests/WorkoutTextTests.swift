import HealthModel
import XCTest

@testable import Terminal
@testable import WorkoutScreens
@testable import Workouts

final class WorkoutTextTests: XCTestCase {
    private let start = LiveWorkoutExample.start

    private func at(_ seconds: Double) -> Instant {
        start.adding(nanoseconds: Int64(seconds * 1e9))
    }

    private func rate(_ seconds: Double, _ value: Double) throws -> QuantitySample {
        try QuantitySample(
            id: RecordID(high: 1, low: UInt64(seconds)), type: .heartRate, start: at(seconds),
            end: at(seconds), quantity: Quantity(value, .countPerMinute))
    }

    private func measures(_ seconds: Double, heart: Double) -> WorkoutMeasures {
        var measures = WorkoutMeasures()
        (measures.elapsedSeconds, measures.activeSeconds) = (seconds, seconds)
        measures.heartRate = WorkoutMeasures.Spread(
            average: heart, minimum: heart - 10, maximum: heart + 10)
        return measures
    }

    /// A run of ten minutes with a pause, a gap, a backup strap and two laps.
    private func run() throws -> RecordedWorkout {
        let events = [
            WorkoutEvent(.pause, at: at(100)), WorkoutEvent(.resume, at: at(160)),
            try WorkoutEvent(.lap, from: at(0), to: at(300)), WorkoutEvent(.marker, at: at(320)),
            try WorkoutEvent(
                .segment, from: at(400), to: at(440),
                metadata: Metadata(["PulsegateGap": .string("the gateway was started again\u{7}")])),
            try WorkoutEvent(
                .segment, from: at(500), to: at(560),
                metadata: Metadata(["PulsegateBackupDevice": .string("Verity")])),
        ]
        let workout = try Workout(
            id: RecordID(high: 0x0198_f3c2_0000_0000, low: 7), activity: WorkoutActivity(.running),
            location: .outdoor, start: start, end: at(600), events: events, person: "ada")
        var whole = measures(600, heart: 140)
        whole.activeSeconds = 540
        whole.distanceMeters = 1_800
        whole.energyKilocalories = 120
        whole.energyMethods = [.heartRate]
        whole.zoneSeconds = [0, 60, 120, 240, 120, 0]
        whole.stepCount = 1_500
        whole.rmssdMilliseconds = 9
        let times =
            Array(stride(from: 0.0, to: 100, by: 2)) + Array(stride(from: 162.0, to: 400, by: 2))
        let rates = try times.map { try rate($0, 100 + $0 / 10) }
        var second = measures(300, heart: 150)
        second.distanceMeters = 1_000
        return RecordedWorkout(
            workout: workout, samples: rates, measures: whole,
            laps: [
                WorkoutLap(span: at(0)..<at(300), measures: measures(240, heart: 130)),
                WorkoutLap(span: at(300)..<at(600), measures: second),
            ],
            zones: try HeartRateZones(maximum: Quantity(188, .countPerMinute)))
    }

    func testText_hasAllParts() throws {
        let recovery = try Quantity(34, .countPerMinute)
        let text = WorkoutText(
            recorded: try run(), style: .plain(), recovery: recovery, columns: 60
        ).text
        XCTAssertEqual(
            text,
            """
            running · outdoor · ada
              time        2026-11-22 09:30:00 to 09:40:00
              duration    9:00, 10:00 with pauses
              heart rate  140 (130 to 150) count/min
              energy      120 kcal, by heart rate (Keytel 2005, without rest)
              distance    1.80 km, 5:00 min/km
              steps       1500
              RMSSD       9 ms
              recovery    34 count/min in the first minute
              id          0198f3c2-0000-0000-0000-000000000007

            LAP  DURATION  DISTANCE         PACE  AVERAGE  HIGHEST
              1      4:00         -            -      130      140
              2      5:00   1.00 km  5:00 min/km      150      160

            ZONE          COUNT/MIN  TIME  SHARE
            5 maximum     ≥170       0:00    0 %
            4 hard        151–169    2:00   22 %  ████████████
            3 moderate    132–150    4:00   44 %  ████████████████████████
            2 light       113–131    2:00   22 %  ████████████
            1 very light  94–112     1:00   11 %  ██████
            0             <94        0:00    0 %

            140│                                ⢀⣀⠤⠖⠊⠁
               │                            ⣀⡤⠔⠚⠉
               │                       ⢀⡠⠴⠒⠉⠁
               │                  ⢀⣠⠤⠒⠋⠁
               │               ⠤⠖⠊⠉
               │         ⡀
               │    ⢀⡠⠴⠒⠉⠁
            100│⣠⠤⠒⠋⠁
                0:00                                               10:00

            09:31:40  paused for 1:00
            09:35:20  marker
            09:36:40  no samples for 0:40: the gateway was started again\\u{7}
            09:38:20  backup strap Verity used for 1:00

            """)
    }

    func testText_inANarrowTerminal_hasAllPartsInItsWidth() throws {
        let width = TerminalWidth(columns: 40, characters: .unicode)
        let text = WorkoutText(
            recorded: try run(), style: .plain(width: width), columns: width.columns
        ).text
        for line in text.split(separator: "\n") {
            XCTAssertLessThanOrEqual(TextWidth.columns(of: String(line)), 40, String(line))
        }
        let parts = text.components(separatedBy: "\n\n")
        XCTAssertTrue(
            parts[0].contains(
                """
                  energy      120 kcal, by heart rate
                              (Keytel 2005, without
                              rest)
                """), text)
        XCTAssertEqual(
            parts[1],
            """
            LAP  DURATION         PACE  AVERAGE
              1      4:00            -      130
              highest: 140
              2      5:00  5:00 min/km      150
              distance: 1.00 km; highest: 160
            """)
        XCTAssertTrue(
            parts[2].hasSuffix(
                """
                3 moderate    132–150    4:00   44 %  ██
                2 light       113–131    2:00   22 %  █
                1 very light  94–112     1:00   11 %  ▌
                0             <94        0:00    0 %
                """), text)
        XCTAssertTrue(
            text.hasSuffix(
                """
                09:36:40  no samples for 0:40: the
                          gateway was started again\\u{7}
                09:38:20  backup strap Verity used for
                          1:00

                """), text)
    }

    func testText_ofAWorkoutWithoutSamples_isItsSummary() throws {
        let workout = try Workout(
            id: RecordID(high: 1, low: 2), activity: WorkoutActivity(.yoga), start: start,
            end: at(86_400))
        let recorded = RecordedWorkout(
            workout: workout, samples: [], measures: WorkoutMeasures(), laps: [], zones: nil)
        XCTAssertEqual(
            WorkoutText(recorded: recorded, style: .plain()).text,
            """
            yoga
              time        2026-11-22 09:30:00 to 2026-11-23 09:30:00
              duration    0:00
              id          00000000-0000-0001-0000-000000000002

            """)
    }

    func testText_inALocaleWithoutUTF8_isASCII() throws {
        let text = WorkoutText(recorded: try run(), style: .plain(.ascii)).text
        XCTAssertTrue(text.utf8.allSatisfy { $0 < 0x80 }, text)
        XCTAssertTrue(text.contains("4 hard        151-169    2:00   22 %  ############"), text)
    }

    func testText_inColour_isTheSameText() throws {
        let painted = WorkoutText(recorded: try run(), style: .style(Painter(isOn: true))).text
        XCTAssertEqual(
            painted.withoutStyles, WorkoutText(recorded: try run(), style: .plain()).text)
        XCTAssertTrue(painted.contains("\u{1b}[31m5 maximum\u{1b}[0m"))
    }

    // MARK: Lists

    private func workout(_ high: UInt64, _ totals: [WorkoutTotal] = []) throws -> Workout {
        try Workout(
            id: RecordID(high: high, low: 7), activity: WorkoutActivity(.running), start: start,
            end: at(600), totals: totals, person: high == 1 << 32 ? nil : "ada")
    }

    func testList_hasARowForEachAndHowManyThereAre() throws {
        let totals = [
            try WorkoutTotal(.distanceWalkingRunning, sum: Quantity(1.8, Unit(parsing: "km"))),
            try WorkoutTotal(.activeEnergyBurned, sum: Quantity(120, .kilocalorie)),
            try WorkoutTotal(
                .heartRate, average: Quantity(140, .countPerMinute),
                minimum: Quantity(100, .countPerMinute), maximum: Quantity(160, .countPerMinute)),
        ]
        let list = WorkoutListText(style: .plain())
        XCTAssertEqual(
            list.text(
                [try workout(0x0198_f3c2_0000_0000, totals), try workout(1 << 32)],
                among: (1...12).map { RecordID(high: $0 << 32, low: 7) }),
            """
            START             ACTIVITY  PERSON  DURATION  DISTANCE    ENERGY  AVERAGE  ID
            2026-11-22 09:30  running   ada        10:00   1.80 km  120 kcal      140  0198f3c2
            2026-11-22 09:30  running   -          10:00         -         -        -  00000001
            2 of 12 workouts

            """)
        XCTAssertEqual(list.text([], among: []), "0 of 0 workouts\n")
        let one = list.text([try workout(1)], among: [RecordID(high: 1, low: 7)])
        XCTAssertTrue(one.hasSuffix("\n1 of 1 workout\n"))
    }

    func testShortIDs_areAsLongAsTheyDiffer_fromAllOthers() {
        func id(_ high: UInt64, _ low: UInt64 = 0) -> RecordID { RecordID(high: high, low: low) }
        func short(_ ids: [RecordID], among others: [RecordID] = []) -> [String] {
            WorkoutListText.shortIDs(ids, among: others)
        }
        XCTAssertEqual(short([]), [])
        XCTAssertEqual(short([id(1 << 32)]), ["00000001"])
        XCTAssertEqual(short([id(1 << 20), id(2 << 20)]), ["00000000-001", "00000000-002"])
        XCTAssertEqual(short([id(1, 1), id(1, 2), id(1, 2)]).map(\.count), [36, 36, 36])
        XCTAssertEqual(
            short([id(1 << 20)], among: [id(2 << 20), id(1 << 20), id(7 << 32)]), ["00000000-001"])
        XCTAssertEqual(short([id(7 << 32)], among: [id(1 << 20), id(2 << 20)]), ["00000007"])
    }

    func testStatus_hasALineForEachWorkout() {
        var other = LiveWorkoutExample.bare(.paused)
        other.person = "bob"
        other.heart = .lost(device: "H10")
        XCTAssertEqual(
            WorkoutListText(style: .plain()).text([LiveWorkoutExample.full(), other]),
            """
            ada  running  RUNNING  1:20:11  lap 15  152 count/min  zone 4 of 5, hard  14.32 km  912 kcal
            bob  running  PAUSED  0:00  lap 1  LOST

            """)
        XCTAssertEqual(WorkoutListText(style: .plain()).text([]), "no workout in progress\n")
    }
}
