import GatewayTesting
import Glibc
import HealthModel
import Readings
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform

/// Tests of the probes of the pipeline and the journal: each answers unless it hangs.
final class GatewayProbesTests: LaneTestCase {
    /// A clock that does not return from its reading while its gate is closed.
    private struct GatedClock: GatewayClock {
        let clock = ManualClock()
        let gate = Gate()

        func now() -> BootInstant { clock.now() }
        func sleep(until deadline: BootInstant) async throws {
            try await clock.sleep(until: deadline)
        }
        func epoch() -> ClockEpoch {
            gate.pass()
            return clock.epoch()
        }
        func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
            try await clock.epoch(after: old)
        }
        func isSynchronized() -> Bool? { true }
    }

    private struct Fixture {
        let diskGate = Gate()
        let clock = GatedClock()
        let pool = TaskPool(name: "probe test", count: 3)
        let probes = ProgressProbes()
        let journal: Journal
        let gateway: Gateway
        let answers: AsyncStream<Void>
        private let added: [ProgressProbe]

        init() throws {
            let log = Logger(component: "test") { _ in }
            journal = try Journal(
                file: InMemoryJournalFile(fails: { [diskGate] _ in
                    diskGate.pass()
                    return false
                }), sinks: ["sink"], clock: clock, log: log)
            let pipeline = IngestPipeline(
                bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
                version: "1", log: log)
            gateway = Gateway(
                sources: [], sinks: [], pipeline: pipeline, journal: journal, clock: clock,
                log: log, executor: pool)
            added = gateway.addProbes(to: probes)
            let (answers, signal) = AsyncStream.makeStream(of: Void.self)
            self.answers = answers
            probes.observe { signal.yield() }
        }

        /// Asks, and waits until all have answered.
        func askAndWait() async {
            probes.ask()
            var next = answers.makeAsyncIterator()
            await next.next()
        }

        /// Waits until these alone have not answered.
        func waitUntilPending(_ loops: [ProbedLoop]) async {
            while probes.pending != loops { await Task.yield() }
        }

        func append(_ records: [Record]) async {
            var addition = Ledger.Ingest()
            addition.converted = Int64(records.count)
            addition.published = addition.converted
            await journal.append(RecordBatch(records).lines, addition: addition)
        }
    }

    func testIdleGateway_answers() async throws {
        let fixture = try Fixture()
        await fixture.askAndWait()
        XCTAssertEqual(fixture.probes.pending, [])
    }

    func testPipelineThatDoesNotReturn_doesNotAnswer() async throws {
        let fixture = try Fixture()
        fixture.clock.gate.close()
        let status = Task(executorPreference: fixture.pool) {
            _ = await fixture.gateway.pipeline.clockStatus()
        }
        fixture.clock.gate.waitForArrival()
        fixture.probes.ask()
        await fixture.waitUntilPending([.pipeline])
        fixture.clock.gate.open()
        await status.value
        await fixture.waitUntilPending([])
    }

    func testJournalWhoseDiskDoesNotReturn_doesNotAnswer() async throws {
        let fixture = try Fixture()
        fixture.diskGate.close()
        let records = try samples(1)
        let commit = Task(executorPreference: fixture.pool) {
            await fixture.append(records)
            _ = await fixture.journal.commitNow()
        }
        fixture.diskGate.waitForArrival()
        fixture.probes.ask()
        await fixture.waitUntilPending([.journal])
        fixture.diskGate.open()
        await commit.value
        await fixture.waitUntilPending([])
    }

    func testJournalThatNobodyCommits_doesNotAnswer_untilAnAttempt() async throws {
        let fixture = try Fixture()
        // The first record is committed at once, the next ones wait for the loop that commits, which
        // does not run here.
        for index in 0..<3 { await fixture.append([try sample(index)]) }
        fixture.probes.ask()
        await fixture.waitUntilPending([.journal])
        _ = await fixture.journal.commitNow()
        await fixture.waitUntilPending([])
    }

    /// The answer waits for an attempt only if that is yet to come, whenever the commit comes.
    func testCommitsDuringTheQuestion_leaveNoQuestionWithoutAnswer() async throws {
        let fixture = try Fixture()
        for index in 0..<2_000 {
            await fixture.append([try sample(index)])
            let asking = Task(executorPreference: fixture.pool) { fixture.probes.ask() }
            _ = await fixture.journal.commitNow()
            await asking.value
            var looks = 0
            while !fixture.probes.pending.isEmpty, looks < 100_000 {
                looks += 1
                await Task.yield()
            }
            guard looks < 100_000 else { return XCTFail("no answer in round \(index)") }
        }
    }

    func testClosedJournal_answers() async throws {
        let fixture = try Fixture()
        await fixture.journal.close()
        await fixture.append(try samples(1))
        await fixture.askAndWait()
        XCTAssertEqual(fixture.probes.pending, [])
    }
}
