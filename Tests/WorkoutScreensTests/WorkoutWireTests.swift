import GatewayCore
import HealthModel
import JSON
import Platform
import Workouts
import XCTest

@testable import WorkoutScreens

final class WorkoutWireTests: XCTestCase {
    private func assertComesBack(_ live: LiveWorkout, line: UInt = #line) throws {
        let bytes = WorkoutWire.line(live)
        XCTAssertFalse(bytes.contains(UInt8(ascii: "\n")), line: line)
        XCTAssertEqual(try WorkoutWire.read(line: bytes), live, line: line)
    }

    func testLine_roundTrips() throws {
        try assertComesBack(LiveWorkoutExample.full())
        for state in WorkoutState.allCases { try assertComesBack(LiveWorkoutExample.bare(state)) }
    }

    func testLine_roundTripsWithoutEachOptional() throws {
        let changes: [(inout LiveWorkout) -> Void] = [
            { $0.measures.heartRate = nil }, { $0.measures.zoneSeconds = [] },
            { $0.measures.energyKilocalories = nil }, { $0.measures.energyMethods = [] },
            { $0.measures.distanceMeters = nil }, { $0.measures.stepCount = nil },
            { $0.measures.cadence = nil }, { $0.measures.speed = nil },
            { $0.measures.rmssdMilliseconds = nil }, { $0.lap = WorkoutMeasures() },
            { $0.measures.power = nil }, { $0.power = nil }, { $0.measures.workKilojoules = nil },
            { $0.speed = nil }, { $0.cadence = nil }, { $0.rmssdMilliseconds = nil },
            { $0.zoneBounds = [] }, { $0.plot = [] }, { $0.step = nil }, { $0.gapCount = 0 },
            { $0.isSaved = true },
            { $0.step?.progress = nil }, { $0.step?.advice = nil }, { $0.step?.name = "" },
            { $0.step?.remaining = "" }, { $0.lap.stepCount = 12.5 },
        ]
        for change in changes {
            var live = LiveWorkoutExample.full()
            change(&live)
            try assertComesBack(live)
        }
    }

    func testLine_roundTripsEveryCase() throws {
        var live = LiveWorkoutExample.full()
        let hearts: [LiveWorkout.Heart] = [
            .waiting, .rate(152.5, zone: nil, device: nil, isBackup: true),
            .rate(40, zone: 0, device: "", isBackup: false), .noContact(device: nil),
            .noContact(device: "a \"b\"\u{7}"), .lost(device: nil), .lost(device: "H10"),
        ]
        for heart in hearts {
            live.heart = heart
            try assertComesBack(live)
        }
        for advice in LiveWorkout.Advice.allCases {
            live.step?.advice = advice
            try assertComesBack(live)
        }
        for location in WorkoutLocation.allCases {
            live.location = location
            try assertComesBack(live)
        }
        live.measures.energyMethods = Set(EnergyMethod.allCases)
        try assertComesBack(live)
        for activity in [
            WorkoutActivity(customName: "prancercise"), WorkoutActivity(number: 4_711),
            WorkoutActivity(.other),
        ] {
            live.activity = try XCTUnwrap(activity)
            try assertComesBack(live)
        }
    }

    func testLine_hasTheDocumentedKeys() {
        let line = String(
            decoding: WorkoutWire.line(LiveWorkoutExample.bare(.paused)), as: UTF8.self)
        XCTAssertEqual(
            line,
            #"{"live":{"id":"00000000-0000-0001-0000-000000000002","person":"ada","#
                + #""activity":"running","activityNumber":37,"location":"outdoor","state":"paused","#
                + #""at":"2026-11-22T10:53:45.000Z","start":"2026-11-22T09:30:00.000Z","#
                + #""heart":{"state":"waiting"},"measures":{"elapsedSeconds":0,"activeSeconds":0,"#
                + #""zoneSeconds":[],"energyMethods":[]},"lapNumber":1,"lap":{"elapsedSeconds":0,"#
                + #""activeSeconds":0,"zoneSeconds":[],"energyMethods":[]},"zoneBounds":[],"#
                + #""plot":{"secondsAgo":[],"rate":[]},"gaps":0}}"#)
    }

    func testRead_skipsUnknownKeys() throws {
        let bare = LiveWorkoutExample.bare(.running)
        let line = String(decoding: WorkoutWire.line(bare), as: UTF8.self)
        let newer = line.replacing(
            #""heart":{"#, with: #""mood":{"x":[1]},"heart":{"later":null,"#)
        XCTAssertNotEqual(newer, line)
        XCTAssertEqual(try WorkoutWire.read(line: newer.utf8), bare)
        XCTAssertNil(try WorkoutWire.read(line: #"{"ended":{}}"#.utf8))
        let heart = line.replacing(#""state":"waiting""#, with: #""state":"flying","rate":200"#)
        XCTAssertEqual(try WorkoutWire.read(line: heart.utf8)?.heart, .waiting)
    }

    func testRead_ofInvalidValues_throws() {
        let line = String(
            decoding: WorkoutWire.line(LiveWorkoutExample.full()), as: UTF8.self)
        let changes: [(String, String)] = [
            (#""id":"0"#, #""id":"x"#), (#""at":"2026"#, #""at":"x"#), (#""start":"#, #""begin":"#),
            (#""state":"running""#, #""state":"flying""#), (#""location":"#, #""place":"#),
            (#""activityNumber":37"#, #""activityNumber":-1"#),
            (#""activityNumber":37"#, #""activityNumber":0"#),
            (#""activityNumber":37"#, #""activityNumber":1e300"#),
            (#""lapNumber":15"#, #""lapNumber":1.5"#), (#""gaps":2"#, #""gaps":"two""#),
            (#""speed":3.2"#, #""speed":Infinity"#), (#""zone":4"#, #""zone":[]"#),
            (#""zoneBounds":["#, #""zoneBounds":["a","#),
            (#""heart":{"#, #""heart":[{"#),
            (#""rate":["#, #""rate":[null,"#),
            (
                #""zoneBounds":["#,
                #""zoneBounds":["# + String(repeating: "1,", count: WorkoutWire.maximumZoneCount)
            ),
        ]
        for (old, new) in changes {
            let wrong = line.replacing(old, with: new)
            XCTAssertNotEqual(wrong, line, old)
            XCTAssertThrowsError(try WorkoutWire.read(line: wrong.utf8), new) {
                XCTAssertTrue($0 is JSONError)
            }
        }
    }

    func testRead_ofEveryTruncatedLine_throws() {
        let line = WorkoutWire.line(LiveWorkoutExample.bare(.running))
        for count in 0..<line.count {
            XCTAssertThrowsError(try WorkoutWire.read(line: line.prefix(count)))
        }
    }

    func testRead_ofDamagedLines_neverTraps() {
        var generator = SeededGenerator(seed: 6)
        let line = WorkoutWire.line(LiveWorkoutExample.full())
        var read = 0
        for _ in 0..<300 {
            var damaged = line
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<line.count, using: &generator)] = UInt8.random(
                    in: 0x20..<0x7F, using: &generator)
            }
            guard let live = try? WorkoutWire.read(line: damaged) else { continue }
            read += 1
            _ = WorkoutScreen(live, style: .plain()).lines(columns: 80, rows: 24)
        }
        // Most damage only changes numbers.
        XCTAssertGreaterThan(read, 0)
    }
}
