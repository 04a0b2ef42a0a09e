import Foundation
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import StoreRequests

/// Tests the summaries of a day and of a month.
final class SummaryRequestTests: XCTestCase {
    private static let day =
        #"{"request":"summary","person":"ada","period":"day","date":"2026-11-22"}"#
    private static let energies: Set<String> = [
        "activeEnergyBurned", "basalEnergyBurned", "dietaryEnergyConsumed",
    ]

    private static func records() throws -> [Record] {
        [
            try StoreExamples.sample(
                1, .activeEnergyBurned, 300, from: "2026-11-22T08:00:00Z",
                to: "2026-11-22T09:00:00Z"),
            try StoreExamples.sample(
                2, .dietaryEnergyConsumed, 500, from: "2026-11-22T12:00:00Z",
                to: "2026-11-22T12:10:00Z"),
            try StoreExamples.sample(
                3, .stepCount, 4_000, from: "2026-11-20T12:00:00Z", to: "2026-11-20T12:10:00Z"),
            try StoreExamples.sample(4, .bodyMass, 70, from: "2026-11-20T07:00:00Z"),
            try StoreExamples.sample(5, .height, 1.75, from: "2026-11-20T07:00:00Z"),
        ]
    }

    private static func summary(_ lines: [String]) throws -> [String: Any] {
        let line = try XCTUnwrap(lines.first)
        XCTAssertEqual(lines.count, 1)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try XCTUnwrap(object?["summary"] as? [String: Any], line)
    }

    func testDay_hasTheBalance() async throws {
        let people = #"{ ada: { birthDate: "1986-02-14", sex: "female" }, bob: {} }"#
        try await StoreGateway.run(people: people) { gateway in
            try await gateway.store(try Self.records())
            let day = try Self.summary(await gateway.ask(Self.day))
            XCTAssertEqual(day["date"] as? String, "2026-11-22")
            XCTAssertEqual(day["person"] as? String, "ada")
            XCTAssertEqual(day["active"] as? Double, 300)
            XCTAssertEqual(day["consumed"] as? Double, 500)
            XCTAssertEqual(day["unit"] as? String, "kcal")
            XCTAssertEqual(day["restingIs"] as? String, "estimated")
            let resting = try XCTUnwrap(day["resting"] as? Double)
            XCTAssertEqual(day["balance"] as? Double ?? 0, 300 + resting - 500, accuracy: 0.01)
        }
    }

    /// The estimate would show another user the age and the body mass.
    func testDay_ofAnotherUser_hasNoEstimate() async throws {
        let people = #"{ ada: { birthDate: "1986-02-14", sex: "female" }, bob: {} }"#
        try await StoreGateway.run(people: people) { gateway in
            try await gateway.store(try Self.records())
            for type in Self.energies {
                try await gateway.grant(Self.energies.subtracting([type]), to: "dash-\(type)")
                let lines = await gateway.ask(Self.day, as: "dash-\(type)")
                XCTAssertTrue(lines[0].contains(#""code":"notAsked""#), lines[0])
            }
            try await gateway.grant(Self.energies, to: "dash")
            let day = try Self.summary(await gateway.ask(Self.day, as: "dash"))
            XCTAssertEqual(day["active"] as? Double, 300)
            XCTAssertEqual(day["restingIs"] as? String, "unknown")
            XCTAssertNil(day["resting"])
        }
    }

    func testMonth_hasTheAverages() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try Self.records())
            let month = try Self.summary(
                await gateway.ask(
                    #"{"request":"summary","person":"ada","period":"month","date":"2026-11-22"}"#))
            XCTAssertEqual(month["from"] as? String, "2026-10-22")
            XCTAssertEqual(month["to"] as? String, "2026-11-21")
            let averages = try XCTUnwrap(month["averages"] as? [[String: Any]])
            XCTAssertEqual(averages.count, 3)
            XCTAssertEqual(averages.first?["type"] as? String, "stepCount")
            XCTAssertEqual(averages.first?["average"] as? Double, 4_000)
            XCTAssertEqual(averages.first?["daysWithSamples"] as? Int, 1)
        }
    }

    /// The days at both ends, before and after 1970, and those on which clocks change.
    func testEveryDate_hasItsBounds_orIsRefused() async throws {
        try await StoreGateway.run(people: "{ ada: {} }") { gateway in
            for date in [
                "1678-01-01", "1969-12-31", "1970-01-01", "2026-03-29", "2026-10-25", "2261-12-31",
            ] {
                let day = try Self.summary(
                    await gateway.ask(#"{"request":"summary","period":"day","date":"\#(date)"}"#))
                XCTAssertEqual(day["date"] as? String, date)
                let month = try Self.summary(
                    await gateway.ask(#"{"request":"summary","period":"month","date":"\#(date)"}"#))
                let days = try XCTUnwrap(month["days"] as? Int)
                XCTAssertTrue((28...31).contains(days), "\(month)")
            }
            for date in ["0001-01-01", "0001-02-01", "1677-12-31", "2262-01-01", "9999-12-31"] {
                for period in ["day", "month"] {
                    let lines = await gateway.ask(
                        #"{"request":"summary","period":"\#(period)","date":"\#(date)"}"#)
                    XCTAssertEqual(
                        lines,
                        [
                            #"{"error":"date: must be from 1678-01-01 to 2261-12-31","#
                                + #""key":"date"}"#
                        ])
                }
            }
        }
    }

    func testWrongKeys_areNamed() async throws {
        try await StoreGateway.run { gateway in
            for (fields, key) in [
                (#","period":"week""#, "period"),
                (#","period":"day","date":"2026-13-01""#, "date"),
                (#","period":"day","date":"today""#, "date"), (#","period":"day""#, "person"),
                (#","period":"day","person":"eve""#, "person"), (#","period":"day","x":1"#, "x"),
            ] {
                let lines = await gateway.ask(#"{"request":"summary"\#(fields)}"#)
                XCTAssertTrue(lines[0].contains(#""key":"\#(key)""#), lines[0])
            }
        }
    }
}
