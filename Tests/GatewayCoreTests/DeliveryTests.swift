import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import Readings

/// Tests of the journal from the bus to the sinks, with a manual clock.
final class DeliveryTests: XCTestCase {
    private let clock = ManualClock()
    private let log = Logger(component: "test") { _ in }

    private func makeJournal(
        sinks: [String] = ["store"], fails: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) throws -> Journal {
        try Journal(
            file: InMemoryJournalFile(fails: fails), sinks: sinks, clock: clock, log: log)
    }

    private func samples(_ count: Int, _ type: QuantityType = .heartRate) throws -> [Record] {
        try (0..<count).map { index in
            let now = Instant(
                nanosecondsSince1970: 1_795_000_000_000_000_000 + Int64(index) * 1_000)
            return .sample(
                try QuantitySample(
                    id: RecordID.make(
                        start: now, device: "d", stream: type.name, key: UInt64(index)),
                    type: type, start: now, end: now,
                    quantity: Quantity(Double(60 + index % 100), type.canonicalUnit)))
        }
    }

    private func conversion(_ records: [Record], implausible: Int = 0) -> Conversion {
        var conversion = Conversion()
        conversion.records = records
        conversion.faults.add(.implausible, of: "heartRate", count: implausible)
        return conversion
    }

    private func runner(
        _ journal: Journal, _ sink: any Sink, name: String = "store",
        types: Set<QuantityType>? = nil
    ) -> SinkRunner {
        var options = SinkOptions()
        options.types = types.map { Set($0.map { .quantity($0) }) }
        return SinkRunner(
            Gateway.NamedSink(name: name, sink: sink, options: options), journal: journal,
            clock: clock, log: log)
    }

    /// Advances the clock whenever a task sleeps on it, until `task` has ended.
    private func letTimePass(until task: Task<Void, any Error>) async throws {
        let clock = clock
        let mover = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                clock.advance(seconds: 100)
            }
        }
        try await task.value
        mover.cancel()
        let wake = Task { try await clock.sleep(seconds: 1_000_000) }
        _ = await mover.result
        wake.cancel()
    }

    func testPublish_reachesTheSinkOnceAndInOrder() async throws {
        let journal = try makeJournal()
        let bus = Bus(journal: journal, live: LiveLane())
        let records = try samples(2_500)
        for start in stride(from: 0, to: 2_500, by: 100) {
            await bus.publish(conversion(Array(records[start..<start + 100])))
        }
        await journal.close()
        let sink = InMemorySink()
        try await runner(journal, sink).run()
        XCTAssertEqual(sink.records, records)
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, 2_500)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRun_commitsAfterAHundredMilliseconds() async throws {
        let journal = try makeJournal()
        let running = Task { try await journal.run() }
        let sink = InMemorySink()
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        await Bus(journal: journal, live: LiveLane()).publish(conversion(try samples(1)))
        await clock.waitForSleepers(1)
        XCTAssertEqual(sink.records.count, 0)
        clock.advance(seconds: Journal.commitDelaySeconds)
        await sink.waitForRecords(1)
        await journal.close()
        try await delivery.value
        try await running.value
    }

    func testRunner_takesRecordsOfEveryKind_eachAsOneRecord() async throws {
        let journal = try makeJournal(sinks: ["store", "night"])
        let bus = Bus(journal: journal, live: LiveLane())
        let records = try samples(2) + otherKinds()
        await bus.publish(conversion(records))
        await journal.close()
        let (store, night) = (InMemorySink(), InMemorySink())
        try await runner(journal, store).run()
        var options = SinkOptions()
        options.types = [.category(.sleepAnalysis), .correlation(.bloodPressure), .workout]
        try await SinkRunner(
            Gateway.NamedSink(name: "night", sink: night, options: options), journal: journal,
            clock: clock, log: log
        ).run()
        let ledger = await journal.ledger
        XCTAssertEqual(store.records, records)
        XCTAssertEqual(night.records, Array(records.suffix(3)))
        XCTAssertEqual(ledger.ingest.converted, 5)
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, 5)
        XCTAssertEqual(ledger.sinks["night"]?.outcome.delivered, 3)
        XCTAssertEqual(ledger.sinks["night"]?.outcome.filtered, 2)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRunner_reportsLinesThatAreNoRecordOnce_withTheSourceThatMadeThem() async throws {
        let journal = try makeJournal()
        let line =
            #"{"type":"heartRate","value":71.25,"source":{"name":"wristband","version":"1"}}"#
        let lines = Array(repeating: line, count: 500) + ["nonsense"]
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (501, 501)
        await journal.append(RecordLines(bytes), addition: addition)
        await journal.close()
        let entries = Mutex<[String]>([])
        let log = Logger(component: "store") { entry in
            entries.withLock { $0.append("\(entry)") }
        }
        try await SinkRunner(
            Gateway.NamedSink(name: "store", sink: InMemorySink()), journal: journal, clock: clock,
            log: log
        ).run()
        let reports = entries.withLock { $0.filter { $0.contains("cannot decode") } }
        XCTAssertEqual(reports.count, 2, "\(reports)")
        XCTAssertTrue(reports.first?.contains("wristband") == true, "\(reports)")
        XCTAssertTrue(reports.last?.contains("unknown") == true, "\(reports)")
        // What cannot be decoded may be a health value.
        XCTAssertFalse(reports.contains { $0.contains("71.25") || $0.contains("nonsense") })
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["store"]?.outcome.lost, 501)
        XCTAssertEqual(ledger.imbalances, [])
    }

    /// A night, a blood pressure and a workout.
    private func otherKinds() throws -> [Record] {
        let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        let members = try [QuantityType.bloodPressureSystolic, .bloodPressureDiastolic]
            .enumerated().map { index, type in
                Correlation.Member.quantity(
                    try QuantitySample(
                        id: RecordID(high: 7, low: UInt64(index)), type: type, start: now, end: now,
                        quantity: Quantity(100, .millimeterOfMercury)))
            }
        return [
            .category(
                try CategorySample(
                    id: RecordID(high: 8, low: 0), type: .sleepAnalysis, start: now, end: now,
                    value: 3)),
            .correlation(
                try Correlation(
                    id: RecordID(high: 9, low: 0), type: .bloodPressure, start: now, end: now,
                    samples: members)),
            .workout(
                try Workout(
                    id: RecordID(high: 10, low: 0), activity: WorkoutActivity(.running), start: now,
                    end: now)),
        ]
    }

    func testRunner_filtersByTypeAndCounts() async throws {
        let journal = try makeJournal()
        let bus = Bus(journal: journal, live: LiveLane())
        await bus.publish(conversion(try samples(3) + samples(2, .runningSpeed), implausible: 4))
        await journal.close()
        let sink = InMemorySink()
        try await runner(journal, sink, types: [.runningSpeed]).run()
        let ledger = await journal.ledger
        XCTAssertEqual(sink.records.count, 2)
        XCTAssertEqual(ledger.sinks["store"]?.outcome.filtered, 3)
        XCTAssertEqual(ledger.ingest[.implausible], 4)
        XCTAssertEqual(ledger.ingest.converted, 9)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRunner_whenTheSinkFails_triesAgainAndLosesNothing() async throws {
        let journal = try makeJournal()
        await Bus(journal: journal, live: LiveLane()).publish(conversion(try samples(10)))
        await journal.close()
        let sink = InMemorySink { call, _ in
            switch call {
            case 1: .retry(reason: "busy", after: nil)
            case 2: .retry(reason: "busy", after: 30)
            default: nil
            }
        }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        try await letTimePass(until: delivery)
        XCTAssertEqual(sink.records.count, 10)
        XCTAssertEqual(sink.calls, 3)
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRunner_whenTheSinkHolds_asksAgainAfterAMinute_andNotAtTheEnd() async throws {
        let journal = try makeJournal()
        await Bus(journal: journal, live: LiveLane()).publish(conversion(try samples(1_000)))
        await journal.commit()
        let sink = InMemorySink { call, _ in call == 2 ? nil : .blocked(reason: "wrong token") }
        let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
        await clock.waitForSleepers(1)
        XCTAssertEqual(sink.calls, 1)
        clock.advance(seconds: DeliveryAttempt.blockedRetrySeconds)
        await sink.waitForRecords(1_000)
        await Bus(journal: journal, live: LiveLane()).publish(conversion(try samples(1)))
        await journal.close()
        // The third call is blocked; the clock stands still, and yet the runner ends.
        _ = await delivery.result
        XCTAssertEqual(sink.calls, 3)
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.pending(for: "store"), 1)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRunner_whenTheSinkRefusesSome_countsThemAndContinues() async throws {
        let journal = try makeJournal()
        let records = try samples(10)
        await Bus(journal: journal, live: LiveLane()).publish(conversion(records))
        await journal.close()
        let refused = Set(records.prefix(3).map(\.id))
        let sink = InMemorySink { _, _ in .rejected(refused, reason: "not wanted") }
        try await runner(journal, sink).run()
        let outcome = await journal.ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome?.rejected, 3)
        XCTAssertEqual(outcome?.delivered, 7)
        XCTAssertEqual(sink.records, Array(records.dropFirst(3)))
    }

    func testRunner_aDeadSinkHoldsUpNoOther() async throws {
        let journal = try makeJournal(sinks: ["dead", "store"])
        await Bus(journal: journal, live: LiveLane()).publish(conversion(try samples(10)))
        await journal.close()
        let dead = InMemorySink { _, _ in .blocked(reason: "dead") }
        let deadDelivery = Task { [runner = runner(journal, dead, name: "dead")] in
            try await runner.run()
        }
        let sink = InMemorySink()
        try await runner(journal, sink).run()
        XCTAssertEqual(sink.records.count, 10)
        deadDelivery.cancel()
        _ = await deadDelivery.result
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.pending(for: "dead"), 10)
        XCTAssertEqual(ledger.imbalances, [])
    }

    /// The Nth call of the journal's file fails, for every N until none is reached.
    func testJournal_whenItsNthWriteFails_nothingIsLostOrDoubled() async throws {
        let records = try samples(3_000)
        let conversions = stride(from: 0, to: 3_000, by: 300).map { start in
            conversion(Array(records[start..<start + 300]))
        }
        for failing in 1...60 {
            let reached = Mutex(false)
            let journal = try makeJournal { call in
                guard call == failing else { return false }
                reached.withLock { $0 = true }
                return true
            }
            let running = Task { try await journal.run() }
            let sink = InMemorySink()
            let delivery = Task { [runner = runner(journal, sink)] in try await runner.run() }
            let bus = Bus(journal: journal, live: LiveLane())
            let closing = Task {
                for conversion in conversions { await bus.publish(conversion) }
                await sink.waitForRecords(3_000)
                await journal.close()
                try await delivery.value
                try await running.value
            }
            try await letTimePass(until: closing)
            XCTAssertEqual(Set(sink.records.map(\.id)).count, 3_000, "call \(failing)")
            let ledger = await journal.ledger
            XCTAssertEqual(ledger.imbalances, [])
            if !reached.withLock({ $0 }) { return }
        }
        XCTFail("the failing call was always reached")
    }
}
