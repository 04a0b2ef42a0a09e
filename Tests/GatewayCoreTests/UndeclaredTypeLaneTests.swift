import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// Tests of records whose type is no longer declared.
final class UndeclaredTypeLaneTests: LaneTestCase {
    private func skin(_ unit: HealthModel.Unit = .degreeCelsius) throws -> QuantityType {
        try QuantityType(
            custom: "skinTemperature", aggregationStyle: .discreteArithmetic, unit: unit)
    }

    private func run(
        _ records: [Record], knowing types: QuantityTypes, _ options: SinkOptions = SinkOptions()
    ) async throws -> ([Record], Ledger.Sink) {
        let journal = try makeJournal()
        await publish(records, to: journal)
        await journal.close()
        let sink = InMemorySink()
        try await SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink, options: options), journal: journal,
            clock: clock, log: log, types: types, seed: 1
        ).run()
        await assertCloses(journal)
        let ledger = await journal.ledger
        return (sink.records, try XCTUnwrap(ledger.sinks["store"]))
    }

    func testRecords_ofATypeThatIsGone_reachTheSinkAsTheyWere_andItIsReportedOnce() async throws {
        let records = try samples(2, skin()) + samples(1) + samples(1, skin(), from: 5)
        let (given, ledger) = try await run(records, knowing: .standard)
        XCTAssertEqual(given, records)
        XCTAssertEqual(ledger.outcome.delivered, 4)
        XCTAssertEqual(ledger.outcome.lost, 0)
        XCTAssertEqual(logLines.count(of: "undeclared or changed type"), 1)
        XCTAssertEqual(logLines.count(of: "type=skinTemperature"), 1)
    }

    func testRecords_ofATypeThatMeasuresSomethingElseNow_reachTheSinkAsTheyWere() async throws {
        let records = try samples(2, skin())
        let types = try QuantityTypes(custom: [skin(.meter)])
        let (given, _) = try await run(records, knowing: types)
        XCTAssertEqual(given, records)
        XCTAssertEqual(logLines.count(of: "undeclared or changed type"), 1)
    }

    func testRecords_ofACustomType_areThatTypesAndNothingIsReported() async throws {
        let (given, _) = try await run(
            try samples(2, skin()), knowing: QuantityTypes(custom: [skin()]))
        XCTAssertEqual(given.count, 2)
        for case .sample(let sample) in given { XCTAssertTrue(sample.type.isDeclared) }
        XCTAssertEqual(logLines.all, [])
    }

    func testFilter_whenTheTypeIsGone_filtersItByName() async throws {
        let (given, ledger) = try await run(
            try samples(2, skin()) + samples(1), knowing: .standard, options(types: [.heartRate]))
        XCTAssertEqual(given, try samples(1))
        XCTAssertEqual(ledger.outcome.filtered, 2)
    }
}
