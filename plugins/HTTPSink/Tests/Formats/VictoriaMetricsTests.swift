import Foundation
import GatewayTesting
import HTTPTesting
import HealthModel
import XCTest

@testable import HTTPSink

/// Tests the line protocol with VictoriaMetrics.
final class VictoriaMetricsTests: XCTestCase {
    /// It takes nothing that is two days ahead of its clock.
    private let past = Instant(nanosecondsSince1970: 1_700_000_000_123_456_789)

    func testWrite_ofEveryType_readsBackTheSameToTheMillisecond() async throws {
        let server = try await VictoriaServer()
        let records = try Examples.everyType(from: past)

        try await server.write(RequestFormat.influx.body(of: records))

        let series = try await server.export()
        for case .sample(let sample) in records {
            let name = "\(sample.type.name)_value"
            let one = try XCTUnwrap(series.first { $0.metric["__name__"] == name })
            XCTAssertEqual(
                one.metric,
                [
                    "__name__": name, "device": "D0:11:22:33:44:55", "person": "ada",
                    "source": "straps",
                ])
            XCTAssertEqual(one.timestamps, [sample.end.nanosecondsSince1970 / 1_000_000], name)
            let value = try sample.quantity.value(in: sample.type.canonicalUnit)
            XCTAssertEqual(try XCTUnwrap(one.values.first), value, accuracy: value * 1e-12, name)
        }
    }

    func testWrite_whenTextsAreHostile_keepsThemApart() async throws {
        let server = try await VictoriaServer()
        let records = try Examples.hostile(at: past)

        try await server.write(RequestFormat.influx.body(of: records))

        let series = try await server.export()
        XCTAssertEqual(series.count, records.count)
        for (index, text) in Examples.hostileTexts.enumerated() {
            let one = try XCTUnwrap(series.first { $0.values == [Double(60 + index)] })
            let tag = try Examples.tag(text)
            XCTAssertEqual(one.metric["device"], tag)
            XCTAssertEqual(one.metric["source"], tag)
            XCTAssertEqual(one.metric["person"], "ада-9_x.y")
        }
    }

    func testWrite_ofADeviceEvent_hasItsNumbers_andTextsAs0() async throws {
        let server = try await VictoriaServer()
        let event = DeviceEvent(
            id: Examples.id(0), at: past, device: Examples.strap,
            state: DeviceState(connection: .connected, contact: true, battery: 0.87))

        try await server.write(RequestFormat.influx.body(of: [.event(event)]))

        let series = try await server.export()
        let values = series.map { ($0.metric["__name__"] ?? "", $0.values) }
        XCTAssertEqual(
            Dictionary(uniqueKeysWithValues: values),
            [
                "deviceState_battery": [0.87], "deviceState_contact": [1],
                "deviceState_connection": [0],
            ])
    }
}

/// A VictoriaMetrics server for one test.
struct VictoriaServer {
    struct Series: Decodable {
        let metric: [String: String]
        let values: [Double]
        let timestamps: [Int64]
    }

    private let folder: TemporaryFolder
    private let program: InteractiveProgram
    let url: String

    init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        (program, url) = try await Self.start(in: folder)
    }

    /// Another program may take the port first; then it is tried again with another port.
    private static func start(in folder: TemporaryFolder) async throws -> (
        InteractiveProgram, String
    ) {
        var attempts = 3
        while true {
            let address = "127.0.0.1:\(try LocalPort.free())"
            let program = try Program.start(
                [
                    "victoria-metrics", "-httpListenAddr=\(address)", "-retentionPeriod=100y",
                    "-storageDataPath=\(folder.path("data"))", "-selfScrapeInterval=0",
                    // By default it hides what is not 30 seconds old.
                    "-search.latencyOffset=1s",
                ], install: "apt-get install victoria-metrics")
            do {
                try await program.wait(for: "started VictoriaMetrics")
                return (program, "http://\(address)")
            } catch {
                attempts -= 1
                guard attempts > 0 else { throw error }
            }
        }
    }

    func write(_ body: RequestBody) async throws {
        let file = try folder.write(body.bytes, to: "body")
        let answer = try await Program.curl([
            "\(url)/write", "--data-binary", "@\(file)", "-H",
            "Content-Type: \(RequestFormat.influx.contentType)",
        ])
        XCTAssertEqual(answer.status, "204", answer.body)
        try await flush()
    }

    /// What was just written is not yet there for queries.
    func flush() async throws {
        let flush = try await Program.curl(["\(url)/internal/force_flush"])
        XCTAssertEqual(flush.status, "200", flush.body)
    }

    func export() async throws -> [Series] {
        let answer = try await Program.curl([
            "-G", "\(url)/api/v1/export", "--data-urlencode", "match[]={__name__!=\"\"}",
        ])
        return try answer.body.split(separator: "\n").map {
            try JSONDecoder().decode(Series.self, from: Data($0.utf8))
        }
    }
}
