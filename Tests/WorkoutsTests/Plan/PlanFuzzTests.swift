import GatewayTesting
import HealthModel
import XCTest

@testable import JSON
@testable import Platform
@testable import Workouts

/// Plans and stored sessions of any text: read or refused, and what was read is written so that it reads
/// the same.
final class PlanFuzzTests: XCTestCase {
    private static let plan =
        "{name: 'easy', steps: [{repeat: 2, steps: [{time: '4m', zone: [1, 2]}, {distance: '400 m'}]}, "
        + "{name: 'out', until: {zone: 1}}, {open: true}]}"
    private static let session =
        #"{"v":1,"id":"00000000-0000-8000-8000-000000000001","person":"ada","activity":"prancercise","#
        + #""location":"indoor","state":"running","start":"2026-11-21T18:15:00Z","#
        + #""last":"2026-11-21T18:16:00Z","events":[{"kind":"lap","from":"2026-11-21T18:15:30Z"}],"#
        + #""plan":{"name":"x","steps":[{"time":"1m"}]}}"#
    private static let words = [
        "{", "}", "[", "]", ":", ",", "'", "\"", "null", "1e999", "-1", "0", "9223372036854775808",
        "0.5",
        "repeat: 99999", "steps: []", "time: '1000000h'", "'1e308 km'", "zone: [9, 1]",
        "free: true",
        "\"end\":\"1677-09-21T00:12:43.2Z\"", "\"state\":\"ended\"", "\"kind\":\"resume\"",
        "\u{FEFF}",
    ].map { Array($0.utf8) }

    func testPlan() {
        check("plans", Self.plan, { try? WorkoutPlan(json5: $0) }, { $0.json })
    }

    func testSession() {
        check("sessions", Self.session, { try? WorkoutSession(json: $0) }, { $0.json })
    }

    private func check<Value: Equatable>(
        _ name: String, _ text: String, _ read: (String) -> Value?, _ write: (Value) -> String
    ) {
        XCTAssertEqual(
            FuzzRun.roundTrips(
                name, inputs: 3_000, of: text, words: Self.words, read: read, write: write), [])
    }
}
