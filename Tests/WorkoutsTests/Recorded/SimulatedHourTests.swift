import GatewayCore
import HealthModel
import Workouts
import XCTest

/// An hour with all that can happen, in a moment.
final class SimulatedHourTests: XCTestCase {
    /// The heart goes up and down.
    private func rate(at second: Int) -> Double {
        let place = second % 480
        return 110 + Double(place < 240 ? place : 480 - place) / 4
    }

    private func isStrapThere(at second: Int) -> Bool {
        !(900..<1_200).contains(second) && !(2_990...2_995).contains(second)
    }

    private func hour() throws -> WorkoutMaker {
        var maker = WorkoutMaker(
            subject: try WorkoutMaker.ada(roles: ["strap": .primary, "band": .backup]))
        try maker.start()
        for second in 1...3_600 {
            // Nothing reaches the store while the gateway is gone.
            if (2_000..<2_040).contains(second) { continue }
            if second == 2_040 { try maker.crash(lastSeen: 1_995, until: 2_040) }
            try tell(second, to: &maker)
            switch second {
            case 600, 1_200, 1_800, 2_400, 3_000: try maker.lap(Double(second))
            case 700, 2_600: try maker.pause(Double(second))
            case 760, 2_650: try maker.resume(Double(second))
            default: break
            }
        }
        try maker.stop(3_600)
        return maker
    }

    private func tell(_ second: Int, to maker: inout WorkoutMaker) throws {
        let time = Double(second)
        if isStrapThere(at: second) { try maker.rate(rate(at: second), time) }
        if second == 901 { maker.device(time, .disconnected) }
        try maker.rate(rate(at: second) + 3, time + 0.25, from: "band")
        try maker.tell(.stepCount, 3, time - 1, time, from: "pod")
        try maker.tell(.distanceWalkingRunning, 2.5, time - 1, time, from: "pod")
        if second % 10 == 0 {
            try maker.tell(.runningCadence, 160, time, from: "pod")
            try maker.tell(.runningSpeed, 2.5, time, from: "pod")
        }
    }

    func testHour_isTheSameLiveRecordedAndTheSlowWay() throws {
        let maker = try hour()
        let recorded = try maker.recorded()
        var naive = NaiveWorkout(
            workout: recorded.workout, samples: maker.stored, subject: maker.builder.subject,
            stepNanoseconds: 250_000_000)
        let whole = recorded.workout.start..<recorded.workout.end

        XCTAssertEqual(maker.live(3_700).measures, recorded.measures)
        let measures = recorded.measures
        let heart = try naive.heart(in: whole)
        XCTAssertEqual(measures.elapsedSeconds, 3_600)
        XCTAssertEqual(measures.activeSeconds, 3_490)
        XCTAssertEqual(try XCTUnwrap(measures.heartRate).average, heart.average, accuracy: 1e-6)
        XCTAssertEqual(measures.zoneSeconds.reduce(0, +), heart.seconds, accuracy: 1e-6)
        for (one, other) in zip(measures.zoneSeconds, heart.2) {
            XCTAssertEqual(one, other, accuracy: 1e-6)
        }
        // All but the first second, for which there is no reading yet; the 40 s of the crash lie between two
        // readings that are less than a minute apart.
        XCTAssertEqual(heart.seconds, 3_489, accuracy: 1e-6)
        XCTAssertEqual(
            measures.energyKilocalories ?? 0, try naive.heartKilocalories(in: whole),
            accuracy: 1e-6)
        // Three steps in each second but those of the crash and the pauses.
        XCTAssertEqual(measures.stepCount ?? 0, 3 * (3_600 - 40 - 60 - 50), accuracy: 1e-9)
        XCTAssertEqual(measures.distanceMeters ?? 0, 2.5 * (3_600 - 150), accuracy: 1e-9)
        XCTAssertEqual(measures.cadence?.average, 160)
        XCTAssertEqual(recorded.laps.count, 6)
        XCTAssertEqual(recorded.laps.map(\.span), naive.laps())
        for lap in recorded.laps {
            let heart = try naive.heart(in: lap.span)
            XCTAssertEqual(lap.measures.heartRate?.average ?? 0, heart.average, accuracy: 1e-6)
            XCTAssertEqual(
                lap.measures.stepCount ?? 0, try naive.count(.stepCount, in: lap.span),
                accuracy: 1e-6)
        }
    }

    func testHour_saysWhenTheBackupCountedAndWhatWasMissed() throws {
        var maker = try hour()
        let backups = maker.builder.backupSpans(at: SampleMaker.at(3_700))
        for backup in backups {
            try maker.call {
                try $0.segment(
                    from: backup.span.lowerBound, to: backup.span.upperBound,
                    metadata: Metadata(["PulsegateBackupDevice": .string(backup.device)]))
            }
        }
        let recorded = try maker.recorded()

        XCTAssertEqual(
            backups.map(\.span),
            [SampleMaker.span(899.25, 1_204.25), SampleMaker.span(2_989.25, 3_000.25)])
        XCTAssertEqual(maker.live(3_700).gapCount, 1)
        let segments = recorded.workout.events.filter { $0.kind == .segment }
        XCTAssertEqual(segments.count, 3)
        XCTAssertEqual(
            segments.compactMap { $0.metadata["PulsegateGap"] },
            [.string("the gateway was not running")])
        XCTAssertEqual(recorded.backups, backups)
        XCTAssertEqual(recorded.measures, maker.live(3_700).measures)
    }

    func testADay_isAddedUpInFull() throws {
        var maker = SampleMaker()
        var session = WorkoutSession(
            id: WorkoutMaker.id, person: "ada", activity: WorkoutActivity(.hiking))
        try session.start(at: SampleMaker.at(0))
        var builder = LiveWorkoutBuilder(session: session, subject: try WorkoutMaker.ada())
        for second in stride(from: 0, through: 86_400, by: 4) {
            let time = Double(second)
            builder.add(.sample(try maker.sample(.heartRate, 100, time)))
            builder.add(.sample(try maker.sample(.stepCount, 3, time, time + 4)))
            guard second % 7_200 == 0 else { continue }
            try session.lap(at: SampleMaker.at(time))
            builder.update(session)
        }

        let live = builder.snapshot(at: SampleMaker.at(86_400))

        XCTAssertEqual(live.measures.zoneSeconds.reduce(0, +), 86_400, accuracy: 1e-6)
        XCTAssertEqual(live.measures.stepCount, 64_800)
        XCTAssertEqual(live.measures.heartRate?.average ?? 0, 100, accuracy: 1e-9)
        XCTAssertEqual(live.plot.count, 151)
    }
}
