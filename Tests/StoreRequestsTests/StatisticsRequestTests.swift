import Foundation
import GatewayCore
import HealthModel
import XCTest

@testable import GatewayHost
@testable import StoreRequests

/// The requests `types` and `statistics`.
final class StatisticsRequestTests: XCTestCase {
    private static func steps() throws -> [Record] {
        [
            try StoreExamples.sample(
                1, .stepCount, 100, from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:01:00Z"),
            try StoreExamples.sample(
                2, .stepCount, 50, from: "2026-11-22T10:00:00Z", to: "2026-11-22T10:01:00Z"),
            try StoreExamples.sample(
                3, .stepCount, 7, from: "2026-11-22T10:00:00Z", to: "2026-11-22T10:01:00Z",
                of: "bob"),
        ]
    }

    private static func object(_ line: String?) throws -> [String: Any] {
        let line = try XCTUnwrap(line)
        return try XCTUnwrap(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], line)
    }

    func testTypes_areAllWithUnitAndStyle_forEverybody() async throws {
        try await StoreGateway.run { gateway in
            let lines = await gateway.ask(#"{"request":"types"}"#, as: "dash")
            let types = try XCTUnwrap(try Self.object(lines.first)["types"] as? [[String: Any]])
            let names = types.compactMap { $0["name"] as? String }
            XCTAssertEqual(
                Set(names),
                Set(QuantityType.all.map(\.name) + RecordType.otherNames + ["deviceEvent"]))
            for text in [
                #"{"name":"stepCount","kind":"quantity","unit":"count","aggregationStyle":"cumulative"}"#,
                #"{"name":"workout","kind":"workout"}"#,
                #"{"name":"bloodPressure","kind":"correlation"}"#,
                #"{"value":5,"name":"asleepREM"}"#,
            ] {
                XCTAssertTrue(lines[0].contains(text), text)
            }
        }
    }

    func testDays_areThoseOfTheLocalCalendar_alsoEmptyOnes() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.steps())
            let (from, to) = ("2026-11-19T00:00:00Z", "2026-11-24T00:00:00Z")
            let lines = await gateway.ask(
                #"{"request":"statistics","type":"stepCount","person":"ada","bucket":"day","#
                    + #""from":"\#(from)","to":"\#(to)"}"#)
            let day = try XCTUnwrap(CalendarStep(1, .day))
            let spans = try XCTUnwrap(
                LocalCalendar.system.steps(
                    of: StoreExamples.time(from)..<StoreExamples.time(to), by: day))
            XCTAssertEqual(lines.last, #"{"statistics":{"rows":\#(spans.count)}}"#)
            let rows = try lines.dropLast().map(Self.object)
            XCTAssertEqual(rows.map { $0["start"] as? String }, spans.map { "\($0.lowerBound)" })
            XCTAssertEqual(rows.compactMap { $0["sum"] as? Double }, [100, 50])
            XCTAssertEqual(Set(rows.compactMap { $0["person"] as? String }), ["ada"])
        }
    }

    func testWithoutTimes_beginsAtTheFirstSample_andEndsNow() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.steps())
            let lines = await gateway.ask(
                #"{"request":"statistics","type":"stepCount","person":"ada"}"#)
            XCTAssertEqual(lines.count, 2)
            let row = try Self.object(lines.first)
            XCTAssertEqual(row["start"] as? String, "2026-11-20T10:00:00.000Z")
            XCTAssertEqual(row["sum"] as? Double, 150)
            let none = await gateway.ask(
                #"{"request":"statistics","type":"bodyMass","person":"ada","bucket":"day"}"#)
            XCTAssertEqual(none, [#"{"statistics":{"rows":0}}"#])
        }
    }

    func testPerson_isRequiredOfSeveral_unlessThereIsADefault() async throws {
        let request = #"{"request":"statistics","type":"stepCount"}"#
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.steps())
            let lines = await gateway.ask(request)
            XCTAssertEqual(try Self.object(lines.first)["key"] as? String, "person")
            let unknown = await gateway.ask(
                #"{"request":"statistics","type":"stepCount","person":"eve"}"#)
            XCTAssertEqual(try Self.object(unknown.first)["key"] as? String, "person")
        }
        try await StoreGateway.run(people: "{ ada: {} }") { gateway in
            try await gateway.store(Array(try Self.steps().prefix(2)))
            let lines = await gateway.ask(request)
            XCTAssertEqual(try Self.object(lines.first)["sum"] as? Double, 150)
        }
    }

    func testWrongRequests_nameTheKey() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.steps())
            for (fields, key) in [
                ("", nil), (#","type":"workout""#, "type"), (#","type":"steps""#, "type"),
                (#","type":"stepCount","from":"today""#, "from"),
                (#","type":"stepCount","bucket":"year""#, "bucket"),
                (#","type":"stepCount","unit":"lb""#, "unit"),
                (
                    #","type":"stepCount","from":"2026-11-22T00:00:00Z","to":"2026-11-21T00:00:00Z""#,
                    "from"
                ),
                (
                    #","type":"stepCount","person":"ada","bucket":"hour","from":"2020-01-01T00:00:00Z""#,
                    "bucket"
                ),
            ] {
                let lines = await gateway.ask(#"{"request":"statistics"\#(fields)}"#)
                XCTAssertEqual(lines.count, 1, fields)
                let answer = try Self.object(lines.first)
                XCTAssertNotNil(answer["error"], fields)
                if let key { XCTAssertEqual(answer["key"] as? String, key, "\(answer)") }
            }
        }
    }

    func testAnotherUser_needsTheType_andLearnsNoNames() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.steps())
            let request = #"{"request":"statistics","type":"stepCount","person":"ada"}"#
            let refused = await gateway.ask(request, as: "dash")
            XCTAssertEqual(try Self.object(refused.first)["code"] as? String, "notAsked")
            try await gateway.grant(["stepCount"], to: "dash")
            let lines = await gateway.ask(request, as: "dash")
            XCTAssertEqual(try Self.object(lines.first)["sum"] as? Double, 150)
            for person in ["eve", ""] {
                let field = person.isEmpty ? "" : #","person":"eve""#
                let other = await gateway.ask(
                    #"{"request":"statistics","type":"stepCount"\#(field)}"#, as: "dash")
                for name in ["ada", "bob"] {
                    XCTAssertFalse(other.joined().contains(name), "\(other)")
                }
            }
        }
    }
}
