import HealthModel
import Workouts
import XCTest

/// The progress of a plan and its advice.
final class PlanProgressTests: XCTestCase {
    private func progress(_ steps: String) throws -> PlanProgress {
        PlanProgress(try WorkoutPlan(json5: "{name: 'x', steps: [\(steps)]}"))
    }

    private typealias Moment = PlanProgress.Moment

    func testStep_byTime_isOverAfterItsTime() throws {
        var progress = try progress("{name: 'hard', time: '4m'}, {time: '1m'}")

        XCTAssertFalse(progress.update(Moment(activeSeconds: 60)))
        let step = try XCTUnwrap(progress.step)
        XCTAssertEqual([step.number, step.count], [1, 2])
        XCTAssertEqual([step.name, step.remaining], ["hard", "3:00"])
        XCTAssertEqual(step.progress, 0.25)
        XCTAssertNil(step.advice)
        XCTAssertFalse(progress.update(Moment(activeSeconds: 239.9)))
        XCTAssertTrue(progress.update(Moment(activeSeconds: 240.5)))
        XCTAssertEqual(progress.overshootSeconds, 0.5, accuracy: 1e-9)
        progress.next()

        // It started when the first one ended, not at the next update.
        XCTAssertFalse(progress.update(Moment(activeSeconds: 299.9)))
        XCTAssertTrue(progress.update(Moment(activeSeconds: 300)))
        progress.next()
        XCTAssertNil(progress.step)
        XCTAssertNil(progress.current)
        XCTAssertFalse(progress.update(Moment(activeSeconds: 900)))
    }

    func testStep_byTime_thatALapCutsShort_isOverThere() throws {
        var progress = try progress("{time: '4m'}, {time: '1m'}")
        _ = progress.update(Moment(activeSeconds: 100))
        progress.next()

        XCTAssertFalse(progress.update(Moment(activeSeconds: 159)))
        XCTAssertTrue(progress.update(Moment(activeSeconds: 160)))
    }

    func testStep_byDistance_isOverAfterIt() throws {
        var progress = try progress("{distance: '400 m'}, {distance: '1.2 km'}")

        XCTAssertFalse(progress.update(Moment(activeSeconds: 1)))
        XCTAssertNil(progress.step?.progress)
        XCTAssertFalse(progress.update(Moment(activeSeconds: 60, distanceMeters: 100)))
        XCTAssertEqual(progress.step?.progress, 0.25)
        XCTAssertEqual(progress.step?.remaining, "300 m")
        XCTAssertTrue(progress.update(Moment(activeSeconds: 200, distanceMeters: 410)))
        progress.next()
        XCTAssertFalse(progress.update(Moment(activeSeconds: 201, distanceMeters: 413)))
        XCTAssertEqual(progress.step?.remaining, "1.19 km")
        XCTAssertTrue(progress.update(Moment(activeSeconds: 900, distanceMeters: 1_600)))
    }

    func testStep_untilAZone_isOverWhenItIsReached() throws {
        var progress = try progress("{until: {zone: [0, 1]}}")

        XCTAssertFalse(progress.update(Moment(activeSeconds: 1)))
        XCTAssertFalse(progress.update(Moment(activeSeconds: 2, heartRate: 150, zone: 4)))
        XCTAssertEqual(progress.step?.remaining, "until zone 0 to 1")
        XCTAssertTrue(progress.update(Moment(activeSeconds: 3, heartRate: 100, zone: 1)))
    }

    func testStep_thatWaitsForALap_isNeverOverByItself() throws {
        var progress = try progress("{open: true}, {time: '1m'}")

        XCTAssertFalse(progress.update(Moment(activeSeconds: 86_400)))
        progress.next()
        XCTAssertTrue(progress.update(Moment(activeSeconds: 86_460)))
    }

    func testAdvice_comesAfterTenSecondsOutsideTheTarget_andEndsImmediately() throws {
        var progress = try progress("{time: '9m', heartRate: [120, 140]}")
        var advice: [LiveWorkout.Advice?] = []
        let rates: [(Double, Double)] = [
            (0, 110), (9.9, 110), (10, 110), (11, 130), (12, 150), (15, 130), (16, 150), (22, 150),
            (25.9, 150), (26, 150), (27, 110), (36.9, 110), (37, 110),
        ]
        for (second, rate) in rates {
            _ = progress.update(Moment(activeSeconds: second, heartRate: rate))
            advice.append(progress.step?.advice)
        }

        XCTAssertEqual(
            advice,
            [
                .hold, .hold, .faster, .hold, .hold, .hold, .hold, .hold, .hold, .slower, .hold,
                .hold, .faster,
            ])
    }

    func testAdvice_byZones_followsTheZone() throws {
        var progress = try progress("{time: '9m', zone: [2, 3]}")
        for (from, zone, advice) in [(0.0, 1, LiveWorkout.Advice.faster), (20, 4, .slower)] {
            _ = progress.update(Moment(activeSeconds: from, zone: zone))
            _ = progress.update(Moment(activeSeconds: from + 10, zone: zone))
            XCTAssertEqual(progress.step?.advice, advice)
        }
    }

    func testAdvice_whenNoHeartRateIsKnown_isNone() throws {
        var progress = try progress("{time: '9m', zone: 3}")
        _ = progress.update(Moment(activeSeconds: 0, zone: 1))
        _ = progress.update(Moment(activeSeconds: 10, zone: 1))
        XCTAssertEqual(progress.step?.advice, .faster)

        _ = progress.update(Moment(activeSeconds: 11))

        XCTAssertNil(progress.step?.advice)
    }

    func testProgress_afterARestart_continuesWithItsStep() throws {
        let plan = try WorkoutPlan(
            json5: "{name: 'x', steps: [{time: '4m'}, {distance: '400 m'}, {open: true}]}")
        var progress = PlanProgress(plan, finished: 1, activeSeconds: 250, distanceMeters: 1_000)

        XCTAssertFalse(progress.update(Moment(activeSeconds: 300, distanceMeters: 1_399)))
        XCTAssertEqual(progress.step?.number, 2)
        XCTAssertTrue(progress.update(Moment(activeSeconds: 301, distanceMeters: 1_400)))
        XCTAssertNil(PlanProgress(plan, finished: 99).step)
    }

    func testMoment_ofALiveView_hasItsRateAndZone() throws {
        var maker = WorkoutMaker(subject: try WorkoutMaker.ada())
        try maker.start()
        try maker.rate(150, 5)
        try maker.tell(.distanceWalkingRunning, 20, 0, 5)

        XCTAssertEqual(
            PlanProgress.Moment(maker.live(6)),
            Moment(activeSeconds: 6, distanceMeters: 20, heartRate: 150, zone: 4))
        XCTAssertEqual(
            PlanProgress.Moment(maker.live(60)), Moment(activeSeconds: 60, distanceMeters: 20))
    }
}
