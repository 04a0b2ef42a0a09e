import Foundation
import GatewayCore
import HealthModel
import WorkoutFiles
import XCTest

@testable import ByteDecoding
@testable import GatewayHost
@testable import StoreRequests

/// The requests `workouts`, `workoutDetail` and `workoutFile`.
final class WorkoutRequestsTests: XCTestCase {
    private static let unknown = #""id":"0198f3c2-0000-8000-8000-0000000fffff""#

    private static func object(_ line: String?) throws -> [String: Any] {
        let line = try XCTUnwrap(line)
        return try XCTUnwrap(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], line)
    }

    private static func ids(_ lines: [String]) throws -> [String] {
        try lines.dropLast().map { try XCTUnwrap(try object($0)["id"] as? String) }
    }

    /// Three runs and a ride.
    private static func workouts() throws -> [Record] {
        [
            try StoreExamples.workout(1), try StoreExamples.workout(2, minute: 20),
            try StoreExamples.workout(3, .cycling, minute: 40),
            try StoreExamples.workout(4, minute: 60, of: "bob"),
        ]
    }

    func testList_isNewestFirst_andHasWhatIsAskedFor() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.workouts())
            for (fields, numbers) in [
                ("", [4, 3, 2, 1]), (#","limit":2"#, [4, 3]), (#","person":"ada""#, [3, 2, 1]),
                (#","activity":"running""#, [4, 2, 1]),
                (#","activity":"running","limit":1,"person":"ada""#, [2]),
                (#","from":"2026-11-22T18:25:00Z","to":"2026-11-22T18:40:00Z""#, [2]),
            ] as [(String, [UInt64])] {
                let lines = await gateway.ask(#"{"request":"workouts"\#(fields)}"#)
                XCTAssertEqual(
                    try Self.ids(lines), numbers.map { "\(StoreExamples.id($0))" }, fields)
                XCTAssertEqual(lines.last, #"{"workouts":{"records":\#(numbers.count)}}"#)
            }
        }
    }

    func testWrongList_namesTheKey() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.workouts())
            for (fields, key) in [
                (#","limit":0"#, "limit"), (#","limit":1001"#, "limit"),
                (#","activity":"runing""#, "activity"), (#","person":"eve""#, "person"),
                (#","to":1"#, "to"),
            ] {
                let lines = await gateway.ask(#"{"request":"workouts"\#(fields)}"#)
                XCTAssertEqual(try Self.object(lines.first)["key"] as? String, key, "\(lines)")
            }
        }
    }

    func testDetail_hasFigures_andACurve() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(
                [try StoreExamples.workout(1)] + (try StoreExamples.rates()))
            let lines = await gateway.ask(
                #"{"request":"workoutDetail","id":"\#(StoreExamples.id(1))"}"#)
            let workout = try XCTUnwrap(
                try Self.object(lines.first)["workout"] as? [String: Any])
            XCTAssertEqual(workout["activity"] as? String, "running")
            let measures = try XCTUnwrap(workout["measures"] as? [String: Any])
            let rate = try XCTUnwrap(measures["heartRate"] as? [String: Any])
            XCTAssertEqual(rate["average"] as? Double, 150)
            let plot = try XCTUnwrap(workout["plot"] as? [String: [Double]])
            XCTAssertEqual(plot["seconds"], (0...60).map { Double($0) * 10 })
            XCTAssertEqual(plot["rate"], (0...60).map { 120 + Double($0) })
            XCTAssertNil(workout["samples"])
        }
    }

    func testFiles_areThoseOfTheExport() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(
                [try StoreExamples.workout(1)] + (try StoreExamples.rates()))
            let date = LocalCalendar.system.date(
                at: try StoreExamples.time("2026-11-22T18:00:00Z"))
            for format in ["fit", "tcx", "csv", "json"] {
                let lines = await gateway.ask(
                    #"{"request":"workoutFile","id":"\#(StoreExamples.id(1))","format":"\#(format)"}"#
                )
                let file = try XCTUnwrap(
                    try Self.object(lines.first)["file"] as? [String: Any], "\(lines)")
                XCTAssertEqual(file["name"] as? String, "\(date)-running.\(format)")
                let bytes = try lines.dropFirst().flatMap { line in
                    try XCTUnwrap(
                        Base64.bytes(of: try XCTUnwrap(Self.object(line)["data"] as? String)))
                }
                XCTAssertEqual(file["bytes"] as? Int, bytes.count)
                if ["fit", "tcx"].contains(format) {
                    let read = try WorkoutFile.read(bytes)
                    XCTAssertEqual(read.workout.activity.name, "running")
                    XCTAssertEqual(
                        read.content.filter { $0.type == .heartRate }.count, 61, format)
                } else {
                    let text = String(decoding: bytes, as: UTF8.self)
                    XCTAssertTrue(text.contains("180"), format)
                }
            }
        }
    }

    func testUnknownWorkouts_andWrongRequests() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store([try StoreExamples.workout(1)])
            for request in ["workoutDetail", "workoutFile"] {
                let format = request == "workoutFile" ? #","format":"fit""# : ""
                let none = await gateway.ask(
                    #"{"request":"\#(request)",\#(Self.unknown)\#(format)}"#)
                XCTAssertEqual(try Self.object(none.first)["code"] as? String, "notFound")
                let wrong = await gateway.ask(#"{"request":"\#(request)","id":"1"\#(format)}"#)
                XCTAssertEqual(try Self.object(wrong.first)["key"] as? String, "id")
            }
            let positions = await gateway.ask(
                #"{"request":"workoutFile",\#(Self.unknown),"format":"gpx"}"#)
            XCTAssertEqual(try Self.object(positions.first)["key"] as? String, "format")
        }
    }

    func testAnotherUser_needsTheWorkout_andTheTypesOfItsFigures() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(
                [try StoreExamples.workout(1)] + (try StoreExamples.rates()))
            let requests = [
                #"{"request":"workoutDetail","id":"\#(StoreExamples.id(1))"}"#,
                #"{"request":"workoutFile","id":"\#(StoreExamples.id(1))","format":"json"}"#,
            ]
            for request in requests + [#"{"request":"workouts"}"#] {
                let lines = await gateway.ask(request, as: "dash")
                XCTAssertEqual(try Self.object(lines.first)["code"] as? String, "notAsked")
            }
            try await gateway.grant(["workout"], to: "dash")
            for request in requests {
                let lines = await gateway.ask(request, as: "dash")
                XCTAssertEqual(lines.count, 1)
                XCTAssertTrue(lines[0].contains("heartRate"), lines[0])
                XCTAssertEqual(try Self.object(lines.first)["code"] as? String, "notAsked")
            }
            let list = await gateway.ask(#"{"request":"workouts"}"#, as: "dash")
            XCTAssertEqual(list.count, 2)
            try await gateway.grant(["workout", "heartRate"], to: "dash")
            for request in requests {
                let lines = await gateway.ask(request, as: "dash")
                XCTAssertNil(try Self.object(lines.first)["error"], lines[0])
            }
        }
    }

    func testTooManyAtATime_getAnError() async throws {
        let limiter = RequestLimiter(1)
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.workouts())
            let router = RequestRouter([.workoutDetail(limiter)])
            let request = Array(#"{"request":"workoutDetail",\#(Self.unknown)}"#.utf8)
            let (inner, outer) = (AnswerLine(), AnswerLine())
            try await limiter.run(outer) {
                _ = await router.answer(request, gateway.service, inner)
            }
            XCTAssertTrue(inner.text.contains(#""code":"busy""#), inner.text)
            let later = AnswerLine()
            _ = await router.answer(request, gateway.service, later)
            XCTAssertTrue(later.text.contains(#""code":"notFound""#), later.text)
        }
    }
}
