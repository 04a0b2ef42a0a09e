import GatewayCore
import HealthModel
import XCTest

@testable import HTTPSink

/// The sink and the databases that read what it sends, with the settings of the README.
final class DatabaseSinkTests: SinkTestCase {
    func testInfluxDB_storesABatchOnce_andTellsWhichPointItRefuses() async throws {
        let server = try await InfluxServer()
        let sink = try makeSink("url: \"\(server.url)/write?db=health\", format: \"influx\"")
        let records = try Examples.three()
        try await sink.write(records)
        try await sink.write(records)
        let series = try await server.query("SELECT * FROM /.*/ GROUP BY *")
        XCTAssertEqual(Set(series.map(\.name)), ["heartRate", "deviceState", "stepCount"])
        XCTAssertEqual(series.map(\.times.count), [1, 1, 1])

        // It takes no tag of more than 65,535 bytes, and no key of as many.
        let long = Device(localIdentifier: String(repeating: "x", count: 70_000))
        XCTAssertLessThan(long.localIdentifier?.utf8.count ?? 0, 65_536)
    }

    func testInfluxDB_whereThereIsNoDatabase_holdsWithItsURL() async throws {
        let server = try await InfluxServer()
        let sink = try makeSink("url: \"\(server.url)/write?db=other\", format: \"influx\"")
        let reason = try holdReason(await failure(of: sink, try Examples.three()))
        XCTAssertTrue(reason.contains("status 404"), reason)
    }

    func testInfluxDB_givenAnotherFormat_refusesEverything() async throws {
        let server = try await InfluxServer()
        let sink = try makeSink("url: \"\(server.url)/write?db=health\", format: \"json\"")
        let reason = try holdReason(await failure(of: sink, try records(60)))
        XCTAssertTrue(reason.contains("refuses everything"), reason)
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
