import GatewayCore
import JSON
import XCTest

@testable import HealthModel
@testable import WorkoutService

final class WorkoutRequestTests: XCTestCase {
    private func read(_ json: String, withWorkouts: [String] = []) throws -> WorkoutRequest {
        let object = try ConfigurationNode(json5: json).object(keys: WorkoutRequest.keys)
        return try WorkoutRequest(object, people: ["bob"], withWorkouts: withWorkouts)
    }

    func testRead_everyAction_isWhatWasWritten() throws {
        let configuration = WorkoutRequest.Configuration(
            activity: "running", location: .indoor, plan: "{ steps: [] }")
        for action in WorkoutRequest.Action.allCases {
            let request = WorkoutRequest(
                action, person: "bob",
                configuration: action == .start ? configuration : WorkoutRequest.Configuration())
            var json = JSONWriter()
            json.object { request.write(to: &$0) }
            XCTAssertEqual(try read(String(decoding: json.bytes, as: UTF8.self)), request)
        }
    }

    func testPersonWhoIsGone_canStillStop() throws {
        XCTAssertEqual(
            try read(#"{"action":"stop","person":"ada"}"#, withWorkouts: ["ada"]),
            WorkoutRequest(.stop, person: "ada"))
        XCTAssertThrowsError(
            try read(#"{"action":"start","person":"ada"}"#, withWorkouts: ["ada"]))
    }
}
