import GatewayTesting
import HealthModel
import JSON
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// Tests of a reload, which changes the parts of a gateway only while it runs.
final class GatewayReloadTests: LaneTestCase {
    /// Runs until it is cancelled.
    private struct QuietSource: Source {
        let began: AsyncStream<Void>.Continuation

        func run(into inlet: any ReadingInlet) async throws {
            began.yield()
            let (silence, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in silence {}
            throw CancellationError()
        }
    }

    /// Needs its time to end, and counts how many of its runs there are.
    private final class SlowSource: Source {
        let runs: AsyncStream<Int>
        private let signal: AsyncStream<Int>.Continuation
        private let release: AsyncStream<Void>
        private let count: Atomic<Int>

        init(releasedBy release: AsyncStream<Void>) {
            self.release = release
            (runs, signal) = AsyncStream.makeStream()
            count = Atomic(0)
        }

        func run(into inlet: any ReadingInlet) async throws {
            signal.yield(count.add(1, ordering: .sequentiallyConsistent).newValue)
            let release = release
            await Task.detached { for await _ in release {} }.value
            let (silence, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in silence {}
            signal.yield(count.subtract(1, ordering: .sequentiallyConsistent).newValue)
            throw CancellationError()
        }
    }

    private func source(_ name: String) -> (Gateway.NamedSource, began: AsyncStream<Void>) {
        let (began, signal) = AsyncStream.makeStream(of: Void.self)
        return (Gateway.NamedSource(name: name, source: QuietSource(began: signal)), began)
    }

    /// Takes its batches when a stream ends.
    private struct HeldSink: Sink {
        let release: AsyncStream<Void>

        func write(_ batch: [Record]) async throws { for await _ in release {} }
    }

    private func makeGateway(
        _ source: Gateway.NamedSource, _ sink: any Sink, _ journal: Journal? = nil,
        _ options: SinkOptions = SinkOptions()
    ) throws -> Gateway {
        let journal = try journal ?? makeJournal()
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log)
        return Gateway(
            sources: [source],
            sinks: [Gateway.NamedSink(name: "store", sink: sink, options: options)],
            pipeline: pipeline, journal: journal, clock: clock, log: log)
    }

    private func parts(_ source: Gateway.NamedSource, _ sink: any Sink) -> Gateway.Parts {
        Gateway.Parts(
            sources: [source], sinks: [Gateway.NamedSink(name: "store", sink: sink)])
    }

    /// The same source with another sink.
    private func otherParts(_ source: Gateway.NamedSource) -> Gateway.Parts {
        Gateway.Parts(
            sources: [source], sinks: [Gateway.NamedSink(name: "other", sink: InMemorySink())])
    }

    /// Runs a gateway, and lets time pass at its end, where the journal has delays.
    private func run(
        _ gateway: Gateway, until stop: @escaping @Sendable () async -> Void
    ) async {
        let (stopping, hasStopped) = AsyncStream.makeStream(of: Void.self)
        let time = Task { [clock] in
            for await _ in stopping {}
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                clock.advance(seconds: 1)
            }
        }
        _ = await gateway.run {
            await stop()
            hasStopped.finish()
        }
        time.cancel()
    }

    /// The supervision of adapters may restart a source at any time.
    func testRestart_duringAChangeOfTheSource_startsItOnce() async throws {
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let slow = SlowSource(releasedBy: released)
        let settings = try (1...2).map { number in
            ComponentSettings(
                try ConfigurationNode(json5: "{ use: \"slow\", number: \(number) }"))
        }
        let named = settings.map { Gateway.NamedSource(name: "slow", source: slow, settings: $0) }
        let gateway = try makeGateway(named[0], InMemorySink())
        await run(gateway) { [parts = parts(named[1], InMemorySink())] in
            var runs = slow.runs.makeAsyncIterator()
            var counts = [await runs.next()]
            let changing = Task { try await gateway.change(to: parts, people: People()) }
            let restarting = Task { await gateway.restart("slow") }
            for _ in 0..<1_000 { await Task.yield() }
            release.finish()
            _ = await (changing.result, restarting.value)
            for _ in 0..<4 { counts.append(await runs.next()) }
            XCTAssertEqual(counts, [1, 0, 1, 0, 1])
        }
    }

    func testChange_beforeItRuns_isDoneAsSoonAsItDoes() async throws {
        let (old, _) = source("old")
        let (new, began) = source("new")
        let gateway = try makeGateway(old, InMemorySink())
        let changing = Task { [parts = parts(new, InMemorySink())] in
            try await gateway.change(to: parts, people: People())
        }
        _ = await gateway.run {
            for await _ in began { break }
            _ = await changing.result
        }
        let changes = try await changing.value
        XCTAssertEqual(changes.sources.added, ["new"])
        XCTAssertEqual(changes.sources.removed, ["old"])
        let names = await gateway.status().sources.map(\.name)
        XCTAssertEqual(names, ["new"])
    }

    /// A record is written by the types of now, so it is decoded again.
    func testChange_ofTheTypes_forgetsTheRecordsInMemory() async throws {
        let (source, _) = source("quiet")
        let journal = try makeJournal([JournalSink("store", readsRecords: true)])
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        let gateway = try makeGateway(source, HeldSink(release: held), journal)
        let batch = RecordBatch(try samples(3)).lines
        let same = parts(source, HeldSink(release: held))
        let skin = try QuantityType(
            custom: "skinTemperature", aggregationStyle: .discreteArithmetic,
            unit: .degreeCelsius)
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (3, 3)
        await run(gateway) { [addition] in
            do {
                await journal.append(batch, addition: addition)
                await journal.commit()
                _ = try await gateway.change(to: same, people: People())
                let before = await journal.tail.bytes
                XCTAssertGreaterThan(before, batch.bytes.count)
                var other = same
                other.types = try QuantityTypes(custom: [skin])
                _ = try await gateway.change(to: other, people: People())
                let after = await journal.tail.bytes
                XCTAssertEqual(after, batch.bytes.count)
            } catch {
                XCTFail("\(error)")
            }
            release.finish()
        }
    }

    func testSinkThatIsRemoved_deliversWhatWasAcceptedBefore() async throws {
        let (source, _) = source("quiet")
        let journal = try makeJournal()
        let (gate, release) = AsyncStream.makeStream(of: Void.self)
        let sink = GatedSink(gate: gate)
        let gateway = try makeGateway(source, sink, journal, options(count: 1))
        let records = try samples(3)
        await publish(records, to: journal)
        await journal.commit()
        await run(gateway) { [clock, other = otherParts(source)] in
            await sink.waitForCall()
            let sleepers = clock.sleeperCount
            async let changes = gateway.change(to: other, people: People())
            // Usually the change waits for the sink by now; it must do so whenever the call returns.
            var looks = 0
            while clock.sleeperCount <= sleepers, looks < 10_000 {
                looks += 1
                await Task.yield()
            }
            release.finish()
            let removed = try? await changes.sinks.removed
            XCTAssertEqual(removed, ["store"])
        }
        XCTAssertEqual(sink.records.map(\.id), records.map(\.id))
    }

    func testFailingSinkThatIsRemoved_delaysNothing() async throws {
        let (source, _) = source("quiet")
        let journal = try makeJournal()
        let sink = InMemorySink { _, _ in .retry(reason: "down", after: 1_000) }
        let gateway = try makeGateway(source, sink, journal)
        await publish(try samples(3), to: journal)
        await journal.commit()
        await run(gateway) { [clock, other = otherParts(source)] in
            while await gateway.status().sinks.first?.failure == nil { await Task.yield() }
            let before = clock.now()
            let removed = try? await gateway.change(to: other, people: People()).sinks.removed
            XCTAssertEqual(removed, ["store"])
            XCTAssertEqual(clock.now(), before)
        }
    }

    /// A store that is opened by the first batch or question, and is intact.
    private final class IntactStore: VerifyingSink {
        private let inner = InMemorySink()
        private let isOpen = Atomic(false)

        var count: Int { inner.records.count }

        func write(_ batch: [Record]) async throws { try await inner.write(batch) }

        func verify(isAtEnd: Bool) async throws -> StoreState {
            guard isOpen.exchange(true, ordering: .sequentiallyConsistent) else {
                return .opened(.everything)
            }
            return isAtEnd ? .verified : .unverified
        }
    }

    /// The counts of a sink are about its name, whatever its settings are.
    func testSinkWithOtherSettings_getsNothingAgain_andItsCountsContinue() async throws {
        let (source, _) = source("quiet")
        let journal = try makeJournal()
        let stores = [IntactStore(), IntactStore()]
        let gateway = try makeGateway(source, stores[0], journal)
        let changed = Gateway.Parts(
            sources: [source],
            sinks: [
                Gateway.NamedSink(
                    name: "store", sink: stores[1], options: options(count: 7),
                    settings: ComponentSettings(try ConfigurationNode(json5: "{ batch: 7 }")))
            ])
        await publish(try samples(3), to: journal)
        await journal.commit()
        await run(gateway) {
            _ = await journal.waitForDelivery(to: "store", upTo: 3)
            let changes = try? await gateway.change(to: changed, people: People())
            XCTAssertEqual(changes?.sinks.changed, ["store"])
        }
        XCTAssertEqual(stores.map(\.count), [3, 0])
        let delivered = await journal.ledger.sinks["store"]?.outcome.delivered
        XCTAssertEqual(delivered, 3)
    }

    func testChange_whenItHasStopped_isRejected() async throws {
        let (old, _) = source("old")
        let (new, _) = source("new")
        let gateway = try makeGateway(old, InMemorySink())
        _ = await gateway.run {}
        do {
            _ = try await gateway.change(to: parts(new, InMemorySink()), people: People())
            XCTFail("it was done")
        } catch is Gateway.Stopping {
        }
        let names = await gateway.status().sources.map(\.name)
        XCTAssertEqual(names, ["old"])
    }
}
