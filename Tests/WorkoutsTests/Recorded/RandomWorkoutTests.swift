import GatewayCore
import HealthModel
import Platform
import Workouts
import XCTest

/// Workouts from a seed: the live view, the record and the slow way say the same.
final class RandomWorkoutTests: XCTestCase {
    /// The arrival of samples, in hundredths of a second.
    private enum Step {
        case sample(QuantitySample)
        case call((inout WorkoutSession) throws -> Void)
    }

    private struct Script {
        var steps: [(at: Int, step: Step)] = []
        var generator: SeededGenerator
        var samples = SampleMaker()
        let end: Int

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            end = Int.random(in: 30_000...90_000, using: &generator)
        }

        func seconds(_ hundredths: Int) -> Double { Double(hundredths) / 100 }

        mutating func random(_ range: ClosedRange<Int>) -> Int {
            Int.random(in: range, using: &generator)
        }

        mutating func addCalls() {
            var time = 0
            var isPaused = false
            while true {
                time += random(500...20_000)
                guard time < end else { return }
                // The call is made a moment after the time that it is of.
                let (moment, told) = (SampleMaker.at(seconds(time)), time + random(0...200))
                let isLap = random(0...2) == 0
                let wasPaused = isPaused
                steps.append(
                    (
                        told,
                        .call { session in
                            if isLap {
                                try session.lap(at: moment)
                            } else if wasPaused {
                                try session.resume(at: moment)
                            } else {
                                try session.pause(at: moment)
                            }
                        }
                    ))
                if !isLap { isPaused.toggle() }
            }
        }

        mutating func addReadings(
            _ type: QuantityType, from device: String, offset: Int, _ values: ClosedRange<Int>
        ) throws {
            var time = offset
            var value = random(values)
            while time < end + 2_000 {
                value = min(max(value + random(-6...6), values.lowerBound), values.upperBound)
                let sample = try samples.sample(
                    type, Double(value), seconds(time), from: device)
                steps.append((time + random(0...30), .sample(sample)))
                let isSilent = random(0...60) == 0
                // Offsets separate the straps, so that no two readings have the same time.
                time += (isSilent ? random(3...90) : 1) * 100 + random(0...2) * 10
            }
        }

        mutating func addCounts(
            _ type: QuantityType, from device: String, every length: ClosedRange<Int>
        ) throws {
            var time = -random(0...300)
            while time < end + 2_000 {
                let until = time + random(length)
                let sample = try samples.sample(
                    type, Double(random(1...50)), seconds(time), seconds(until), from: device)
                steps.append((until + random(0...30), .sample(sample)))
                time = until + (random(0...8) == 0 ? random(100...9_000) : 0)
            }
        }
    }

    private func play(seed: UInt64) throws -> (WorkoutMaker, Int) {
        var script = Script(seed: seed)
        script.addCalls()
        try script.addReadings(.heartRate, from: "strap", offset: 1, 70...185)
        try script.addReadings(.heartRate, from: "band", offset: 4, 70...185)
        try script.addReadings(.runningSpeed, from: "pod", offset: 7, 1...6)
        try script.addCounts(.stepCount, from: "pod", every: 100...300)
        try script.addCounts(.stepCount, from: "watch", every: 900...7_000)
        try script.addCounts(.distanceWalkingRunning, from: "pod", every: 100...100)
        var maker = WorkoutMaker(
            subject: try WorkoutMaker.ada(
                roles: ["strap": .primary, "band": .backup, "watch": .backup]))
        try maker.start()
        let end = script.end
        script.steps.append((end, .call { try $0.stop(at: SampleMaker.at(Double(end) / 100)) }))
        for (_, step) in script.steps.sorted(by: { $0.at < $1.at }) {
            switch step {
            case .sample(let sample): maker.tell(sample)
            // A call that comes after the end is refused, as it should be.
            case .call(let call): try? maker.call(call)
            }
        }
        return (maker, end)
    }

    private func assertEqual(
        _ left: WorkoutMeasures, _ right: WorkoutMeasures, _ note: String, line: UInt = #line
    ) {
        func near(_ one: Double?, _ other: Double?) -> Bool {
            guard let one, let other else { return one == nil && other == nil }
            return abs(one - other) <= 1e-9 * max(1, abs(other))
        }
        func near(
            _ one: WorkoutMeasures.Spread?, _ other: WorkoutMeasures.Spread?
        ) -> Bool {
            near(one?.average, other?.average) && one?.minimum == other?.minimum
                && one?.maximum == other?.maximum
        }
        XCTAssertEqual(left.activeSeconds, right.activeSeconds, note, line: line)
        XCTAssertEqual(left.elapsedSeconds, right.elapsedSeconds, note, line: line)
        XCTAssertTrue(near(left.heartRate, right.heartRate), note, line: line)
        XCTAssertTrue(near(left.speed, right.speed), note, line: line)
        XCTAssertTrue(near(left.stepCount, right.stepCount), note, line: line)
        XCTAssertTrue(near(left.distanceMeters, right.distanceMeters), note, line: line)
        XCTAssertTrue(near(left.energyKilocalories, right.energyKilocalories), note, line: line)
        XCTAssertEqual(left.energyMethods, right.energyMethods, note, line: line)
        for (one, other) in zip(left.zoneSeconds, right.zoneSeconds) {
            XCTAssertTrue(near(one, other), note, line: line)
        }
    }

    func testRandomWorkouts_liveAndRecorded_areTheSame() throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            let (maker, end) = try play(seed: seed)
            let live = maker.live(Double(end) / 100 + 100)

            let recorded = try maker.recorded()

            assertEqual(live.measures, recorded.measures, "seed \(seed)")
            let lap = try XCTUnwrap(recorded.laps.last)
            assertEqual(live.lap, lap.measures, "seed \(seed), last lap")
            XCTAssertEqual(live.lapNumber, recorded.laps.count)
            XCTAssertEqual(
                maker.builder.backupSpans(at: SampleMaker.at(Double(end))), recorded.backups)
        }
    }

    func testRandomWorkouts_recordedAndTheSlowWay_areTheSame() throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let (maker, _) = try play(seed: seed)
            let recorded = try maker.recorded()
            var naive = NaiveWorkout(
                workout: recorded.workout, samples: maker.stored, subject: maker.builder.subject)
            let whole = recorded.workout.start..<recorded.workout.end
            try assertNear(recorded.measures, &naive, whole, "seed \(seed)")
            XCTAssertEqual(recorded.laps.map(\.span), naive.laps())
            for lap in recorded.laps {
                try assertNear(lap.measures, &naive, lap.span, "seed \(seed), lap \(lap.span)")
            }
            let isActive: (QuantitySample) -> Bool = { sample in
                naive.active(in: whole).contains {
                    ($0.lowerBound...$0.upperBound).contains(sample.end)
                }
            }
            XCTAssertEqual(
                recorded.samples.filter { $0.type == .heartRate }.map(\.id),
                naive.chosen(.heartRate).filter(isActive).map(\.id), "seed \(seed)")
            let steps = recorded.samples.filter { $0.type == .stepCount }
            XCTAssertEqual(
                steps.reduce(0) { $0 + $1.quantity.value }, recorded.measures.stepCount ?? 0,
                accuracy: 1e-6)
            for (one, next) in zip(steps, steps.dropFirst()) {
                XCTAssertLessThanOrEqual(one.end, next.start)
            }
        }
    }

    private func assertNear(
        _ measures: WorkoutMeasures, _ naive: inout NaiveWorkout, _ span: Range<Instant>,
        _ note: String
    ) throws {
        let heart = try naive.heart(in: span)
        XCTAssertEqual(measures.activeSeconds, naive.seconds(in: span), accuracy: 1e-9, note)
        if heart.seconds > 0 {
            XCTAssertEqual(
                measures.heartRate?.average ?? 0, heart.average, accuracy: 1e-6, note)
        }
        XCTAssertEqual(
            measures.zoneSeconds.reduce(0, +), heart.seconds, accuracy: 1e-6, note)
        for (one, other) in zip(measures.zoneSeconds, heart.2) {
            XCTAssertEqual(one, other, accuracy: 1e-6, note)
        }
        XCTAssertEqual(
            measures.stepCount ?? 0, try naive.count(.stepCount, in: span), accuracy: 1e-6, note)
        XCTAssertEqual(
            measures.distanceMeters ?? 0, try naive.count(.distanceWalkingRunning, in: span),
            accuracy: 1e-6, note)
        XCTAssertEqual(
            measures.energyKilocalories ?? 0, try naive.heartKilocalories(in: span),
            accuracy: 1e-6, note)
    }

    func testLaps_addUpToTheWhole() throws {
        for seed in 20...25 as ClosedRange<UInt64> {
            let (maker, _) = try play(seed: seed)
            let recorded = try maker.recorded()
            let laps = recorded.laps.map(\.measures)

            XCTAssertEqual(
                laps.reduce(0) { $0 + $1.activeSeconds }, recorded.measures.activeSeconds,
                accuracy: 1e-6)
            XCTAssertEqual(
                laps.reduce(0) { $0 + ($1.stepCount ?? 0) }, recorded.measures.stepCount ?? 0,
                accuracy: 1e-6)
            XCTAssertEqual(
                laps.reduce(0) { $0 + ($1.energyKilocalories ?? 0) },
                recorded.measures.energyKilocalories ?? 0, accuracy: 1e-6)
            XCTAssertEqual(
                recorded.energies.reduce(0) { $0 + $1.kilocalories },
                recorded.measures.energyKilocalories ?? 0, accuracy: 1e-6)
        }
    }
}
