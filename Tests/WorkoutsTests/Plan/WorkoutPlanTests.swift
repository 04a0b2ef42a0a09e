import Workouts
import XCTest

/// Plans as people write them.
final class WorkoutPlanTests: XCTestCase {
    private let text = """
        { name: "4x4", steps: [
          { name: "warm up", time: "10m", zone: 1 },   // easy
          { repeat: 2, steps: [ { time: "4m", zone: 4 }, { distance: "0.4 km", zone: [1, 2] } ] },
          { until: { zone: [0, 1] } },
          { open: true, heartRate: [100, 120] },
        ] }
        """

    func testInit_ofAPlan_hasEachStepAsOftenAsItIsToBeDone() throws {
        let plan = try WorkoutPlan(json5: text)

        XCTAssertEqual(plan.name, "4x4")
        XCTAssertEqual(
            plan.steps.map(\.name),
            ["warm up", "4:00", "400 m", "4:00", "400 m", "until zone 0 to 1"]
                + ["until the next lap"])
        XCTAssertEqual(
            plan.steps.map(\.goal),
            [
                .time(seconds: 600), .time(seconds: 240), .distance(meters: 400),
                .time(seconds: 240), .distance(meters: 400), .zone(0...1), .open,
            ])
        XCTAssertEqual(
            plan.steps.map(\.target),
            [
                .zones(1...1), .zones(4...4), .zones(1...2), .zones(4...4), .zones(1...2), nil,
                .heartRate(100...120),
            ])
    }

    func testJSON_readsBackTheSame() throws {
        let plan = try WorkoutPlan(json5: text)

        XCTAssertEqual(try WorkoutPlan(json5: plan.json), plan)
    }

    func testInit_ofWhatIsWrong_namesTheKey() {
        let cases: [(String, String)] = [
            ("[]", "expected an object, found a list"),
            ("{steps: [{time: '1m'}]}", "the key `name` is missing"),
            ("{name: 'x'}", "the key `steps` is missing"),
            ("{name: 'x', steps: []}", "steps: must contain a step"),
            ("{name: 'x', step: []}", "step: unknown key"),
            ("{name: 'a\\nb', steps: [{open: true}]}", "name: must be up to 64 characters"),
            ("{name: 'x', steps: [{time: '0s'}]}", "steps[0].time: must be from 1s to 1d"),
            ("{name: 'x', steps: [{time: 5}]}", "steps[0].time: expected a string"),
            ("{name: 'x', steps: [{zone: 1}]}", "steps[0]: expected one of"),
            (
                "{name: 'x', steps: [{time: '1m', open: true}]}",
                "steps[0]: expected one of `time`, `distance`, `until` and `open: true`, "
                    + "found `time`, `open`"
            ),
            ("{name: 'x', steps: [{open: false}]}", "steps[0].open: must be true"),
            ("{name: 'x', steps: [{time: '1m', zone: 21}]}", "steps[0].zone: must be a whole"),
            ("{name: 'x', steps: [{time: '1m', zone: [2, 1]}]}", "steps[0].zone: must be in"),
            ("{name: 'x', steps: [{time: '1m', zone: [1]}]}", "steps[0].zone: expected a zone"),
            (
                "{name: 'x', steps: [{time: '1m', zone: 1, heartRate: [100, 120]}]}",
                "steps[0]: sets both `zone` and `heartRate`"
            ),
            (
                "{name: 'x', steps: [{time: '1m', heartRate: [120, 100]}]}",
                "steps[0].heartRate: must be two ascending rates"
            ),
            ("{name: 'x', steps: [{until: {zones: 1}}]}", "steps[0].until.zones: unknown key"),
            ("{name: 'x', steps: [{distance: '400'}]}", "steps[0].distance: expected a distance"),
            ("{name: 'x', steps: [{distance: '4 s'}]}", "steps[0].distance: expected a distance"),
            ("{name: 'x', steps: [{distance: '0 m'}]}", "steps[0].distance: must be from 1 m"),
            ("{name: 'x', steps: [{distance: 'nan m'}]}", "steps[0].distance: expected a"),
            ("{name: 'x', steps: [{repeat: 2}]}", "steps[0]: the key `steps` is missing"),
            ("{name: 'x', steps: [{steps: [{open: true}]}]}", "steps[0]: the key `repeat`"),
            (
                "{name: 'x', steps: [{repeat: 0, steps: [{open: true}]}]}",
                "steps[0].repeat: must be a whole number from 1 to 1000"
            ),
            (
                "{name: 'x', steps: [{repeat: 501, steps: [{open: true}, {open: true}]}]}",
                "steps[0]: a plan may have up to 1000 steps"
            ),
        ]
        for (text, message) in cases {
            XCTAssertThrowsError(try WorkoutPlan(json5: text), text) { error in
                XCTAssertTrue("\(error)".hasPrefix(message), "\(text) → \(error)")
            }
        }
    }

    func testInit_ofRepeatsWithinRepeats_isBoundedBeforeAnythingIsMade() throws {
        func nested(_ depth: Int, _ count: Int) -> String {
            let inner = depth == 0 ? "{open: true}" : nested(depth - 1, count)
            return depth == 0 ? inner : "{repeat: \(count), steps: [\(inner)]}"
        }

        XCTAssertThrowsError(try WorkoutPlan(json5: "{name: 'x', steps: [\(nested(3, 1_000))]}"))
        XCTAssertEqual(
            try WorkoutPlan(json5: "{name: 'x', steps: [\(nested(3, 10))]}").steps.count, 1_000)
        XCTAssertThrowsError(try WorkoutPlan(json5: "{name: 'x', steps: [\(nested(4, 1))]}")) {
            XCTAssertTrue("\($0)".hasSuffix("steps may be nested up to 4 levels"), "\($0)")
        }
    }

    func testInit_ofALongText_isRefused() {
        let step = "{name: '\(String(repeating: "n", count: 60))', open: true},"
        let text = "{name: 'x', steps: [\(String(repeating: step, count: 1_000))]}"

        XCTAssertThrowsError(try WorkoutPlan(json5: text)) {
            XCTAssertEqual("\($0)", "a plan may have up to 65536 bytes; shorten it")
        }
    }
}
