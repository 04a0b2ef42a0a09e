import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import JournalLog
import Platform
import Readings
import SQLiteStore
import XCTest

@testable import SQLiteSink

/// Tests of a gateway from a source to two sinks with changes of the wall clock.
final class ClockTests: XCTestCase {
    private static let second: Int64 = 1_000_000_000
    private static let hour = 3_600 * second
    private static let earliest = Instant(nanosecondsSince1970: 1_795_000_000 * second)
    /// UTC minus boot time of a correct clock.
    private static let right = 1_795_086_400 * second

    /// What a sample must be.
    private struct Row: Hashable {
        let type: String
        let start: Int64
        let end: Int64
        let value: Double

        init(_ type: QuantityType, _ start: Int64, _ end: Int64, _ value: Double) {
            (self.type, self.start, self.end, self.value) = (type.name, start, end, value)
        }

        init(_ sample: QuantitySample) {
            self.init(
                sample.type, sample.start.nanosecondsSince1970, sample.end.nanosecondsSince1970,
                sample.quantity.value)
        }
    }

    /// A source that reports what a test requests, and confirms it.
    private struct Relay: Source {
        let reports: AsyncStream<DeviceReport>
        let done: AsyncStream<Void>.Continuation

        func run(into inlet: any ReadingInlet) async throws {
            for await report in reports {
                await inlet.report(report)
                done.yield()
            }
        }
    }

    /// A person with a combined strap and pedometer, which reports once a second.
    private struct Walk {
        let clock: ManualClock
        let reports: AsyncStream<DeviceReport>.Continuation
        var done: AsyncStream<Void>.Iterator
        var total = 100.0
        /// The last reported total, with its time.
        var told: (total: Double, at: Int64)?
        var expected: [Row] = []

        mutating func report(_ content: DeviceReport.Content) async {
            reports.yield(DeviceReport(device: "D0", content))
            _ = await done.next()
        }

        /// Walks for some seconds, which are dated `offset` after boot time.
        mutating func walk(seconds: Int, offset: Int64) async throws {
            for _ in 0..<seconds {
                clock.advance(seconds: 1)
                total += 2
                try await tell(offset: offset)
            }
        }

        private mutating func tell(offset: Int64) async throws {
            let now = clock.now()
            let (beat, count) = (now.adding(nanoseconds: 1), now.adding(nanoseconds: 2))
            let steps = CounterReading(.stepCount, value: total, unit: .count)
            await report(
                .readings([
                    TimedReading(.instant(.heartRate, try Quantity(60, .countPerMinute)), at: now),
                    TimedReading(.beats(BeatsReading(ticks: [1_024], perSecond: 1_024)), at: beat),
                    TimedReading(.counter(steps), at: count),
                ]))
            let time = offset + now.nanoseconds
            expected.append(Row(.heartRate, time, time, 60))
            if let told {
                expected.append(Row(.rrInterval, time + 1 - second, time + 1, 1_000))
                expected.append(
                    Row(.stepCount, offset + told.at, time + 2, total - told.total))
            }
            told = (total, count.nanoseconds)
        }

        /// Sets the wall clock so that UTC is `offset` after boot time.
        func setClock(offset: Int64) {
            let step = offset - clock.epoch().offsetNanoseconds
            clock.stepWallClock(seconds: Double(step) / 1e9)
        }
    }

    private struct Outcome {
        let expected: [Row]
        let rows: [Row]
        let records: [Record]
        let stored: [QuantitySample]
        let events: [DeviceEvent]
        let ledger: Ledger
    }

    /// Runs a gateway during a walk that starts twenty seconds after the machine, in 1970.
    ///
    /// The walk's clock dates the records; other parts, such as the journal, use the system clock.
    private func run(
        _ script: @Sendable @escaping (inout Walk) async throws -> Void
    ) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let clock = ManualClock(now: BootInstant(nanoseconds: 20 * Self.second), epochOffset: 0)
        let log = Logger(component: "test") { _ in }
        let context = ComponentContext(
            name: "store", clock: clock, log: log, dataDirectory: folder.path)
        let settings = ConfigurationNode(path: "sinks.store", value: .object([:]))
        let store = try SQLiteSink.factory.make(
            settings.object(keys: ["use"] + SQLiteSink.factory.keys), context)
        let memory = InMemorySink()
        let journal = try Journal(
            file: LogJournalFile(path: folder.path("journal"), durability: .crash),
            sinks: ["store", "memory"], clock: SystemClock(), log: log)
        let (reports, report) = AsyncStream.makeStream(of: DeviceReport.self)
        let (dones, done) = AsyncStream.makeStream(of: Void.self)
        let gateway = Gateway(
            sources: [
                Gateway.NamedSource(name: "walk", source: Relay(reports: reports, done: done))
            ],
            sinks: [
                Gateway.NamedSink(name: "store", sink: store),
                Gateway.NamedSink(name: "memory", sink: memory),
            ],
            pipeline: IngestPipeline(
                bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
                version: "1", earliest: Self.earliest, log: log),
            journal: journal, clock: SystemClock(), log: log)
        let walking = Task {
            var walk = Walk(clock: clock, reports: report, done: dones.makeAsyncIterator())
            await walk.report(.opened(Device(name: "Strap"), at: clock.now()))
            try await script(&walk)
            await walk.report(.closed(at: clock.now(), reason: "out of reach"))
            return walk.expected
        }
        let ledger = await gateway.run { _ = await walking.result }
        let reader = try SQLiteStore(readingFrom: folder.path("health.sqlite"))
        var stored: [QuantitySample] = []
        for type in [QuantityType.heartRate, .rrInterval, .stepCount] {
            stored += try await reader.samples(matching: SampleQuery(type: type))
        }
        return Outcome(
            expected: try await walking.value,
            rows: memory.records.compactMap { record in
                if case .sample(let sample) = record { Row(sample) } else { nil }
            },
            records: memory.records, stored: stored, events: try await reader.events(),
            ledger: ledger)
    }

    /// Checks the invariants.
    private func check(_ outcome: Outcome, line: UInt = #line) {
        XCTAssertEqual(outcome.rows, outcome.expected, line: line)
        XCTAssertEqual(Set(outcome.stored.map(Row.init)), Set(outcome.expected), line: line)
        XCTAssertEqual(outcome.stored.count, outcome.expected.count, line: line)
        XCTAssertEqual(outcome.events.count, 2, line: line)
        let ids = Set(outcome.records.map(\.id))
        XCTAssertEqual(ids.count, outcome.records.count, line: line)
        XCTAssertEqual(ids.count, outcome.stored.count + outcome.events.count, line: line)
        let times = outcome.stored.map(\.start) + outcome.events.map(\.at)
        XCTAssertGreaterThanOrEqual(times.min() ?? Self.earliest, Self.earliest, line: line)
        for sample in outcome.stored { XCTAssertLessThanOrEqual(sample.start, sample.end) }
        XCTAssertEqual(outcome.ledger.imbalances, [], line: line)
        for sink in ["store", "memory"] {
            XCTAssertEqual(outcome.ledger.pending(for: sink), 0, line: line)
        }
        XCTAssertEqual(outcome.ledger.ingest[.duplicate], 0, line: line)
        XCTAssertEqual(outcome.ledger.ingest[.implausible], 0, line: line)
    }

    func testAStartIn1970_stepsOfThreeHours_aNightOfSleep_and1970Again() async throws {
        let right = Self.right
        let outcome = try await run { walk in
            try await walk.walk(seconds: 30, offset: right)
            walk.setClock(offset: right)
            try await walk.walk(seconds: 30, offset: right)
            for step in [3 * Self.hour, -3 * Self.hour, 0] {
                walk.setClock(offset: right + step)
                try await walk.walk(seconds: 30, offset: right + step)
            }
            // The machine sleeps for eight hours, and its clock is then off by a quarter of a second.
            walk.clock.advance(seconds: 8 * 3_600)
            walk.total += 4_000
            walk.setClock(offset: right + Self.second / 4)
            try await walk.walk(seconds: 30, offset: right + Self.second / 4)
            walk.setClock(offset: 0)
            try await walk.walk(seconds: 30, offset: right + Self.second / 4)
        }
        check(outcome)
        XCTAssertEqual(outcome.stored.filter { !$0.metadata.isEmpty }, [])
        let longest = outcome.stored.map { $0.end.nanoseconds(since: $0.start) }.max()
        XCTAssertEqual(longest, 8 * Self.hour + Self.second)
    }

    func testAStepBack_toTheVerySameTimes_doublesNothing() async throws {
        let right = Self.right
        let outcome = try await run { walk in
            walk.setClock(offset: right)
            for turn in 0..<5 {
                // The times of the last turn repeat exactly.
                let offset = right - Int64(turn) * 30 * Self.second
                walk.setClock(offset: offset)
                walk.total = 100
                try await walk.walk(seconds: 30, offset: offset)
            }
        }
        XCTAssertEqual(Set(outcome.records.map(\.id)).count, outcome.records.count)
        XCTAssertEqual(outcome.stored.count, outcome.records.count - outcome.events.count)
        XCTAssertEqual(outcome.ledger.imbalances, [])
        XCTAssertEqual(outcome.stored.count { $0.type == .heartRate }, 150)
    }

    func testAClockThatIsNeverSet() async throws {
        let made = Self.earliest.nanosecondsSince1970
        let outcome = try await run { walk in
            try await walk.walk(seconds: 700, offset: made)
        }
        check(outcome)
        let fingerprints = outcome.stored.map { $0.metadata[.clockUnset] }
        XCTAssertEqual(fingerprints, Array(repeating: true, count: fingerprints.count))
        XCTAssertEqual(outcome.events.map { $0.metadata[.clockUnset] }, [true, true])
    }

    func testAClockThatIsSetAfterNothingWaitsAnyMore() async throws {
        let (made, right) = (Self.earliest.nanosecondsSince1970, Self.right)
        let outcome = try await run { walk in
            try await walk.walk(seconds: 620, offset: made)
            walk.setClock(offset: right)
            try await walk.walk(seconds: 10, offset: right)
        }
        check(outcome)
        let marked = outcome.stored.filter { $0.metadata[.clockUnset] == true }
        // The first second has neither an interval nor a count.
        XCTAssertEqual(marked.count, 620 * 3 - 2)
    }
}
