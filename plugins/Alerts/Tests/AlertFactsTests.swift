import XCTest

@testable import Alerts

final class AlertFactsTests: XCTestCase {
    private static let status = #"""
        {"v":1,"devices":[{"device":"D0","name":"Polar","person":"ada","link":"live","battery":0.5,
        "silentSeconds":1.5},{"device":"/dev/ttyUSB0","link":"wanted"}],
        "sources":[{"name":"straps","healthy":true}],
        "sinks":[{"name":"store","healthy":true},{"name":"server","healthy":false,"reason":"refused"}]}
        """#
    private static let workouts = #"""
        {"workouts":[{"person":"ada","state":"running","measures":{"elapsedSeconds":61.5}},
        {"person":"bob","state":"paused","measures":{"elapsedSeconds":5}}]}
        """#

    func testAnswers_areRead() throws {
        let facts = try AlertFacts(
            status: Array(Self.status.utf8), workouts: Array(Self.workouts.utf8))
        XCTAssertEqual(
            facts,
            AlertFacts(
                devices: [
                    .init(
                        identifier: "D0", name: "Polar", person: "ada", battery: 0.5,
                        silentSeconds: 1.5), .init(identifier: "/dev/ttyUSB0"),
                ], sinks: [.init(name: "store"), .init(name: "server", failure: "refused")],
                sources: [.init(name: "straps")], workoutSeconds: ["ada": 61.5]))
    }

    func testErrors_haveNoFacts_andCutAnswers_areRefused() {
        let status = Array(Self.status.utf8)
        for end in status.indices {
            XCTAssertThrowsError(
                try AlertFacts(status: Array(status[..<end]), workouts: Array("{}".utf8)))
        }
        XCTAssertEqual(
            try? AlertFacts(
                status: Array(#"{"error":"no"}"#.utf8), workouts: Array("{}".utf8)), AlertFacts())
    }
}
