import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import Readings

/// Tests of the outcome that a source learns of its reports.
final class ReportReceiptTests: LaneTestCase {
    private func makePipeline(_ journal: Journal) -> IngestPipeline {
        IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log)
    }

    private func heartRate(_ value: Double) throws -> TimedReading {
        TimedReading(
            .instant(.heartRate, try Quantity(value, Unit(parsing: "count/min"))),
            at: clock.now().adding(nanoseconds: Int64(value)))
    }

    private func send(
        _ content: DeviceReport.Content, to pipeline: IngestPipeline
    ) async -> ReportReceipt {
        let receipt = ReportReceipt()
        await pipeline.inlet(for: "own", canWait: true).report(
            DeviceReport(device: "d", content, receipt: receipt))
        return receipt
    }

    func testOutcome_comesWithTheCommit_andNamesTheFaults() async throws {
        let journal = try makeJournal()
        let pipeline = makePipeline(journal)
        let receipt = await send(
            .readings([try heartRate(72), try heartRate(9_999), try heartRate(73)]), to: pipeline)
        let waiting = Task { try await receipt.outcome() }
        let before = await journal.ledger.ingest.published
        XCTAssertEqual(before, 0)
        await journal.commit()
        let outcome = try await waiting.value
        XCTAssertEqual(outcome, .committed([.init(index: 1, fault: .implausible)]))
        let after = await journal.ledger.ingest.published
        XCTAssertEqual(after, 2)
    }

    func testOutcome_ofRecords_hasTheReasonOfEach() async throws {
        let journal = try makeJournal()
        let pipeline = makePipeline(journal)
        let now = clock.epoch().instant(at: clock.now())
        func record(_ start: Instant, _ value: Double, person: String? = nil) throws -> Record {
            .sample(
                try QuantitySample(
                    id: .make(start: start, device: "d", stream: "s", key: 0), type: .heartRate,
                    start: start, end: start, quantity: Quantity(value, Unit(parsing: "count/min")),
                    person: person))
        }
        func correlation(_ number: UInt64, of person: String) throws -> Record {
            let types: [QuantityType] = [.bloodPressureSystolic, .bloodPressureDiastolic]
            let pressures = try types.map { type in
                try QuantitySample(
                    id: .make(start: now, device: "d", stream: type.name, key: number), type: type,
                    start: now, end: now, quantity: Quantity(80, Unit(parsing: "mmHg")),
                    person: person)
            }
            return .correlation(
                try Correlation(
                    id: .make(start: now, device: "d", stream: "c", key: number),
                    type: .bloodPressure, start: now, end: now,
                    samples: pressures.map { .quantity($0) }))
        }
        let receipt = await send(
            .records(
                [
                    try record(now, 72), try record(now, 9_999),
                    try record(now.adding(nanoseconds: 2 * 86_400_000_000_000), 72),
                    try record(now, 72, person: "nobody"), try correlation(1, of: "nobody"),
                    // The correlation is of the person who wears the device, too.
                    try correlation(2, of: People.defaultPerson),
                ], at: clock.now()), to: pipeline)
        await journal.commit()
        let outcome = try await receipt.outcome()
        XCTAssertEqual(
            outcome,
            .committed([
                .init(index: 1, fault: .implausible), .init(index: 2, fault: .outOfTime),
                .init(index: 3, fault: .unknownPerson), .init(index: 4, fault: .unknownPerson),
            ]))
    }

    func testOutcome_ofWhatTheDiskDidNotTake_isLost() async throws {
        let journal = try makeJournal(file: InMemoryJournalFile { _ in true })
        let pipeline = makePipeline(journal)
        let receipt = await send(.readings([try heartRate(72)]), to: pipeline)
        await journal.close()
        let outcome = try await receipt.outcome()
        XCTAssertEqual(outcome, .lost)
        let late = await send(.readings([try heartRate(73)]), to: pipeline)
        let end = try await late.outcome()
        XCTAssertEqual(end, .lost)
    }

    func testOutcome_ofAReportInTwoGroups_isLostWithItsFirst() async throws {
        let receipt = ReportReceipt()
        var waiting = WaitingRecords()
        let count = 2 * WaitingRecords.groupCount
        let lines = RecordLines(Array(String(repeating: "x\n", count: count).utf8))
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (Int64(count), Int64(count))
        waiting.add(lines, addition, [receipt])
        waiting.takeFirst()?.noteLoss()
        while let group = waiting.takeFirst() { group.noteCommit() }
        let outcome = try await receipt.outcome()
        XCTAssertEqual(outcome, .lost)
    }

    func testOutcome_whenCancelled_throws() async throws {
        let receipt = ReportReceipt()
        let task = Task { try await receipt.outcome() }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }
}
