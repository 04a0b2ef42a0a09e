import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import Readings

final class GatewayTests: XCTestCase {
    private let log = Logger(component: "test") { _ in }

    /// Reports its readings, then runs until it is cancelled, or fails on request.
    private struct ScriptedSource: Source {
        let readings: [TimedReading]
        let starts: AsyncStream<Int>.Continuation
        let count = Counter()
        var failsFirst = 0

        func run(into inlet: any ReadingInlet) async throws {
            let start = count.next()
            starts.yield(start)
            if start <= failsFirst { throw LinkError("no such port", remedy: "plug it in") }
            let now = BootInstant(nanoseconds: 1)
            await inlet.report(DeviceReport(device: "d", .opened(Device(name: "D"), at: now)))
            await inlet.report(DeviceReport(device: "d", .readings(readings)))
            await inlet.report(DeviceReport(device: "d", .dropped([.unknown: 2])))
            // Ends when the task is cancelled.
            let (silence, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in silence {}
            await inlet.report(DeviceReport(device: "d", .closed(at: now, reason: "stopped")))
            throw CancellationError()
        }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    private func makeGateway(
        _ source: any Source, _ sink: any Sink,
        file: sending any JournalFile = InMemoryJournalFile(), clock: any GatewayClock
    ) throws -> Gateway {
        let journal = try Journal(file: file, sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log)
        return Gateway(
            sources: [Gateway.NamedSource(name: "foot", source: source)],
            sinks: [Gateway.NamedSink(name: "store", sink: sink)], pipeline: pipeline,
            journal: journal,
            clock: clock, log: log)
    }

    private func readings(_ count: Int) throws -> [TimedReading] {
        try (1...count).map { index in
            TimedReading(
                .instant(.heartRate, try Quantity(60, .countPerMinute)),
                at: BootInstant(nanoseconds: Int64(index)))
        }
    }

    func testRun_untilStopped_everythingReachesTheSinkAndTheLedgerCloses() async throws {
        let (starts, signal) = AsyncStream.makeStream(of: Int.self)
        let source = ScriptedSource(readings: try readings(50), starts: signal)
        let sink = InMemorySink()
        let gateway = try makeGateway(source, sink, clock: SystemClock())
        let ledger = await gateway.run {
            for await _ in starts { break }
            await sink.waitForRecords(51)
        }
        // Connected, fifty samples, disconnected.
        XCTAssertEqual(sink.records.count, 52)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.pending(for: "store"), 0)
    }

    func testRun_stoppedImmediately_endsWithALedgerThatBalances() async throws {
        let (_, signal) = AsyncStream.makeStream(of: Int.self)
        let source = ScriptedSource(readings: [], starts: signal)
        let gateway = try makeGateway(source, InMemorySink(), clock: SystemClock())
        let ledger = await gateway.run {}
        XCTAssertEqual(ledger.imbalances, [])
    }

    /// A sink whose calls take a tenth of a second each: they end when this time has been taken.
    private final class SlowSink: Sink {
        static let seconds = 0.1
        private let clock: ManualClock
        private let isWriting = Mutex(false)

        init(clock: ManualClock) { self.clock = clock }

        func write(_ batch: [Record]) async throws {
            let end = clock.now().adding(seconds: Self.seconds)
            isWriting.withLock { $0 = true }
            while clock.now() < end {
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        /// Lets the time of a call pass that waits for it.
        func takeTime() {
            let isWriting = isWriting.withLock { isWriting in
                defer { isWriting = false }
                return isWriting
            }
            if isWriting { clock.advance(seconds: Self.seconds) }
        }
    }

    /// The time that the journal's disk uses at a stop is subtracted from the sinks' time.
    func testRun_whenTheJournalIsSlowAtTheEnd_theSinksHaveTimeAllTheSame() async throws {
        let clock = ManualClock()
        let isStopping = Mutex(false)
        let (stall, stalled) = AsyncStream.makeStream(of: Void.self)
        let file = InMemoryJournalFile { _ in
            guard isStopping.withLock({ $0 }) else { return false }
            isStopping.withLock { $0 = false }
            clock.advance(seconds: Gateway.drainSeconds + 0.3)
            stalled.yield()
            return false
        }
        let (starts, signal) = AsyncStream.makeStream(of: Int.self)
        let source = ScriptedSource(readings: try readings(5), starts: signal)
        let sink = SlowSink(clock: clock)
        let gateway = try makeGateway(source, sink, file: file, clock: clock)
        let mover = Task {
            for await _ in stall { break }
            while !Task.isCancelled {
                sink.takeTime()
                await Task.yield()
            }
        }
        let ledger = await gateway.run {
            for await _ in starts { break }
            isStopping.withLock { $0 = true }
        }
        XCTAssertEqual(ledger.pending(for: "store"), 0)
        XCTAssertGreaterThan(ledger.sinks["store"]?.outcome.delivered ?? 0, 0)
        mover.cancel()
    }

    func testRun_whenASinkNeverReturns_endsAllTheSame_andTheRestIsPending() async throws {
        struct StuckSink: Sink {
            let entered: AsyncStream<Void>.Continuation
            func write(_ batch: [Record]) async throws {
                entered.yield()
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        let clock = ManualClock()
        let (starts, signal) = AsyncStream.makeStream(of: Int.self)
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let source = ScriptedSource(readings: try readings(5), starts: signal)
        let gateway = try makeGateway(source, StuckSink(entered: enter), clock: clock)
        let mover = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                clock.advance(seconds: 1)
            }
        }
        let ledger = await gateway.run {
            for await _ in starts { break }
            for await _ in entered { break }
        }
        mover.cancel()
        XCTAssertGreaterThan(ledger.pending(for: "store"), 0)
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testSupervisor_startsAgainAfterEveryFailure_andSaysTheSameOnce() async throws {
        let clock = ManualClock()
        let lines = Mutex<[String]>([])
        let log = Logger(component: "foot") { record in
            guard record.level == .warning else { return }
            let reason = record.fields.first { $0.key == "reason" }?.value ?? ""
            lines.withLock { $0.append("\(record.message): \(reason)") }
        }
        let (starts, signal) = AsyncStream.makeStream(of: Int.self)
        let source = ScriptedSource(readings: [], starts: signal, failsFirst: 3)
        let running = Task {
            await Supervisor(clock: clock, log: log).keepRunning {
                try await source.run(into: RecordingInlet())
            }
        }
        for await start in starts {
            if start == 4 { break }
            await clock.waitForSleepers(1)
            clock.advance(seconds: 5)
        }
        running.cancel()
        await running.value
        XCTAssertEqual(
            lines.withLock { $0 }, ["failed; retrying: no such port; plug it in"])
    }

    func testBackoff_growsToItsLimitAndBeginsAnew() {
        var backoff = Backoff(first: 1, longest: 8)
        let waits = (0..<100).map { _ in backoff.next() }
        for (wait, step) in zip(waits, [1.0, 2, 4, 8, 8, 8]) {
            XCTAssertTrue((step * 0.75...step).contains(wait), "\(wait)")
        }
        backoff.reset()
        XCTAssertLessThanOrEqual(backoff.next(), 1)
    }

    func testLiveLane_theNewestOfEachTypeAndHowManyThereWere() async throws {
        let lane = LiveLane()
        let subscription = lane.subscribe()
        let records = try readings(3).map { timed -> Record in
            let now = Instant(nanosecondsSince1970: timed.receipt.nanoseconds)
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: now, device: "d", stream: "s", key: 1),
                    type: .heartRate, start: now, end: now, quantity: Quantity(60, .countPerMinute))
            )
        }
        lane.offer(RecordBatch(records))
        let entries = await subscription.next()
        XCTAssertEqual(entries?.map(\.record), [records[2]])
        XCTAssertEqual(entries?.map(\.count), [3])
        lane.cancel(subscription)
        let end = await subscription.next()
        XCTAssertNil(end)
    }

    /// A service that reads the newest values must end when its task is cancelled.
    func testLiveLane_newestValues_endWithTheTask() async {
        let lane = LiveLane()
        let subscription = lane.subscribe()
        let reader = Task { await subscription.next() }
        reader.cancel()
        let end = await reader.value
        XCTAssertNil(end)
        XCTAssertEqual(lane.subscriptionCount, 1)
        XCTAssertFalse(lane.isDrained)
        lane.cancel(subscription)
    }
}
