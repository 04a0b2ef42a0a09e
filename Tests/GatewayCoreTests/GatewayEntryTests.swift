import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform

/// Tests of samples that do not come from a source.
final class GatewayEntryTests: XCTestCase {
    private let log = Logger(component: "test") { _ in }

    private func makeGateway(
        _ sink: any Sink, file: sending any JournalFile = InMemoryJournalFile(),
        live: LiveLane = LiveLane()
    ) throws -> Gateway {
        let clock = SystemClock()
        let journal = try Journal(file: file, sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: People(),
            version: "1", log: log)
        return Gateway(
            sources: [], sinks: [Gateway.NamedSink(name: "store", sink: sink)], pipeline: pipeline,
            journal: journal, clock: clock, log: log)
    }

    private func sample(_ value: Double, key: UInt64 = 1) throws -> QuantitySample {
        let time = Instant(nanosecondsSince1970: 1_790_000_000_000_000_000)
        return try QuantitySample(
            id: RecordID.make(start: time, device: "entered", stream: "bodyMass", key: key),
            type: .bodyMass, start: time, end: time, quantity: Quantity(value, .kilogram))
    }

    func testTake_isAccepted_andReachesTheSink() async throws {
        let sink = InMemorySink()
        let gateway = try makeGateway(sink)
        let sample = try sample(81)
        let ledger = await gateway.run {
            let acceptance = await gateway.ingest([sample])
            XCTAssertEqual(acceptance, .accepted)
        }
        XCTAssertEqual(sink.records, [.sample(sample)])
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.ingest.published, 1)
    }

    /// A client without an answer sends a sample again, while the first request is on its way.
    func testTheSameSampleAtTheSameTime_isAcceptedOnlyWhenTheJournalHasIt() async throws {
        let live = LiveLane()
        let gate = Gate()
        gate.close()
        let isFirst = Atomic(true)
        let subscription = live.subscribe { _ in
            if isFirst.exchange(false, ordering: .sequentiallyConsistent) { gate.pass() }
        }
        let pool = TaskPool(name: "entry test", count: 3)
        let gateway = try makeGateway(InMemorySink(), live: live)
        let sample = try sample(81)
        let ledger = await gateway.run {
            let first = Task(executorPreference: pool) { await gateway.ingest([sample]) }
            await Task(executorPreference: pool) { gate.waitForArrival() }.value
            let second = Task(executorPreference: pool) {
                let acceptance = await gateway.ingest([sample])
                return (acceptance, await gateway.journal.ledger.ingest.published)
            }
            let (acceptance, published) = await second.value
            XCTAssertEqual(acceptance, .accepted)
            XCTAssertEqual(published, 1)
            gate.open()
            _ = await first.value
        }
        withExtendedLifetime(subscription) {}
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testTake_ofTheSameSampleAgain_isAcceptedAndTakenOnce() async throws {
        let sink = InMemorySink()
        let gateway = try makeGateway(sink)
        let sample = try sample(81)
        let ledger = await gateway.run {
            for _ in 0..<3 {
                let acceptance = await gateway.ingest([sample])
                XCTAssertEqual(acceptance, .accepted)
            }
        }
        XCTAssertEqual(sink.records, [.sample(sample)])
        XCTAssertEqual(ledger.ingest.published, 1)
    }

    func testTake_ofAWorkoutWithItsSamples_reachesTheSinkInOrder() async throws {
        let sink = InMemorySink()
        let gateway = try makeGateway(sink)
        let sample = try sample(81)
        let workout = try Workout(
            id: RecordID.make(start: sample.start, device: "box", stream: "workout", key: 1),
            activity: WorkoutActivity(.running), start: sample.start,
            end: sample.start.adding(nanoseconds: 1_000_000_000), person: "ada")
        let ledger = await gateway.run {
            for _ in 0..<2 {
                let acceptance = await gateway.ingest([.sample(sample), .workout(workout)])
                XCTAssertEqual(acceptance, .accepted)
            }
        }
        XCTAssertEqual(sink.records, [.sample(sample), .workout(workout)])
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.ingest.published, 2)
    }

    func testTake_ofTwoWithOneID_takesNeither() async throws {
        let sink = InMemorySink()
        let gateway = try makeGateway(sink)
        let (one, other) = (try sample(81), try sample(95))
        _ = await gateway.run {
            let both = await gateway.ingest([one, other])
            XCTAssertEqual(both, .duplicateID)
            let alone = await gateway.ingest([one])
            XCTAssertEqual(alone, .accepted)
        }
        XCTAssertEqual(sink.records, [.sample(one)])
    }

    func testTake_ofAnotherSampleWithTheSameID_isRejected() async throws {
        let sink = InMemorySink()
        let gateway = try makeGateway(sink)
        let (one, other) = (try sample(81), try sample(95))
        _ = await gateway.run {
            _ = await gateway.ingest([one])
            let acceptance = await gateway.ingest([other])
            XCTAssertEqual(acceptance, .duplicateID)
        }
        XCTAssertEqual(sink.records, [.sample(one)])
    }

    func testTake_whenTheJournalCannotBeWritten_saysThatItWaits_andComesLater() async throws {
        let isBroken = Mutex(false)
        let file = InMemoryJournalFile { _ in isBroken.withLock { $0 } }
        let sink = InMemorySink()
        let gateway = try makeGateway(sink, file: file)
        let sample = try sample(81)
        let ledger = await gateway.run {
            isBroken.withLock { $0 = true }
            guard case .waiting = await gateway.ingest([sample]) else {
                return XCTFail("it cannot be accepted")
            }
            isBroken.withLock { $0 = false }
            let again = await gateway.ingest([sample])
            XCTAssertEqual(again, .accepted)
        }
        XCTAssertEqual(sink.records, [.sample(sample)])
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testTake_ofAGatewayThatStops_isNotAccepted() async throws {
        let gateway = try makeGateway(InMemorySink())
        _ = await gateway.run {}
        let acceptance = await gateway.ingest([try sample(81)])
        XCTAssertEqual(acceptance, .stopping)
    }

    func testEntries_areForgottenWhenThereAreTooMany() throws {
        var entries = RecentEntries()
        for key in 0..<UInt64(RecentEntries.limit + 10) {
            entries.note(.sample(try sample(81, key: key)))
        }
        XCTAssertNil(entries[try sample(81, key: 9).id])
        XCTAssertEqual(entries[try sample(81, key: 10).id], .sample(try sample(81, key: 10)))
    }
}
