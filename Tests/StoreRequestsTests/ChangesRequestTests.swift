import Foundation
import HealthModel
import JSON
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

    func testReplacedVersion_isADeletionForWhoMayReadTheType() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.grant(["heartRate"], to: "dash")
            let anchor = try await Self.read(gateway, limit: 10, as: "dash").anchor
            let versions = try [1.0, 2].map { version in
                var metadata = Metadata()
                try metadata.setSync(identifier: "zz", version: version)
                let time = try StoreExamples.time("2026-11-01T08:00:00Z")
                return try QuantitySample(
                    id: StoreExamples.id(UInt64(version)), type: .heartRate, start: time, end: time,
                    quantity: Quantity(60 + version, .countPerMinute), person: "ada",
                    source: SourceRevision(name: "test"), metadata: metadata)
            }
            for version in versions { try await gateway.store([.sample(version)]) }
            let lines = await gateway.ask(Self.request(since: anchor), as: "dash")
            XCTAssertTrue(
                lines.contains(#"{"kind":"deletion","id":"\#(versions[0].id)"}"#), "\(lines)")
        }
    }

    func testAnotherUser_getsWhatItMayRead() async throws {
        try await StoreGateway.run { gateway in
            let rates = try StoreExamples.rates()
            let mass = try StoreExamples.sample(1, .bodyMass, 70, from: "2026-11-01T08:00:00Z")
            try await gateway.store(rates + [mass])
            try await gateway.grant(["bodyMass"], to: "dash")
            let some = try await Self.read(gateway, limit: 10, as: "dash")
            XCTAssertEqual(some.ids, ["\(mass.id)"])
            let nameless = await gateway.ask(Self.request(), as: "")
            XCTAssertTrue(nameless[0].contains("send `hello`"), nameless[0])
        }
    }

    /// Whether there are other records, how many, and when they come: none of it is in the answers.
    func testAnotherUser_learnsNothingOfOtherRecords() async throws {
        try await StoreGateway.run { gateway in
            let rates = try StoreExamples.rates()
            let masses = try [1, 2].map {
                try StoreExamples.sample($0, .bodyMass, 70, from: "2026-11-01T08:00:00Z")
            }
            try await gateway.store([masses[0]] + rates)
            try await gateway.grant(["bodyMass"], to: "dash")
            let first = try Self.end(await gateway.ask(Self.request(limit: 1), as: "dash"))
            XCTAssertEqual(first.records, 1)
            let second = try Self.end(
                await gateway.ask(Self.request(since: first.anchor, limit: 1), as: "dash"))
            XCTAssertEqual([second.anchor, "\(second.records)"], [first.anchor, "0"])
            XCTAssertFalse(second.hasMore)

            let late = try StoreExamples.sample(3, .heartRate, 70, from: "2026-11-02T08:00:00Z")
            try await gateway.store([late])
            let path = try await gateway.service.store.file().path
            _ = try await SQLiteHealthStore(SQLiteStore(path: path), types: .standard)
                .delete([rates[0].id])
            let third = try Self.end(
                await gateway.ask(Self.request(since: first.anchor), as: "dash"))
            XCTAssertEqual([third.anchor, "\(third.records)"], [first.anchor, "0"])

            try await gateway.store([masses[1]])
            let fourth = try await Self.read(gateway, since: first.anchor, limit: 10, as: "dash")
            XCTAssertEqual(fourth.ids, ["\(masses[1].id)"])
        }
    }

    /// The earlier records of a type that is granted between two pages are not left out without a word.
    func testAnchor_ofAClientThatMayReadMoreSince_isRefused() async throws {
        try await StoreGateway.run { gateway in
            let rates = try StoreExamples.rates()
            let mass = try StoreExamples.sample(1, .bodyMass, 70, from: "2026-11-01T08:00:00Z")
            try await gateway.store(rates + [mass])
            let id = try XCTUnwrap(ClientID("test:4711:dash"))
            func decide(_ selection: TypeSelection, _ decision: AccessDecision) async throws {
                _ = try await gateway.service.access.decide(id, [.read: selection], decision)
            }
            func assertAnswer(since anchor: String, isRefused: Bool, line: UInt = #line) async {
                let lines = await gateway.ask(Self.request(since: anchor), as: "dash")
                XCTAssertEqual(
                    lines.last?.contains(#""key":"since","code":"anchor""#), isRefused, "\(lines)",
                    line: line)
            }
            try await gateway.grant(["bodyMass"], to: "dash")
            let one = try await Self.read(gateway, limit: 10, as: "dash").anchor
            let owner = try await Self.read(gateway, limit: 1_000).anchor
            await assertAnswer(since: one, isRefused: false)
            // Metrics are no records.
            try await gateway.grant(["metrics"], to: "dash")
            await assertAnswer(since: one, isRefused: false)
            try await gateway.grant(["heartRate"], to: "dash")
            await assertAnswer(since: one, isRefused: true)
            let two = try await Self.read(gateway, limit: 1_000, as: "dash")
            XCTAssertEqual(two.ids.count, rates.count + 1)
            // With fewer rights, nothing was missed.
            try await decide(.types(["heartRate"]), .denied)
            await assertAnswer(since: two.anchor, isRefused: false)
            await assertAnswer(since: one, isRefused: false)
            try await decide(.all, .granted)
            for anchor in [one, two.anchor] { await assertAnswer(since: anchor, isRefused: true) }
            let all = try await Self.read(gateway, limit: 1_000, as: "dash").anchor
            try await decide(.types(["heartRate"]), .denied)
            let others = try await Self.read(gateway, limit: 1_000, as: "dash").anchor
            try await decide(.types(["bodyMass"]), .denied)
            await assertAnswer(since: others, isRefused: false)
            try await decide(.types(["heartRate"]), .granted)
            await assertAnswer(since: others, isRefused: true)
            // The anchors of who may read everything, and of earlier versions.
            for anchor in [all, owner] { await assertAnswer(since: anchor, isRefused: false) }
            // Every record is one that the client might read without metrics.
            try await decide(.all, .granted)
            try await decide(.types(["metrics"]), .denied)
            let records = try await Self.read(gateway, limit: 1_000, as: "dash").anchor
            try await gateway.grant(["metrics"], to: "dash")
            for anchor in [records, "\(owner)~-"] {
                await assertAnswer(since: anchor, isRefused: false)
            }
        }
    }

    func testPagesOfAnotherUser_haveEachRecordOnce_betweenManyOthers() async throws {
        try await StoreGateway.run { gateway in
            var ids: [String] = []
            for day in 1...9 as ClosedRange<UInt64> {
                let time = "2026-11-0\(day)T08:00:00Z"
                let mass = try StoreExamples.sample(day, .bodyMass, 70, from: time)
                ids.append("\(mass.id)")
                let others = try (1...200).map {
                    try StoreExamples.sample(day * 1_000 + $0, .heartRate, 70, from: time)
                }
                try await gateway.store(others.dropLast(50) + [mass] + others.suffix(50))
            }
            try await gateway.grant(["bodyMass"], to: "dash")
            for limit in [1, 2, 4, 9, 10, 1_000] {
                let read = try await Self.read(gateway, limit: limit, as: "dash")
                XCTAssertEqual(read.ids.sorted(), ids.sorted(), "\(limit)")
                let more = try await Self.read(
                    gateway, since: read.anchor, limit: limit, as: "dash")
                XCTAssertEqual(more.ids, [], "\(limit)")
            }
        }
    }

    func testClientWithoutAnyGrant_isRefused() async throws {
        try await StoreGateway.run { gateway in
            try await gateway.store(try StoreExamples.rates())
            let id = try XCTUnwrap(ClientID("test:4711:dash"))
            func code() async throws -> String {
                let lines = await gateway.ask(Self.request(), as: "dash")
                XCTAssertEqual(lines.count, 1)
                XCTAssertTrue(lines[0].contains("no access to read a record"), lines[0])
                return String(try XCTUnwrap(lines[0].split(separator: "code").last).dropFirst(3))
            }
            let unknown = try await code()
            XCTAssertTrue(unknown.hasPrefix("notAsked"), unknown)
            let question = try AccessRequest(
                try ConfigurationNode(json5: #"{ read: ["heartRate"] }"#).object(keys: ["read"]))
            let client = LinesClient(ofOther: "dash").client
            _ = try await gateway.service.access.ask(client, question)
            let waiting = try await code()
            XCTAssertTrue(waiting.hasPrefix("undecided"), waiting)
            _ = try await gateway.service.access.decide(id, [.read: .all], .denied)
            let denied = try await code()
            XCTAssertTrue(denied.hasPrefix("denied"), denied)
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
            for wrong in ["", "x", "1.2", "1.2.3.4", "1.2.3~", "1.2.3~x", "1.2.3~-12"] {
                let lines = await gateway.ask(Self.request(since: wrong))
                XCTAssertTrue(lines[0].contains(#""key":"since"}"#), lines[0])
            }
            let limit = await gateway.ask(Self.request(limit: 4_097))
            XCTAssertTrue(limit[0].contains(#""key":"limit""#), limit[0])
        }
    }
}
