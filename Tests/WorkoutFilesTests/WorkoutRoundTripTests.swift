import GatewayTesting
import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// Exported workouts are the same after an import, as precisely as the format allows.
final class WorkoutRoundTripTests: XCTestCase {
    private let source = SourceRevision(name: "import")

    private func pass(
        _ recorded: RecordedWorkout, _ format: WorkoutFileFormat
    ) throws -> ImportedWorkout {
        let bytes = try WorkoutFile.export(recorded, as: format, by: RecordedRun.recorder)
        return try WorkoutFile.read(bytes, person: "anna", source: source)
    }

    /// Seconds by which two moments differ.
    private func gap(_ first: Instant, _ second: Instant) -> Double {
        abs(Double(first.nanoseconds(since: second)) / 1e9)
    }

    private func assertEvents(
        _ imported: Workout, equal exported: Workout, within seconds: Double
    ) throws {
        XCTAssertEqual(imported.activity, exported.activity)
        XCTAssertLessThanOrEqual(gap(imported.start, exported.start), seconds)
        XCTAssertLessThanOrEqual(gap(imported.end, exported.end), seconds)
        XCTAssertEqual(imported.seconds, exported.seconds, accuracy: 2 * seconds + 0.01)
        for kind in [WorkoutEvent.Kind.pause, .resume, .lap] {
            let events = imported.events.filter { $0.kind == kind }
            let expected = exported.events.filter { $0.kind == kind }
            XCTAssertEqual(events.count, expected.count, "\(kind)")
            for (event, expected) in zip(events, expected) {
                XCTAssertLessThanOrEqual(gap(event.start, expected.start), seconds, "\(kind)")
                XCTAssertLessThanOrEqual(gap(event.end, expected.end), seconds, "\(kind)")
            }
        }
    }

    /// Each reading of a second is found again at that second.
    private func assertReadings(
        _ type: QuantityType, _ imported: ImportedWorkout, of exported: RecordedWorkout,
        accuracy: Double
    ) {
        var found: [Int64: Double] = [:]
        for sample in imported.samples.of(type) { found[second(sample)] = sample.quantity.value }
        var expected: [Int64: Double] = [:]
        for sample in exported.samples.of(type) { expected[second(sample)] = sample.quantity.value }
        XCTAssertGreaterThan(expected.count, 2_300)
        for (second, value) in expected {
            XCTAssertEqual(found[second] ?? -1, value, accuracy: accuracy, "\(type) at \(second)")
        }
    }

    private func second(_ sample: QuantitySample) -> Int64 {
        sample.end.nanosecondsSince1970 / 1_000_000_000
    }

    func testFIT_whenReadBack_isTheWorkoutToTheSecond() throws {
        let exported = try RecordedRun.full()

        let imported = try pass(exported, .fit)

        try assertEvents(imported.workout, equal: exported.workout, within: 1)
        assertReadings(.heartRate, imported, of: exported, accuracy: 0)
        assertReadings(.runningCadence, imported, of: exported, accuracy: 0.02)
        assertReadings(.runningSpeed, imported, of: exported, accuracy: 0.0005)
        assertReadings(.runningPower, imported, of: exported, accuracy: 0)
        let distance = exported.samples.sum(.distanceWalkingRunning)
        XCTAssertEqual(imported.samples.sum(.distanceWalkingRunning), distance, accuracy: 0.01)
        let energy = exported.samples.sum(.activeEnergyBurned)
        XCTAssertEqual(imported.samples.sum(.activeEnergyBurned), energy, accuracy: 0.51)
        XCTAssertEqual(
            imported.samples.sum(.stepCount), exported.samples.sum(.stepCount).rounded(),
            accuracy: 0.001)
        XCTAssertEqual(imported.workout.events.filter { $0.kind == .marker }.count, 1)
        XCTAssertEqual(imported.skipped, ImportedWorkout.Skipped())
    }

    /// Elapsed and active time of a file are in milliseconds; only the events are whole seconds.
    func testFIT_whenReadBack_keepsPausesOfLessThanASecond() throws {
        for pauses in [
            [10.2..<10.7], [10.9..<11.3], [10.1..<20.9], [10.9..<20.1], [10.2..<10.3, 10.6..<10.8],
            [10.2..<10.7, 600.25..<660.75, 1_500.0..<1_559.5], [2_519.9..<RecordedRun.end],
            [2_519.3..<RecordedRun.end], [RecordedRun.start..<0.9],
            [2_500.05..<RecordedRun.end], [10.9..<11.3, 2_510.9..<RecordedRun.end],
            [2_500.1..<2_519.95], [2_518.1..<2_519.98], [2_500.9..<2_510.2, 2_512.1..<2_519.9],
        ] {
            var run = RecordedRun()
            for pause in pauses {
                run.events.append(WorkoutEvent(.pause, at: RecordedRun.at(pause.lowerBound)))
                guard pause.upperBound < RecordedRun.end else { continue }
                run.events.append(WorkoutEvent(.resume, at: RecordedRun.at(pause.upperBound)))
            }
            let starts = [RecordedRun.start] + pauses.map(\.upperBound)
            for (start, end) in zip(starts, pauses.map(\.lowerBound) + [RecordedRun.end]) {
                for second in stride(from: start, to: end, by: 1) {
                    let next = min(second + 1, end)
                    try run.add(.heartRate, 120, second, from: RecordedRun.strap)
                    try run.add(
                        .distanceWalkingRunning, 3 * (next - second), second, next,
                        from: RecordedRun.pod)
                }
            }
            let exported = try run.recorded()

            let imported = try pass(exported, .fit)

            let (workout, name) = (imported.workout, "\(pauses)")
            XCTAssertEqual(workout.seconds, exported.workout.seconds, accuracy: 0.002, name)
            XCTAssertEqual(workout.pauses.count, pauses.count, name)
            for (found, pause) in zip(workout.pauses, exported.workout.pauses) {
                XCTAssertLessThanOrEqual(gap(found.lowerBound, pause.lowerBound), 1, name)
                XCTAssertLessThanOrEqual(gap(found.upperBound, pause.upperBound), 1, name)
            }
            for sample in imported.samples {
                XCTAssertFalse(
                    workout.pauses.contains {
                        $0.lowerBound < sample.end && sample.end < $0.upperBound
                    },
                    "\(sample.type) in \(name)")
            }
            let distance = imported.samples.sum(.distanceWalkingRunning)
            XCTAssertEqual(
                distance, exported.samples.sum(.distanceWalkingRunning), accuracy: 0.01, name)
            let again = RecordedWorkout(
                workout: workout, allSamples: imported.samples, subject: WorkoutSubject())
            XCTAssertEqual(again.measures.distanceMeters ?? 0, distance, accuracy: 0.01, name)
        }
    }

    /// Starts, ends and pauses in all parts of a second, with readings up to the end.
    func testFIT_whenReadBack_keepsElapsedAndActiveTime_ofEveryWorkout() throws {
        var run = FuzzRun("times of workouts", inputs: 300)
        while var generator = run.next() {
            func moment(_ range: ClosedRange<Int>) -> Double {
                Double(Int.random(in: range, using: &generator)) / 1_000
            }
            let (start, end) = (moment(0...999), moment(60_000...90_000))
            let count = Int.random(in: 0...3, using: &generator)
            let bounds = Set((0..<2 * count).map { _ in moment(1_000...60_000) }).sorted()
            var workout = RecordedRun()
            var isPaused = false
            for bound in bounds {
                workout.events.append(
                    WorkoutEvent(isPaused ? .resume : .pause, at: RecordedRun.at(bound)))
                isPaused.toggle()
            }
            for second in stride(from: start, through: end, by: 1) {
                try workout.add(.heartRate, 120, second, from: RecordedRun.strap)
            }
            try workout.add(.heartRate, 121, end, from: RecordedRun.strap)
            let exported = try workout.recorded(laps: [start], end: end)

            let imported = try pass(exported, .fit).workout

            let name = "\(start) \(bounds) \(end)"
            let elapsed = gap(imported.start, imported.end)
            XCTAssertEqual(elapsed, end - start, accuracy: 0.002, name)
            XCTAssertEqual(imported.seconds, exported.workout.seconds, accuracy: 0.002, name)
        }
    }

    func testFIT_whenReadBack_givesTheBeatsTheirTimes() throws {
        let exported = try RecordedRun.full()

        let beats = try pass(exported, .fit).samples.of(.rrInterval)

        let expected = exported.samples.of(.rrInterval)
        XCTAssertEqual(beats.count, expected.count)
        for (beat, expected) in zip(beats, expected) {
            XCTAssertEqual(beat.quantity.value, expected.quantity.value.rounded())
            XCTAssertLessThanOrEqual(gap(beat.end, expected.end), 0.5)
        }
        // Neighbours stay neighbours, and gaps and pauses stay empty.
        let intervals = try RRInterval.all(of: beats)
        let holes = zip(intervals, intervals.dropFirst()).filter {
            gap($0.end, $1.start) > 0.05
        }
        XCTAssertEqual(holes.count, 3)
    }

    func testFIT_whenReadBack_namesTheSensors() throws {
        let imported = try pass(try RecordedRun.full(), .fit)

        XCTAssertEqual(imported.workout.device?.name, "attic")
        let strap = try XCTUnwrap(imported.samples.of(.heartRate).first?.device)
        XCTAssertEqual(strap.name, "Polar H10 A1")
        XCTAssertEqual(strap.manufacturer, "Polar")
        XCTAssertEqual(strap.serial, "12345678")
    }

    func testTCX_whenReadBack_isTheWorkout() throws {
        let exported = try RecordedRun.full()

        let imported = try pass(exported, .tcx)

        // Times are exact; only the seconds of the points are whole.
        try assertEvents(imported.workout, equal: exported.workout, within: 0.001)
        assertReadings(.heartRate, imported, of: exported, accuracy: 0)
        assertReadings(.runningCadence, imported, of: exported, accuracy: 1)
        assertReadings(.runningSpeed, imported, of: exported, accuracy: 0.0005)
        assertReadings(.runningPower, imported, of: exported, accuracy: 0)
        let distance = exported.samples.sum(.distanceWalkingRunning)
        XCTAssertEqual(imported.samples.sum(.distanceWalkingRunning), distance, accuracy: 0.01)
        let energy = exported.samples.sum(.activeEnergyBurned)
        XCTAssertEqual(imported.samples.sum(.activeEnergyBurned), energy, accuracy: 0.51)
        XCTAssertEqual(
            imported.samples.sum(.stepCount), exported.samples.sum(.stepCount), accuracy: 0.51)
        XCTAssertEqual(imported.workout.device?.name, "Pulsegate")
    }

    func testImport_whenDoneTwice_givesTheSameIDs() throws {
        for format in [WorkoutFileFormat.fit, .tcx] {
            let bytes = try WorkoutFile.export(
                try RecordedRun.full(), as: format, by: RecordedRun.recorder)

            let first = try WorkoutFile.read(bytes, person: "anna", source: source)
            let second = try WorkoutFile.read(bytes, person: "anna", source: source)

            XCTAssertEqual(first, second)
            let ids = Set(first.samples.map(\.id) + [first.workout.id])
            XCTAssertEqual(ids.count, first.samples.count + 1, "each has an id of its own")
            let other = try WorkoutFile.read(bytes, person: "berta", source: source)
            XCTAssertNotEqual(other.workout.id, first.workout.id)
        }
    }

    func testImport_whenExportedAgain_changesNothingAnyMore() throws {
        let imported = try pass(try RecordedRun.full(), .fit)
        let again = RecordedWorkout(
            workout: imported.workout, samples: imported.samples, measures: WorkoutMeasures(),
            laps: [], zones: nil)

        let second = try pass(again, .fit)

        for type in [
            QuantityType.heartRate, .runningCadence, .runningSpeed, .runningPower,
            .distanceWalkingRunning, .activeEnergyBurned,
        ] {
            XCTAssertEqual(
                second.samples.of(type).map(\.quantity.value),
                imported.samples.of(type).map(\.quantity.value), "\(type)")
            XCTAssertEqual(
                second.samples.of(type).map(\.end), imported.samples.of(type).map(\.end), "\(type)")
        }
    }

    func testActivity_whenReadBack_isTheSame() throws {
        for type in WorkoutActivityType.allCases {
            var run = RecordedRun()
            run.activity = WorkoutActivity(type)
            let recorded = try run.recorded()

            XCTAssertEqual(try pass(recorded, .fit).workout.activity.type, type)
            XCTAssertEqual(try pass(recorded, .tcx).workout.activity.type, type)
        }
    }

    func testActivity_whenItHasItsOwnName_keepsIt() throws {
        var run = RecordedRun()
        run.activity = try XCTUnwrap(WorkoutActivity(customName: "prancercise"))
        let recorded = try run.recorded()

        XCTAssertEqual(try pass(recorded, .fit).workout.activity.customName, "prancercise")
        XCTAssertEqual(try pass(recorded, .tcx).workout.activity.customName, "prancercise")
    }

    func testIndoor_whenReadBackFromFIT_isIndoor() throws {
        for type in [WorkoutActivityType.running, .cycling, .rowing, .walking, .climbing] {
            var run = RecordedRun()
            run.activity = WorkoutActivity(type)
            run.location = .indoor

            let workout = try pass(try run.recorded(), .fit).workout

            XCTAssertEqual(workout.activity.type, type)
            XCTAssertEqual(workout.location, .indoor)
        }
    }

    func testRowing_keepsDistanceAndSpeed() throws {
        var run = RecordedRun()
        run.activity = WorkoutActivity(.rowing)
        for second in [1.4, 2.4, 3.4] {
            try run.add(.distanceRowing, 4, second, second + 1, from: RecordedRun.pod)
            try run.add(.rowingSpeed, 4, second, from: RecordedRun.pod)
        }
        let recorded = try run.recorded(end: 10)
        for format in [WorkoutFileFormat.fit, .tcx] {
            let imported = try pass(recorded, format)
            XCTAssertEqual(imported.samples.sum(.distanceRowing), 12, "\(format)")
            XCTAssertEqual(imported.samples.of(.rowingSpeed).first?.quantity.value, 4, "\(format)")
        }
    }

    func testWorkout_withoutSamples_isStillOne() throws {
        let recorded = try RecordedRun().recorded()
        for format in [WorkoutFileFormat.fit, .tcx] {
            let imported = try pass(recorded, format)
            XCTAssertEqual(imported.samples, [])
            XCTAssertEqual(imported.workout.seconds, recorded.workout.seconds, accuracy: 0.001)
        }
    }

    func testPause_thatContinuesToTheEnd_isPreservedByFIT() throws {
        var run = RecordedRun()
        run.events = [WorkoutEvent(.pause, at: RecordedRun.at(100))]
        let recorded = try run.recorded(end: 400)

        let imported = try pass(recorded, .fit)

        XCTAssertEqual(imported.workout.events.map(\.kind), [.pause])
        XCTAssertEqual(imported.workout.seconds, recorded.workout.seconds, accuracy: 1)
    }

    func testPause_fromTheBeginning_isPreserved() throws {
        var run = RecordedRun()
        run.events = [
            WorkoutEvent(.pause, at: RecordedRun.at(0.4)),
            WorkoutEvent(.resume, at: RecordedRun.at(9)),
        ]
        let recorded = try run.recorded(end: 400)

        for (format, seconds) in [(WorkoutFileFormat.fit, 1.0), (.tcx, 0.001)] {
            try assertEvents(
                try pass(recorded, format).workout, equal: recorded.workout, within: seconds)
        }
    }

    func testLap_thatIsMarkedInAPause_staysInIt() throws {
        var run = RecordedRun()
        run.events = [
            WorkoutEvent(.pause, at: RecordedRun.at(100)),
            try WorkoutEvent(.lap, from: RecordedRun.at(0.4), to: RecordedRun.at(130)),
            WorkoutEvent(.resume, at: RecordedRun.at(150)),
        ]
        let recorded = try run.recorded(laps: [0.4, 130], end: 400)

        for (format, seconds) in [(WorkoutFileFormat.fit, 1.0), (.tcx, 0.001)] {
            try assertEvents(
                try pass(recorded, format).workout, equal: recorded.workout, within: seconds)
        }
    }
}
