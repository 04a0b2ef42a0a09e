import GatewayCore
import HealthModel
import XCTest

@testable import PulsegateCommand

/// Requests about workouts on the control socket.
final class WorkoutRequestTests: XCTestCase {
    private func request(_ line: String) throws -> ControlRequest {
        try ControlRequest(line: Array(line.utf8), people: ["ada"], types: .standard)
    }

    func testWorkout_whatIsWrongInIt_isRefusedWithItsKey() throws {
        let wrong: [(line: String, path: String)] = [
            (#"{"request":"workout"}"#, ""),
            (#"{"request":"workout","do":7}"#, "do"),
            (#"{"request":"workout","do":"run"}"#, "do"),
            (#"{"request":"workout","do":"lap","person":"zoe"}"#, "person"),
            (#"{"request":"workout","do":"lap","person":["ada"]}"#, "person"),
            (#"{"request":"workout","do":"lap","activity":"running"}"#, "activity"),
            (#"{"request":"workout","do":"start","activity":{}}"#, "activity"),
            (#"{"request":"workout","do":"start","location":"moon"}"#, "location"),
            (#"{"request":"workout","do":"start","plan":[]}"#, "plan"),
            (#"{"request":"workout","do":"start","sample":{}}"#, "sample"),
        ]
        for (line, path) in wrong {
            XCTAssertThrowsError(try request(line), line) { error in
                XCTAssertEqual((error as? ConfigurationError)?.path, path, "\(error)")
            }
        }
    }

    func testWorkout_everyAction_isReadAsItWasWritten() throws {
        let beginning = WorkoutRequest.Beginning(
            activity: "running", location: .indoor, plan: "{ steps: [] }")
        for action in WorkoutRequest.Action.allCases {
            let asked = ControlRequest.workout(
                WorkoutRequest(
                    action, person: "ada",
                    beginning: action == .start ? beginning : WorkoutRequest.Beginning()))
            XCTAssertEqual(try request(String(decoding: asked.line, as: UTF8.self)), asked)
        }
    }
}
