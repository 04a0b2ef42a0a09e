import GatewayCore
import HealthModel
import XCTest

@testable import HTTPSink

/// The sink and the databases that read what it sends, with the settings of the README.
final class DatabaseSinkTests: SinkTestCase {
    func testInfluxDB_storesABatchOnce() async throws {
        let server = try await InfluxServer()
        let sink = try makeSink("url: \"\(server.url)/write?db=health\", format: \"influx\"")
        let records = try Examples.three()
        try await sink.write(records)
        try await sink.write(records)
        let series = try await server.query("SELECT * FROM /.*/ GROUP BY *")
        XCTAssertEqual(Set(series.map(\.name)), ["heartRate", "deviceState", "stepCount"])
        XCTAssertEqual(series.map(\.times.count), [1, 1, 1])
    }

    func testInfluxDB_whenItRejectsOneType_writesItToTheFile_andStoresTheRest() async throws {
        let server = try await InfluxServer()
        // Somebody has written texts where numbers belong.
        try await server.write(
            RequestBody(bytes: Array("heartRate value=\"high\" 1795284900000000000".utf8), count: 1)
        )
        let sink = try makeSink("url: \"\(server.url)/write?db=health\", format: \"influx\"")

        let error = try await failure(of: sink, try Examples.three())

        guard case .rejected([Examples.id(0)], _) = error else {
            return XCTFail("\(String(describing: error))")
        }
        let object = try XCTUnwrap(try rejected().first)
        XCTAssertEqual(object["status"] as? Int, 400)
        let answer = try XCTUnwrap(object["answer"] as? String)
        XCTAssertTrue(answer.contains("field type conflict"), answer)
        let series = try await server.query("SELECT * FROM /.*/ GROUP BY *")
        XCTAssertTrue(Set(series.map(\.name)).isSuperset(of: ["deviceState", "stepCount"]))
    }

    func testSeveralGateways_feedOneDatabase() async throws {
        let server = try await InfluxServer()
        for gateway in ["north", "south"] {
            let sink = try makeSink(
                "url: \"\(server.url)/write?db=health\", format: \"influx\"")
            try await sink.write([
                .sample(
                    try QuantitySample(
                        id: Examples.id(0), type: .heartRate, start: Examples.start,
                        end: Examples.start, quantity: Quantity(72, .countPerMinute),
                        device: Examples.strap,
                        source: SourceRevision(name: "\(gateway)-straps")))
            ])
        }
        let series = try await server.query("SELECT * FROM heartRate GROUP BY *")
        XCTAssertEqual(series.compactMap { $0.tags["source"] }, ["north-straps", "south-straps"])
    }

    func testInfluxDB_whereThereIsNoDatabase_blocksWithItsURL() async throws {
        let server = try await InfluxServer()
        let sink = try makeSink("url: \"\(server.url)/write?db=other\", format: \"influx\"")
        let reason = try holdReason(await failure(of: sink, try Examples.three()))
        XCTAssertTrue(reason.contains("status 404"), reason)
    }

    func testInfluxDB_givenAnotherFormat_rejectsEverything() async throws {
        let server = try await InfluxServer()
        let sink = try makeSink("url: \"\(server.url)/write?db=health\", format: \"json\"")
        let reason = try holdReason(await failure(of: sink, try records(60)))
        XCTAssertTrue(reason.contains("consecutive records rejected"), reason)
        XCTAssertEqual(try rejected().count, 0)
    }

    func testVictoriaMetrics_storesABatch() async throws {
        let server = try await VictoriaServer()
        let sink = try makeSink("url: \"\(server.url)/write\", format: \"influx\"")
        let past = Instant(nanosecondsSince1970: 1_700_000_000_123_456_789)
        try await sink.write(try Examples.everyType(from: past))
        try await server.flush()
        let series = try await server.export()
        let names = series.compactMap { $0.metric["__name__"] }
        for type in QuantityType.all { XCTAssertTrue(names.contains("\(type.name)_value")) }
    }
}
