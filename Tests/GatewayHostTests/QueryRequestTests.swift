import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import GatewayHost
@testable import JSON

/// The request `query`.
final class QueryRequestTests: XCTestCase {
    private static let start = Instant(nanosecondsSince1970: 1_790_000_000_000_000_000)

    /// Steps of one minute each; the value is the number of the minute.
    private func steps(_ count: Int, person: String = "ada") throws -> [Record] {
        try (0..<count).map { index in
            let start = Self.start.adding(nanoseconds: Int64(index) * 60_000_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID.make(
                        start: start, device: "d", stream: person, key: UInt64(index)),
                    type: .stepCount, start: start,
                    end: start.adding(nanoseconds: 60_000_000_000),
                    quantity: Quantity(Double(index), .count), person: person))
        }
    }

    /// Stores records, then sends requests.
    private func answers(_ records: [Record], to requests: [String]) async throws -> [String] {
        let channel = RecordingChannel()
        let gateway = try HostedGateway("{ people: { ada: {}, bob: {} } }")
        try await gateway.run { service in
            let acceptance = await service.ingest(records)
            XCTAssertEqual(acceptance, .accepted)
            let isStored = await service.waitForStore(of: [])
            XCTAssertTrue(isStored)
            for request in requests {
                _ = await RequestRouter().answer(Array(request.utf8), service, channel)
            }
        }
        return channel.lines
    }

    /// The values of an answer's records; its last line has their number.
    private func values(_ lines: [String]) throws -> [Double] {
        let values = try lines.dropLast().map { line in
            try DocumentFields(DocumentNode(json5: line)).number("value") ?? .nan
        }
        XCTAssertEqual(lines.last, #"{"query":{"records":\#(values.count)}}"#)
        return values
    }

    func testQuery_ofAType_isAnsweredOldestFirst() async throws {
        let lines = try await answers(steps(3), to: [#"{"request":"query","type":"stepCount"}"#])
        XCTAssertEqual(try values(lines), [0, 1, 2])
        XCTAssertTrue(lines[0].contains(#""type":"stepCount""#), lines[0])
        XCTAssertTrue(lines[0].contains(#""person":"ada""#), lines[0])
    }

    /// A new gateway has no record, and that is no error.
    func testQuery_beforeAnythingIsStored_isAnsweredWithNothing() async throws {
        let channel = RecordingChannel()
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        try await gateway.run { service in
            _ = await RequestRouter().answer(
                Array(#"{"request":"query","type":"stepCount"}"#.utf8), service, channel)
        }
        XCTAssertEqual(channel.lines, [#"{"query":{"records":0}}"#])
    }

    func testLimit_ofAnotherUser_countsTheRecordsThatItMayRead() async throws {
        let workouts = try (0..<6).map { index in
            let start = Self.start.adding(nanoseconds: Int64(index) * 60_000_000_000)
            let type = index < 3 ? QuantityType.activeEnergyBurned : .stepCount
            let total = try WorkoutTotal(
                type, sum: Quantity(Double(index), index < 3 ? .kilocalorie : .count))
            return Record.workout(
                try Workout(
                    id: RecordID.make(start: start, device: "d", stream: "w", key: UInt64(index)),
                    activity: WorkoutActivity(.running), start: start,
                    end: start.adding(nanoseconds: 1_000_000_000), totals: [total]))
        }
        let client = ServiceClient(
            transport: PlainName(known: "control"), user: PlainName(known: "4711"), isOwner: false)
        let channel = RecordingChannel(client)
        let gateway = try HostedGateway("{ people: { ada: {}, bob: {} } }")
        try await gateway.run { service in
            _ = await service.ingest(workouts)
            _ = await service.waitForStore(of: [])
            let id = try XCTUnwrap(ClientID("control:4711:dash"))
            _ = try await service.access.decide(
                id, [.read: .types(["workout", "activeEnergyBurned"])], .granted)
            for request in [
                #"{"request":"hello","name":"dash"}"#,
                #"{"request":"query","type":"workout","limit":2}"#,
            ] {
                _ = await RequestRouter().answer(Array(request.utf8), service, channel)
            }
        }
        let lines = channel.lines.dropFirst()
        XCTAssertEqual(lines.last, #"{"query":{"records":2}}"#)
        for (line, sum) in zip(lines, [1, 2]) {
            XCTAssertTrue(line.contains(#""type":"activeEnergyBurned","sum":\#(sum),"#), line)
        }
    }

    func testQuery_withFilters() async throws {
        let records = try steps(5) + steps(2, person: "bob")
        let from = Self.start.adding(nanoseconds: 150_000_000_000)
        let cases: [(fields: String, values: [Double])] = [
            (#","limit":2,"person":"ada""#, [3, 4]),
            (#","person":"bob""#, [0, 1]),
            (#","person":"ada","from":"\#(from)""#, [2, 3, 4]),
            (#","person":"ada","to":"\#(from)""#, [0, 1, 2]),
            (#","device":"another""#, []),
        ]
        for (fields, expected) in cases {
            let request = #"{"request":"query","type":"stepCount"\#(fields)}"#
            let lines = try await answers(records, to: [request])
            XCTAssertEqual(try values(lines), expected, fields)
        }
    }

    func testQuery_ofSeveralPages_isComplete() async throws {
        let count = 2_500
        let lines = try await answers(
            steps(count), to: [#"{"request":"query","type":"stepCount"}"#])
        XCTAssertEqual(try values(lines), (0..<count).map(Double.init))
    }

    func testQuery_ofOtherKindsOfRecords_isAnswered() async throws {
        let sleep = Record.category(
            try CategorySample(
                id: RecordID.make(start: Self.start, device: "d", stream: "s", key: 1),
                type: .sleepAnalysis, start: Self.start, end: Self.start, value: 3, person: "ada"))
        let names = ["sleepAnalysis", "workout", "bloodPressure", "deviceEvent"]
        let lines = try await answers(
            [sleep], to: names.map { #"{"request":"query","type":"\#($0)"}"# })
        XCTAssertEqual(lines.count, names.count + 1)
        XCTAssertTrue(lines[0].contains(#""type":"sleepAnalysis""#), lines[0])
        XCTAssertEqual(
            lines.dropFirst().map { $0 },
            [1, 0, 0, 0].map { #"{"query":{"records":\#($0)}}"# })
    }

    func testInvalidRequest_namesItsKey() async throws {
        let cases: [(fields: String, key: String, problem: String)] = [
            ("", "", "the key `type` is missing"),
            (#","type":"heartrat""#, "type", "did you mean `heartRate`?"),
            (#","type":["stepCount"]"#, "type", "expected a string"),
            (#","type":"stepCount","from":"yesterday""#, "from", "expected a time such as"),
            (#","type":"stepCount","to":7"#, "to", "expected a string"),
            (#","type":"stepCount","limit":0"#, "limit", "from 1 to 10000"),
            (#","type":"stepCount","limit":10001"#, "limit", "from 1 to 10000"),
            (#","type":"stepCount","limit":1.5"#, "limit", "from 1 to 10000"),
            (#","type":"stepCount","limit":"5""#, "limit", "expected a number"),
            (#","type":"stepCount","person":"""#, "person", "must not be empty"),
            (#","type":"stepCount","unit":"count""#, "unit", "unknown key"),
        ]
        let lines = try await answers(
            [], to: cases.map { #"{"request":"query"\#($0.fields)}"# })
        XCTAssertEqual(lines.count, cases.count)
        for (line, test) in zip(lines, cases) {
            guard case .object(let fields) = try JSONValue(json5: line),
                case .string(let error) = fields["error"]
            else {
                XCTFail("\(test.fields): \(line)")
                continue
            }
            XCTAssertTrue(error.contains(test.problem), error)
            XCTAssertEqual(fields["key"], test.key.isEmpty ? nil : .string(test.key), error)
        }
    }

    func testQuery_withoutAStore_isAnError() async throws {
        let (gateway, service) = try ServiceFixture.make()
        let channel = RecordingChannel()
        _ = await gateway.run {
            _ = await RequestRouter().answer(
                Array(#"{"request":"query","type":"stepCount"}"#.utf8), service, channel)
        }
        XCTAssertEqual(channel.lines, [#"{"error":"no store"}"#])
    }
}
