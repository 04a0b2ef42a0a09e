import GatewayCore
import HealthModel
import XCTest

@testable import JSON

/// The section `activities` of the configuration.
final class ActivitiesTests: XCTestCase {
    private func activities(_ text: String) throws -> Activities {
        let value = try JSONValue(json5: "{ activities: \(text) }")
        return try GatewayConfiguration(ConfigurationNode(path: "", value: value)).activities
    }

    private func assertRefused(
        _ text: String, _ path: String, _ words: String, line: UInt = #line
    ) {
        XCTAssertThrowsError(try activities(text), line: line) {
            let error = $0 as? ConfigurationError
            XCTAssertEqual(error?.path, path, line: line)
            XCTAssertTrue(error?.problem.contains(words) ?? false, "\($0)", line: line)
        }
    }

    private func own(_ name: String) throws -> WorkoutActivity {
        try XCTUnwrap(WorkoutActivity(customName: name))
    }

    func testActivities_whenNothingIsReported_knowPrancercise() throws {
        for activities in [Activities(), try activities("{}")] {
            XCTAssertEqual(
                activities[try own("prancercise")]?.energyPerHour, try Quantity(450, .kilocalorie))
            XCTAssertNil(activities[WorkoutActivity(.running)])
            XCTAssertEqual(activities.own, [try own("prancercise")])
        }
    }

    func testActivities_ofTheConfiguration_comeBesideOrInPlaceOfThose() throws {
        let activities = try activities(
            """
            { prancercise: { energyPerHour: { value: 2092, unit: "kJ" } }, "stair-run": {},
              yoga: { energyPerHour: { value: 200, unit: "kcal" } } }
            """)
        let energy = try XCTUnwrap(activities[own("prancercise")]?.energyPerHour)
        XCTAssertEqual(try energy.value(in: .kilocalorie), 500, accuracy: 1e-9)
        XCTAssertEqual(energy.unit.string, "kJ")
        XCTAssertNotNil(activities[try own("stair-run")])
        XCTAssertNil(activities[try own("stair-run")]?.energyPerHour)
        XCTAssertEqual(
            activities[WorkoutActivity(.yoga)]?.energyPerHour, try Quantity(200, .kilocalorie))
        XCTAssertEqual(activities.own, try ["prancercise", "stair-run"].map(own))
    }

    func testActivities_thatAreWrong_areRejectedWithTheirKeyPath() {
        assertRefused("[]", "activities", "expected an object")
        assertRefused("{ \"a b\": {} }", "activities.a b", "is not an activity")
        assertRefused(
            "{ HKWorkoutActivityTypeYoga: {} }", "activities.HKWorkoutActivityTypeYoga",
            "is not an activity")
        assertRefused("{ run1: { energy: 1 } }", "activities.run1.energy", "energyPerHour")
        let path = "activities.run1.energyPerHour"
        func energy(_ text: String) -> String { "{ run1: { energyPerHour: \(text) } }" }
        assertRefused(energy("450"), path, "expected an object")
        assertRefused(energy("{ value: 450 }"), path, "`unit` is missing")
        assertRefused(energy("{ unit: \"kcal\" }"), path, "`value` is missing")
        assertRefused(
            energy("{ value: 450, unit: \"kcal/hr\" }"), path + ".unit", "is not a unit of energy")
        assertRefused(energy("{ value: 450, unit: \"kcl\" }"), path + ".unit", "not a unit")
        for value in ["-1", "5001", "1e300"] {
            assertRefused(
                energy("{ value: \(value), unit: \"kcal\" }"), path + ".value", "0 to 5000")
        }
    }
}
