import Foundation
import HealthModel
import XCTest

@testable import GatewayHost
@testable import StoreRequests

/// The examples of the requests about stored data in the manual.
final class StoreManualTests: XCTestCase {
    private static func manual() throws -> String {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/pulsegate/Manual/control-protocol.md")
        return try String(contentsOf: page, encoding: .utf8)
    }

    private static func records() throws -> [Record] {
        let start = try StoreExamples.time("2026-11-22T18:00:00Z")
        let end = start.adding(nanoseconds: 1_800_000_000_000)
        return [
            .workout(
                try Workout(
                    id: StoreExamples.id(1), activity: WorkoutActivity(.running), start: start,
                    end: end, person: "ada", source: SourceRevision(name: "workout"))),
            try StoreExamples.sample(2, .heartRate, 120, from: "2026-11-22T18:00:00Z"),
            try StoreExamples.sample(3, .heartRate, 140, from: "2026-11-22T18:00:30Z"),
            try StoreExamples.sample(
                4, .stepCount, 950, from: "2026-11-22T19:00:00Z", to: "2026-11-22T19:10:00Z"),
        ]
    }

    /// Each request of the page that is one of this room, with the lines that follow it there.
    func testExamples_areWhatAGatewayAnswers() async throws {
        let text = try Self.manual()
        let id = "\(StoreExamples.id(1))"
        try await StoreGateway.run(people: "{ ada: {} }") { gateway in
            try await gateway.store(try Self.records())
            for request in [
                #"{"request":"statistics","type":"stepCount","person":"ada","from":"2026-11-22T00:00:00Z","to":"2026-11-23T00:00:00Z"}"#,
                #"{"request":"workouts","person":"ada","limit":1}"#,
                #"{"request":"workoutDetail","id":"\#(id)"}"#,
            ] {
                let answer = await gateway.ask(request).joined(separator: "\n")
                XCTAssertTrue(
                    text.contains("```json\n\(request)\n"), "not in the manual: \(request)")
                XCTAssertTrue(text.contains("\n\(answer)\n```"), "not in the manual: \(answer)")
            }
        }
    }

    /// The kinds of the types are those that the page lists.
    func testTypes_haveTheExampleOfThePage() async throws {
        let text = try Self.manual()
        try await StoreGateway.run { gateway in
            let lines = await gateway.ask(#"{"request":"types"}"#)
            for type in [
                #"{"name":"heartRate","kind":"quantity","unit":"count/min","aggregationStyle":"discreteTemporallyWeighted"}"#,
                #"{"name":"stepCount","kind":"quantity","unit":"count","aggregationStyle":"cumulative"}"#,
                #"{"name":"workout","kind":"workout"}"#,
            ] {
                XCTAssertTrue(lines[0].contains(type), type)
                XCTAssertTrue(text.contains(type), "not in the manual: \(type)")
            }
        }
    }

    func testChanges_endAsOnThePage() async throws {
        let text = try Self.manual()
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.records())
            let lines = await gateway.ask(#"{"request":"changes","limit":2}"#)
            let end = try XCTUnwrap(lines.last)
            let anchor = try XCTUnwrap(
                end.split(separator: "\"").dropLast().last { $0.contains(".") })
            let shown = end.replacing(anchor, with: "…")
            XCTAssertTrue(text.contains(shown), "not in the manual: \(shown)")
        }
    }
}
