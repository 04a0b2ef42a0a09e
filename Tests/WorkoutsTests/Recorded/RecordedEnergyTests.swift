import HealthModel
import Workouts
import XCTest

/// The energy of a workout is reported once.
final class RecordedEnergyTests: XCTestCase {
    func testSamples_whenADeviceReportedAfterTheEnergyWasComputed_haveItOnce() throws {
        var maker = WorkoutMaker(subject: try WorkoutMaker.ada())
        try maker.start()
        for second in 0...120 { try maker.rate(150, Double(second)) }
        try maker.pause(60)
        try maker.resume(70)
        try maker.stop(120)
        let computed = try maker.recorded().energySamples(device: nil, source: nil)
        XCTAssertEqual(computed.count, 2)
        for sample in computed { maker.tell(sample) }
        try maker.tell(.activeEnergyBurned, 9, 10, 50, from: "watch")

        let recorded = try maker.recorded()

        XCTAssertEqual(recorded.energies.map(\.method), [.counter, .heartRate])
        XCTAssertEqual(
            recorded.samples.filter { $0.type == .activeEnergyBurned }
                .reduce(0) { $0 + $1.quantity.value },
            try XCTUnwrap(recorded.measures.energyKilocalories), accuracy: 1e-9)
    }
}
