import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// An import that was interrupted between two parts of its samples, and is repeated.
final class InterruptedImportTests: XCTestCase {
    private static let length = 400.0

    /// A run of which devices have counted some times: a part of each minute, and other distances.
    private func stored(upTo end: Double, distance: Double) throws -> RecordedWorkout {
        var run = RecordedRun()
        for second in stride(from: 0.0, to: end, by: 1) where Int(second) % 60 < 35 {
            try run.add(.heartRate, 130, second, from: RecordedRun.strap)
            try run.add(
                .distanceWalkingRunning, distance, second, second + 1, from: RecordedRun.pod)
        }
        return try run.recorded(laps: [0], end: end)
    }

    private func imported(_ format: WorkoutFileFormat) throws -> ImportedWorkout {
        var run = RecordedRun()
        for second in stride(from: 0.0, to: Self.length, by: 1) {
            try run.add(.heartRate, 140, second, from: RecordedRun.strap)
            try run.add(.runningSpeed, 3, second, from: RecordedRun.pod)
            try run.add(.distanceWalkingRunning, 3, second, second + 1, from: RecordedRun.pod)
            try run.add(.activeEnergyBurned, 0.2, second, second + 1, from: RecordedRun.box)
        }
        return try WorkoutFile.read(
            WorkoutFile.export(
                run.recorded(laps: [0], end: Self.length), as: format, by: RecordedRun.recorder),
            person: "anna", source: SourceRevision(name: "import"))
    }

    func testInterruptedAnywhere_theRepetition_hasTheRest() throws {
        for format in [WorkoutFileFormat.fit, .tcx] {
            let imported = try imported(format)
            // The counts of the store are as large as those of the file, larger, or smaller.
            for (end, distance) in [(200.0, 3.0), (Self.length, 3.2), (Self.length, 2.2)] {
                let before = try stored(upTo: end, distance: distance)
                try assertContinues(
                    imported, before.workout, before.samples, "\(format) \(end) \(distance)")
            }
        }
    }

    private func assertContinues(
        _ imported: ImportedWorkout, _ workout: Workout, _ before: [QuantitySample], _ story: String
    ) throws {
        func adding(to samples: [QuantitySample]) throws -> WorkoutAddition {
            try imported.adding(to: [KnownWorkout(workout: workout, allSamples: samples)])
        }
        let whole = try adding(to: before)
        let samples = whole.samples
        XCTAssertGreaterThan(samples.count, 100, story)
        for count in stride(from: 0, through: samples.count, by: 7) {
            let rest = try adding(to: before + samples.prefix(count))
            XCTAssertEqual(rest.workout, whole.workout, story)
            XCTAssertEqual(rest.samples, Array(samples.dropFirst(count)), "\(story), \(count)")
            XCTAssertEqual(rest.differences, whole.differences, story)
        }
        let last = try adding(to: before + samples)
        XCTAssertEqual(last.samples, [], story)
        XCTAssertFalse(last.isEmpty, "\(story): the workout is not stored")
        let again = try imported.adding(
            to: [KnownWorkout(workout: whole.workout, allSamples: before + samples)])
        XCTAssertTrue(again.isEmpty, story)
    }

    /// A file that was imported long ago does not count again what another one has added since.
    func testAnEarlierImport_isNotRepeated_afterTheStoreHasChanged() throws {
        let imported = try imported(.tcx)
        let before = try stored(upTo: Self.length, distance: 2.2)
        let first = try imported.adding(
            to: [KnownWorkout(workout: before.workout, allSamples: before.samples)])
        var run = RecordedRun()
        for second in stride(from: 40.0, to: 50, by: 1) {
            try run.add(.distanceWalkingRunning, 9, second, second + 1, from: RecordedRun.box)
        }
        let others = try run.recorded(laps: [0], end: Self.length).samples.map { sample in
            try QuantitySample(
                id: .make(start: sample.start, device: "x", stream: "y", key: 1), type: sample.type,
                start: sample.start, end: sample.end, quantity: sample.quantity,
                person: sample.person, device: sample.device)
        }
        let again = try imported.adding(
            to: [
                KnownWorkout(
                    workout: before.workout, allSamples: before.samples + first.samples + others)
            ])
        XCTAssertEqual(again.samples.sum(.distanceWalkingRunning), 0)
        XCTAssertEqual(again.samples, [])
    }
}
