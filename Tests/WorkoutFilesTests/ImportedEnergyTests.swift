import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// The energy of an imported workout is reported once.
final class ImportedEnergyTests: XCTestCase {
    func testSamples_ofAnImportedWorkout_haveItsEnergyOnce() throws {
        let file = try WorkoutFile.export(RecordedRun.full(), as: .fit, by: RecordedRun.recorder)
        let imported = try WorkoutFile.read(file, person: "anna")

        let recorded = RecordedWorkout(
            workout: imported.workout, allSamples: imported.samples, subject: WorkoutSubject())

        let energy = try XCTUnwrap(recorded.measures.energyKilocalories)
        XCTAssertEqual(recorded.samples.sum(.activeEnergyBurned), energy, accuracy: 1e-6)
        XCTAssertEqual(Set(recorded.samples.map(\.id)).count, recorded.samples.count)
    }
}
