import Foundation
import GatewayTesting
import HealthModel
import XCTest

@testable import HTTPSink

/// Tests the line protocol with InfluxDB.
final class InfluxDBTests: XCTestCase {
    func testWrite_ofEveryType_readsBackTheSame() async throws {
        let server = try await InfluxServer()
        let records = try Examples.everyType()

        try await server.write(RequestFormat.influx.body(of: records))

        let series = try await server.query("SELECT * FROM /.*/ GROUP BY *")
        XCTAssertEqual(series.count, records.count)
        for case .sample(let sample) in records {
            let points = series.filter { $0.name == sample.type.name }
            let point = try XCTUnwrap(points.first)
            XCTAssertEqual(points.count, 1)
            XCTAssertEqual(
                point.tags,
                ["device": "D0:11:22:33:44:55", "person": "ada", "source": "straps"])
            XCTAssertEqual(point.times, [sample.end.nanosecondsSince1970], sample.type.name)
            XCTAssertEqual(
                point.number("value"), try sample.quantity.value(in: sample.type.canonicalUnit),
                sample.type.name)
            XCTAssertEqual(
                point.number("duration"), sample.type.isCumulative ? 0.250000001 : nil,
                sample.type.name)
        }
    }

    func testWrite_whenTextsAreHostile_keepsThemApart() async throws {
        let server = try await InfluxServer()
        let records = try Examples.hostile()

        try await server.write(RequestFormat.influx.body(of: records))

        let series = try await server.query("SELECT value FROM heartRate GROUP BY *")
        XCTAssertEqual(series.count, records.count)
        for (index, text) in Examples.hostileTexts.enumerated() {
            let point = try XCTUnwrap(series.first { $0.number("value") == Double(60 + index) })
            let tag = try Examples.tag(text)
            XCTAssertEqual(point.tags, ["device": tag, "person": "ада-9_x.y", "source": tag])
        }
    }

    func testWrite_ofADeviceEvent_hasItsState() async throws {
        let server = try await InfluxServer()

        try await server.write(RequestFormat.influx.body(of: [Examples.event()]))

        let series = try await server.query("SELECT * FROM deviceState GROUP BY *")
        let point = try XCTUnwrap(series.first)
        XCTAssertEqual(point.number("battery"), 0.87)
        XCTAssertEqual(point.field("contact"), .boolean(true))
        XCTAssertEqual(point.field("connection"), .text("connected"))
        XCTAssertEqual(point.field("reason"), .text("found"))
    }

    func testWrite_ofCategoriesAndCorrelations_readsBackTheSame() async throws {
        let server = try await InfluxServer()
        let body = RequestFormat.influx.body(of: try Examples.otherKinds())

        try await server.write(body)

        let series = try await server.query("SELECT * FROM /.*/ GROUP BY *")
        let values = series.map { ($0.name, $0.number("value"), $0.number("duration")) }
            .sorted { $0.0 < $1.0 }
        let expected: [(String, Double?, Double?)] = [
            ("appleStandHour", 1, nil), ("bloodPressureDiastolic", 80, nil),
            ("bloodPressureSystolic", 120, nil), ("dietaryEnergyConsumed", 640, 0.25),
            ("highHeartRateEvent", 0, nil), ("oxygenSaturation", 0.97, nil),
            ("sleepAnalysis", 4, 1_800), ("workout", nil, nil),
        ]
        XCTAssertEqual(values.map(\.0), expected.map(\.0))
        XCTAssertEqual(values.map(\.1), expected.map(\.1))
        XCTAssertEqual(values.map(\.2), expected.map(\.2))
    }

    func testWrite_whenABatchComesAgain_storesNothingTwice() async throws {
        let server = try await InfluxServer()
        let body = RequestFormat.influx.body(of: try Examples.three())

        try await server.write(body)
        try await server.write(body)

        let series = try await server.query("SELECT * FROM /.*/ GROUP BY *")
        XCTAssertEqual(series.map(\.times.count), [1, 1, 1])
    }
}

/// An InfluxDB server for one test, on an ephemeral port.
struct InfluxServer {
    struct Answer: Decodable {
        struct Result: Decodable {
            let series: [Series]?
        }
        let results: [Result]
    }

    struct Series: Decodable {
        let name: String
        /// Missing in the answer of a query without `GROUP BY`.
        private let groupedTags: [String: String]?
        let columns: [String]
        let values: [[Field]]

        private enum CodingKeys: String, CodingKey {
            case name, columns, values
            case groupedTags = "tags"
        }

        var tags: [String: String] { groupedTags ?? [:] }

        var times: [Int64?] {
            values.map { if case .whole(let time) = $0.first { time } else { nil } }
        }

        /// A field of the first point.
        func field(_ name: String) -> Field? {
            columns.firstIndex(of: name).flatMap { values.first?[$0] }
        }

        func number(_ name: String) -> Double? {
            switch field(name) {
            case .whole(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        }
    }

    /// The exact text of a value in the response.
    enum Field: Decodable, Equatable {
        case whole(Int64), number(Double), boolean(Bool), text(String), null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .whole(value)
            } else {
                self = .number(try container.decode(Double.self))
            }
        }
    }

    private let folder: TemporaryFolder
    private let program: InteractiveProgram
    let url: String

    init() async throws {
        folder = try TemporaryFolder()
        let configuration = """
            reporting-disabled = true
            bind-address = "127.0.0.1:0"
            [meta]
              dir = "\(folder.path("meta"))"
            [data]
              dir = "\(folder.path("data"))"
              wal-dir = "\(folder.path("wal"))"
              query-log-enabled = false
            [monitor]
              store-enabled = false
            [http]
              bind-address = "127.0.0.1:0"
              log-enabled = false
            """
        let file = try folder.write(Array(configuration.utf8), to: "influxdb.conf")
        program = try Program.start(
            ["influxd", "run", "-config", file], install: "apt-get install influxdb")
        try await program.wait(for: "Listening on HTTP")
        try await program.wait(for: "127.0.0.1:")
        let port = try await program.wait(for: " ").dropLast()
        url = "http://127.0.0.1:\(port)"
        let answer = try await Program.curl([
            "\(url)/query", "--data-urlencode", "q=CREATE DATABASE health",
        ])
        XCTAssertEqual(answer.status, "200", answer.body)
    }

    func write(_ body: RequestBody) async throws {
        let file = try folder.write(body.bytes, to: "body")
        let answer = try await Program.curl([
            "\(url)/write?db=health", "--data-binary", "@\(file)", "-H",
            "Content-Type: \(RequestFormat.influx.contentType)",
        ])
        XCTAssertEqual(answer.status, "204", answer.body)
    }

    func query(_ query: String) async throws -> [Series] {
        let answer = try await Program.curl([
            "-G", "\(url)/query?db=health&epoch=ns", "--data-urlencode", "q=\(query)",
        ])
        let results = try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8)).results
        return try XCTUnwrap(results.first?.series, answer.body)
    }
}
