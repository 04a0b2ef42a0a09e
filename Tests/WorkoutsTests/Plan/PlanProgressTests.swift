import HealthModel
import Workouts
import XCTest

/// How a plan goes on, and what it advises.
final class PlanProgressTests: XCTestCase {
    private func progress(_ steps: String) throws -> PlanProgress {
        PlanProgress(try WorkoutPlan(json5: "{name: 'x', steps: [\(steps)]}"))
    }

    private typealias Moment = PlanProgress.Moment

    func testStep_byTime_isOverAfterItsTime() throws {
        var progress = try progress("{name: 'hard', time: '4m'}, {time: '1m'}")

        XCTAssertFalse(progress.take(Moment(activeSeconds: 60)))
        let step = try XCTUnwrap(progress.step)
        XCTAssertEqual([step.number, step.count], [1, 2])
        XCTAssertEqual([step.name, step.rest], ["hard", "3:00"])
        XCTAssertEqual(step.progress, 0.25)
        XCTAssertNil(step.advice)
        XCTAssertFalse(progress.take(Moment(activeSeconds: 239.9)))
        XCTAssertTrue(progress.take(Moment(activeSeconds: 240.5)))
        XCTAssertEqual(progress.overshootSeconds, 0.5, accuracy: 1e-9)
        progress.next()

        // It began when the first one was over, not when somebody looked.
        XCTAssertFalse(progress.take(Moment(activeSeconds: 299.9)))
        XCTAssertTrue(progress.take(Moment(activeSeconds: 300)))
        progress.next()
        XCTAssertNil(progress.step)
        XCTAssertNil(progress.current)
        XCTAssertFalse(progress.take(Moment(activeSeconds: 900)))
    }

    func testStep_byTime_thatALapCutsShort_isOverThere() throws {
        var progress = try progress("{time: '4m'}, {time: '1m'}")
        _ = progress.take(Moment(activeSeconds: 100))
        progress.next()

        XCTAssertFalse(progress.take(Moment(activeSeconds: 159)))
        XCTAssertTrue(progress.take(Moment(activeSeconds: 160)))
    }

    func testStep_byDistance_isOverAfterIt() throws {
        var progress = try progress("{distance: '400 m'}, {distance: '1.2 km'}")

        XCTAssertFalse(progress.take(Moment(activeSeconds: 1)))
        XCTAssertNil(progress.step?.progress)
        XCTAssertFalse(progress.take(Moment(activeSeconds: 60, distanceMeters: 100)))
        XCTAssertEqual(progress.step?.progress, 0.25)
        XCTAssertEqual(progress.step?.rest, "300 m")
        XCTAssertTrue(progress.take(Moment(activeSeconds: 200, distanceMeters: 410)))
        progress.next()
        XCTAssertFalse(progress.take(Moment(activeSeconds: 201, distanceMeters: 413)))
        XCTAssertEqual(progress.step?.rest, "1.19 km")
        XCTAssertTrue(progress.take(Moment(activeSeconds: 900, distanceMeters: 1_600)))
    }

    func testStep_untilAZone_isOverWhenItIsReached() throws {
        var progress = try progress("{until: {zone: [0, 1]}}")

        XCTAssertFalse(progress.take(Moment(activeSeconds: 1)))
        XCTAssertFalse(progress.take(Moment(activeSeconds: 2, heartRate: 150, zone: 4)))
        XCTAssertEqual(progress.step?.rest, "until zone 0 to 1")
        XCTAssertTrue(progress.take(Moment(activeSeconds: 3, heartRate: 100, zone: 1)))
    }

    func testStep_thatWaitsForALap_isNeverOverByItself() throws {
        var progress = try progress("{open: true}, {time: '1m'}")

        XCTAssertFalse(progress.take(Moment(activeSeconds: 86_400)))
        progress.next()
        XCTAssertTrue(progress.take(Moment(activeSeconds: 86_460)))
    }

    func testAdvice_comesAfterTenSecondsOutsideTheTarget_andGoesAtOnce() throws {
        var progress = try progress("{time: '9m', heartRate: [120, 140]}")
        var advice: [LiveWorkout.Advice?] = []
        let rates: [(Double, Double)] = [
            (0, 110), (9.9, 110), (10, 110), (11, 130), (12, 150), (15, 130), (16, 150), (22, 150),
            (25.9, 150), (26, 150), (27, 110), (36.9, 110), (37, 110),
        ]
        for (second, rate) in rates {
            _ = progress.take(Moment(activeSeconds: second, heartRate: rate))
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
            _ = progress.take(Moment(activeSeconds: from, zone: zone))
            _ = progress.take(Moment(activeSeconds: from + 10, zone: zone))
            XCTAssertEqual(progress.step?.advice, advice)
        }
    }

    func testAdvice_whenNoHeartRateIsKnown_isNone() throws {
        var progress = try progress("{time: '9m', zone: 3}")
        _ = progress.take(Moment(activeSeconds: 0, zone: 1))
        _ = progress.take(Moment(activeSeconds: 10, zone: 1))
        XCTAssertEqual(progress.step?.advice, .faster)

        _ = progress.take(Moment(activeSeconds: 11))

        XCTAssertNil(progress.step?.advice)
    }

    func testProgress_afterARestart_goesOnWithItsStep() throws {
        let plan = try WorkoutPlan(
            json5: "{name: 'x', steps: [{time: '4m'}, {distance: '400 m'}, {open: true}]}")
        var progress = PlanProgress(plan, finished: 1, activeSeconds: 250, distanceMeters: 1_000)

        XCTAssertFalse(progress.take(Moment(activeSeconds: 300, distanceMeters: 1_399)))
        XCTAssertEqual(progress.step?.number, 2)
        XCTAssertTrue(progress.take(Moment(activeSeconds: 301, distanceMeters: 1_400)))
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
