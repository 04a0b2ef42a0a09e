import Foundation
import HealthModel
import SQLiteStore
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import StoreRequests

/// The request `changes`.
final class ChangesRequestTests: XCTestCase {
    private struct End: Decodable {
        struct Changes: Decodable {
            let records: Int
            let anchor: String
            let hasMore: Bool
        }
        let changes: Changes
    }

    private static func end(_ lines: [String]) throws -> End.Changes {
        let line = try XCTUnwrap(lines.last)
        return try JSONDecoder().decode(End.self, from: Data(line.utf8)).changes
    }

    private static func request(since anchor: String? = nil, limit: Int = 1_000) -> String {
        let since = anchor.map { #","since":"\#($0)""# } ?? ""
        return #"{"request":"changes","limit":\#(limit)\#(since)}"#
    }

    /// The ids of the records in pages, until there are no more.
    private static func read(
        _ gateway: StoreGateway, since anchor: String? = nil, limit: Int, as name: String? = nil
    ) async throws -> (ids: [String], anchor: String) {
        var (anchor, ids) = (anchor, [String]())
        while true {
            let lines = await gateway.ask(request(since: anchor, limit: limit), as: name)
            let end = try end(lines)
            XCTAssertEqual(end.records, lines.count - 1)
            XCTAssertLessThanOrEqual(end.records, limit)
            ids += try lines.dropLast().map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try XCTUnwrap((object as? [String: Any])?["id"] as? String)
            }
            anchor = end.anchor
            if !end.hasMore { return (ids, end.anchor) }
        }
    }

    func testPages_haveEachRecordOnce_andLaterOnesAfterTheAnchor() async throws {
        try await StoreGateway.run { gateway in
            let rates = try StoreExamples.rates()
            try await gateway.store(rates)
            for limit in [1, 7, 61, 1_000] {
                let (ids, _) = try await Self.read(gateway, limit: limit)
                XCTAssertEqual(ids.sorted(), rates.map { "\($0.id)" }.sorted(), "\(limit)")
            }
            let anchor = try await Self.read(gateway, limit: 100).anchor
            let late = try StoreExamples.sample(
                1, .bodyMass, 70, from: "2026-11-01T08:00:00Z")
            try await gateway.store([late])
            let after = try await Self.read(gateway, since: anchor, limit: 100)
            XCTAssertEqual(after.ids, ["\(late.id)"])
            let nothing = try await Self.read(gateway, since: after.anchor, limit: 100)
            XCTAssertEqual(nothing.ids, [])
        }
    }

    func testDeletions_areForWhoMayReadTheType() async throws {
        try await StoreGateway.run { gateway in
            let mass = try StoreExamples.sample(1, .bodyMass, 70, from: "2026-11-01T08:00:00Z")
            let rate = try StoreExamples.sample(2, .heartRate, 70, from: "2026-11-01T08:00:00Z")
            try await gateway.store([mass, rate])
            let anchor = try await Self.read(gateway, limit: 100).anchor
            let path = try await gateway.service.store.file().path
            let count = try await SQLiteHealthStore(SQLiteStore(path: path), types: .standard)
                .delete([mass.id, rate.id])
            XCTAssertEqual(count, 2)
            let lines = await gateway.ask(Self.request(since: anchor))
            XCTAssertEqual(
                Set(lines.dropLast()),
                [
                    #"{"kind":"deletion","id":"\#(mass.id)"}"#,
                    #"{"kind":"deletion","id":"\#(rate.id)"}"#,
                ])
            try await gateway.grant(["heartRate"], to: "dash")
            let granted = await gateway.ask(Self.request(since: anchor), as: "dash")
            XCTAssertEqual(granted.dropLast(), [#"{"kind":"deletion","id":"\#(rate.id)"}"#])
        }
    }

    func testAnotherUser_getsWhatItMayRead_andTheSameAnchor() async throws {
        try await StoreGateway.run { gateway in
            let rates = try StoreExamples.rates()
            let mass = try StoreExamples.sample(1, .bodyMass, 70, from: "2026-11-01T08:00:00Z")
            try await gateway.store(rates + [mass])
            let nothing = try await Self.read(gateway, limit: 10, as: "dash")
            XCTAssertEqual(nothing.ids, [])
            try await gateway.grant(["bodyMass"], to: "dash")
            let some = try await Self.read(gateway, limit: 10, as: "dash")
            XCTAssertEqual(some.ids, ["\(mass.id)"])
            let all = try await Self.read(gateway, limit: 10)
            XCTAssertEqual(all.anchor, some.anchor)
            let nameless = await gateway.ask(Self.request(), as: "")
            XCTAssertTrue(nameless[0].contains("send `hello`"), nameless[0])
        }
    }

    /// A program for metrics learns that it reads no record, rather than an empty list for ever.
    func testClientThatMayReadMetricsOnly_isRefused() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try StoreExamples.rates())
            try await gateway.grant(["metrics"], to: "prometheus")
            let refused = await gateway.ask(Self.request(), as: "prometheus")
            XCTAssertEqual(refused.count, 1)
            XCTAssertTrue(refused[0].contains("`metrics` is only the state"), refused[0])
            XCTAssertTrue(refused[0].contains(#""code":"notAsked""#), refused[0])
            let id = try XCTUnwrap(ClientID("test:4711:prometheus"))
            _ = try await gateway.service.access.decide(id, [.read: .all], .denied)
            try await gateway.grant(["metrics"], to: "prometheus")
            let denied = await gateway.ask(Self.request(), as: "prometheus")
            XCTAssertTrue(denied[0].contains(#""code":"denied""#), denied[0])
            try await gateway.grant(["heartRate"], to: "prometheus")
            let ids = try await Self.read(gateway, limit: 1_000, as: "prometheus").ids
            XCTAssertGreaterThan(ids.count, 0)
        }
    }

    func testWrongAnchors_haveACode() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try StoreExamples.rates())
            let foreign = await gateway.ask(Self.request(since: "1.2.3"))
            XCTAssertEqual(foreign.count, 1)
            XCTAssertTrue(foreign[0].contains(#""key":"since","code":"anchor""#), foreign[0])
            for wrong in ["", "x", "1.2", "1.2.3.4"] {
                let lines = await gateway.ask(Self.request(since: wrong))
                XCTAssertTrue(lines[0].contains(#""key":"since"}"#), lines[0])
            }
            let limit = await gateway.ask(Self.request(limit: 4_097))
            XCTAssertTrue(limit[0].contains(#""key":"limit""#), limit[0])
        }
    }
}
