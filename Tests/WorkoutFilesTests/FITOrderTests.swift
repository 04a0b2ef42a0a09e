import HealthModel
import Workouts
import XCTest

@testable import WorkoutFiles

/// The order and sums that programs rely on which read FIT.
final class FITOrderTests: XCTestCase {
    private func messages(_ recorded: RecordedWorkout) throws -> [FITMessage] {
        var reader = try FITReader(
            WorkoutFile.export(recorded, as: .fit, by: RecordedRun.recorder))
        var messages: [FITMessage] = []
        while let message = try reader.next() { messages.append(message) }
        return messages
    }

    func testTimes_whenAMarkerLiesInAPause_neverGoBack() throws {
        var run = RecordedRun()
        run.events = [
            WorkoutEvent(.pause, at: RecordedRun.at(100)),
            WorkoutEvent(.marker, at: RecordedRun.at(130)),
            WorkoutEvent(.resume, at: RecordedRun.at(160)),
            WorkoutEvent(.marker, at: RecordedRun.at(170)),
        ]
        for second in [50.0, 200] {
            try run.add(.heartRate, 120, second, from: RecordedRun.strap)
        }

        let middle = try messages(run.recorded(laps: [0], end: 300))
            .filter { $0.kind == .event || $0.kind == .record }

        let start = RecordedRun.at(0).wholeSecond
        XCTAssertEqual(
            middle.compactMap(\.second).map { $0 - start },
            [0, 50, 100, 130, 160, 170, 200, 300])
    }

    func testLaps_whenAPauseIsShorterThanAMillisecond_haveNoMoreTimerThanElapsed() throws {
        var run = RecordedRun()
        run.events = [
            WorkoutEvent(.pause, at: RecordedRun.at(0.5)),
            WorkoutEvent(.resume, at: RecordedRun.at(0.5006)),
        ]

        let messages = try messages(run.recorded(laps: [0, 1], end: 2.0002))

        let laps = messages.filter { $0.kind == .lap }
        XCTAssertEqual(laps.map { $0.number(7) }, [1_000, 1_000])
        XCTAssertEqual(laps.map { $0.number(8) }, [999, 1_000])
        let session = try XCTUnwrap(messages.first { $0.kind == .session })
        XCTAssertEqual(session.number(7), 2_000)
        XCTAssertEqual(session.number(8), 1_999)
    }

    func testRecords_ofATriathlon_countAllItsDistances() throws {
        var run = RecordedRun()
        run.activity = WorkoutActivity(.swimBikeRun)
        try run.add(.distanceSwimming, 40, 0, 60, from: Device(localIdentifier: "watch"))
        try run.add(.distanceCycling, 500, 60, 120, from: Device(localIdentifier: "bike"))
        try run.add(.distanceWalkingRunning, 180, 120, 180, from: RecordedRun.pod)
        let recorded = RecordedWorkout(
            workout: try run.recorded(laps: [0], end: 180).workout, allSamples: run.samples,
            subject: WorkoutSubject())

        let messages = try messages(recorded)

        XCTAssertEqual(recorded.measures.distanceMeters, 720)
        let records = messages.filter { $0.kind == .record }.map { $0.number(5) }
        XCTAssertEqual(records, [4_000, 54_000, 72_000])
        XCTAssertEqual(messages.first { $0.kind == .session }?.number(9), 72_000)
    }
}
