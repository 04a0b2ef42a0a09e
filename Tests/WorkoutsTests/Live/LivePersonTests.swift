import GatewayCore
import HealthModel
import XCTest

@testable import Workouts

/// The live state of a person in a gateway that runs for months.
final class LivePersonTests: XCTestCase {
    private var samples = SampleMaker()
    private var person = LivePerson()

    private func at(_ seconds: Double) -> Instant { SampleMaker.at(seconds) }

    private func add(
        _ type: QuantityType, _ value: Double, _ seconds: Double, from device: String = "strap",
        now: Double? = nil
    ) throws {
        let start = type.isCumulative ? seconds - 1 : seconds
        let sample = try samples.sample(type, value, start, seconds, from: device)
        person.add(.sample(sample), at: at(now ?? seconds))
    }

    private func heart(_ seconds: Double) -> LiveWorkout.Heart {
        person.heart(at: at(seconds), of: WorkoutSubject()).state
    }

    func testOneStrapADay_takesNoPlaceForEver() throws {
        for day in 0..<40 {
            try add(.heartRate, 100, Double(day) * 86_400, from: "strap \(day)")
            XCTAssertEqual(
                heart(Double(day) * 86_400),
                .rate(100, zone: nil, device: "strap \(day)", isBackup: false))
        }
    }

    func testOldRecord_changesNothing() throws {
        try add(.heartRate, 100, 0, from: "watch", now: 600)
        try add(.stepCount, 100, 0, from: "watch", now: 600)

        XCTAssertEqual(heart(600), .waiting)
        XCTAssertEqual(person.values(at: at(0)), [])
    }

    func testLateRecord_doesNotReplaceANewerValue() throws {
        try add(.stepCount, 2, 10)
        try add(.stepCount, 1, 9, now: 11)

        XCTAssertEqual(person.values(at: at(11)).map(\.quantity.value), [2])
    }

    func testTooManyDevices_keepTheNewestValues() throws {
        let count = LivePerson.maximumValueCount
        for device in 0..<(count + 10) {
            try add(.stepCount, 1, Double(device), from: "foot \(device)", now: 100)
        }

        let values = person.values(at: at(100))
        XCTAssertEqual(values.count, count)
        XCTAssertFalse(values.contains { $0.device == "foot 9" })
        XCTAssertTrue(values.contains { $0.device == "foot 10" })
    }

    func testChangedRole_countsForKnownDevices() throws {
        try add(.heartRate, 100, 0, from: "a")
        try add(.heartRate, 120, 1, from: "b")
        XCTAssertEqual(heart(1), .rate(100, zone: nil, device: "a", isBackup: false))

        person.assign(["b": .primary])

        XCTAssertEqual(heart(1), .rate(120, zone: nil, device: "b", isBackup: false))
    }
}
