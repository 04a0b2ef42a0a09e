import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform

/// Tests of waiting until a sink has handled all accepted records, with a stopped clock.
final class GatewayDeliveryTests: LaneTestCase {
    private func makeGateway(
        _ journal: Journal, _ sink: any Sink = InMemorySink(),
        options: SinkOptions = SinkOptions()
    ) -> Gateway {
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log)
        return Gateway(
            sources: [],
            sinks: [Gateway.NamedSink(name: "store", sink: sink, options: options)],
            pipeline: pipeline, journal: journal, clock: clock, log: log)
    }

    private func makeJournal(with count: Int) async throws -> Journal {
        let journal = try makeJournal()
        await publish(try samples(count), to: journal)
        await journal.commit()
        return journal
    }

    private var deadline: BootInstant { clock.now().adding(seconds: 3) }

    func testWait_endsWhenTheCursorIsThere_andNotBefore() async throws {
        let (clock, deadline) = (clock, deadline)
        let journal = try await makeJournal(with: 3)
        let gateway = makeGateway(journal)
        async let isDelivered = gateway.waitForDelivery(to: "store", until: deadline)
        await clock.waitForSleepers(1)
        await journal.advance("store", from: 0, to: 2, adding: Ledger.Outcome())
        // Records accepted later are not waited for.
        await publish(try samples(1, from: 3), to: journal)
        await journal.commit()
        await journal.advance("store", from: 2, to: 3, adding: Ledger.Outcome())
        let result = await isDelivered
        XCTAssertTrue(result)
    }

    func testWait_whenNothingIsPending_endsImmediately_evenAfterTheDeadline() async throws {
        let journal = try await makeJournal(with: 1)
        await journal.advance("store", from: 0, to: 1, adding: Ledger.Outcome())
        let isDelivered = await makeGateway(journal)
            .waitForDelivery(to: "store", until: clock.now())
        XCTAssertTrue(isDelivered)
    }

    func testWait_endsAtTheDeadline() async throws {
        let (clock, deadline) = (clock, deadline)
        let gateway = makeGateway(try await makeJournal(with: 1))
        async let isDelivered = gateway.waitForDelivery(to: "store", until: deadline)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 3)
        let result = await isDelivered
        XCTAssertFalse(result)
    }

    /// Lets the time pass until a gateway has stopped.
    private func finish(_ run: Task<Ledger, Never>) async {
        let time = letTimePass()
        _ = await run.value
        time.cancel()
    }

    private func letTimePass() -> Task<Void, Never> {
        let clock = clock
        return Task {
            while !Task.isCancelled {
                clock.advance(seconds: 1)
                await Task.yield()
            }
        }
    }

    func testRefresh_letsACollectingSinkHaveWhatItCollects() async throws {
        let journal = try await makeJournal(with: 2)
        let sink = InMemorySink()
        let gateway = makeGateway(journal, sink, options: options(seconds: 30))
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let run = Task { await gateway.run { for await _ in stops {} } }
        await clock.waitForSleepers(1)
        XCTAssertEqual(sink.records.count, 0)
        let progress = await gateway.refresh("store")
        XCTAssertEqual(progress, .complete)
        XCTAssertEqual(sink.records.count, 2)
        let progressAway = await gateway.refresh("away")
        XCTAssertEqual(progressAway, .failing)
        stop.finish()
        await finish(run)
    }

    /// A sink that stores a batch for each permission.
    private actor SlowSink: Sink {
        let begins: AsyncStream<Void>
        private let began: AsyncStream<Void>.Continuation
        private var permissions: AsyncStream<Void>.Iterator
        let permission: AsyncStream<Void>.Continuation

        init() {
            (begins, began) = AsyncStream.makeStream()
            let (stream, permission) = AsyncStream.makeStream(of: Void.self)
            self.permission = permission
            permissions = stream.makeAsyncIterator()
        }

        func write(_ batch: [Record]) async throws {
            began.yield()
            var permissions = permissions
            _ = await permissions.next(isolation: self)
            self.permissions = permissions
        }
    }

    /// A flood: a batch is written slowly while the next one arrives, which nobody has asked for.
    func testRefresh_ofABusySink_waitsForWhatWasAcceptedBefore() async throws {
        let journal = try await makeJournal(with: 2)
        let sink = SlowSink()
        let gateway = makeGateway(journal, sink, options: options(seconds: 30))
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let run = Task { await gateway.run { for await _ in stops {} } }
        // It writes although its batch has 30 seconds: somebody waits, whose time has begun.
        var begins = sink.begins.makeAsyncIterator()
        async let progress = gateway.refresh("store")
        await begins.next()
        clock.advance(seconds: 2)
        // Who has no time left gets an answer.
        let isDelivered = await gateway.waitForDelivery(to: "store", until: clock.now())
        XCTAssertFalse(isDelivered)
        await publish(try samples(2, from: 2), to: journal)
        await journal.commit()
        sink.permission.yield()
        let answer = await progress
        XCTAssertEqual(answer, .complete)

        async let slow = gateway.refresh("store")
        await begins.next()
        clock.advance(seconds: 10)
        let slowAnswer = await slow
        XCTAssertEqual(slowAnswer, .pending(2))
        sink.permission.finish()
        stop.finish()
        await finish(run)
    }

    func testRefresh_beforeTheGatewayRuns_waitsForItsStart() async throws {
        let gateway = makeGateway(try await makeJournal(with: 2))
        async let progress = gateway.refresh("store")
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let run = Task { await gateway.run { for await _ in stops {} } }
        let answer = await progress
        XCTAssertEqual(answer, .complete)
        stop.finish()
        await finish(run)
    }

    /// The sink has all that was accepted, but the newest records wait in memory.
    func testRefresh_whileTheJournalCannotBeWritten_isNotComplete() async throws {
        let journal = try makeJournal(file: InMemoryJournalFile(fault: .full, fails: { $0 > 1 }))
        for start in [0, 2] {
            await publish(try samples(2, from: start), to: journal)
            await journal.commit()
        }
        let gateway = makeGateway(journal)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let run = Task { await gateway.run { for await _ in stops {} } }
        let progress = await gateway.refresh("store")
        XCTAssertEqual(progress, .failing)
        stop.finish()
        await finish(run)
    }

    /// Whoever waits for a sink that fails has an answer after some seconds, and at once when the failure is known.
    func testRefresh_ofASinkThatKeepsFailing_isAnswered() async throws {
        let failures: [SinkError] = [
            .retry(reason: "away", after: nil), .retry(reason: "busy", after: 3_600),
            .blocked(reason: "no permission"),
        ]
        for failure in failures {
            let attempts = (1...2).map { expectation(description: "\(failure), attempt \($0)") }
            let sink = InMemorySink { call, _ in
                if call <= attempts.count { attempts[call - 1].fulfill() }
                return failure
            }
            let gateway = makeGateway(
                try await makeJournal(with: 2), sink, options: options(seconds: 30))
            let (stops, stop) = AsyncStream.makeStream(of: Void.self)
            let run = Task { await gateway.run { for await _ in stops {} } }
            await gateway.waitUntilRunning()
            let first = refresh(gateway, "\(failure), first")
            // It writes although its batch has 30 seconds: somebody waits, whose time has begun.
            await fulfillment(of: [attempts[0]], timeout: Self.timeout)
            clock.advance(seconds: Gateway.refreshSeconds)
            await fulfillment(of: [first.answered], timeout: Self.timeout)

            // The next attempt comes after the failure was noted.
            let time = letTimePass()
            await fulfillment(of: [attempts[1]], timeout: Self.timeout)
            time.cancel()
            await time.value
            let second = refresh(gateway, "\(failure), second")
            await fulfillment(of: [second.answered], timeout: Self.timeout)
            stop.finish()
            await finish(run)
            // The first answer may come just before the failure is noted.
            let firstAnswer = await first.answer.value
            XCTAssertNotEqual(firstAnswer, .complete, "\(failure)")
            let secondAnswer = await second.answer.value
            XCTAssertEqual(secondAnswer, .failing, "\(failure)")
            XCTAssertEqual(sink.records, [])
        }
    }

    /// Longer than any machine needs, in seconds.
    private static let timeout = 60.0

    private func refresh(
        _ gateway: Gateway, _ name: String
    ) -> (answer: Task<SinkProgress, Never>, answered: XCTestExpectation) {
        let answered = expectation(description: "\(name) is answered")
        let answer = Task {
            defer { answered.fulfill() }
            return await gateway.refresh("store")
        }
        return (answer, answered)
    }

    func testWait_forASinkThatIsNotThere_endsImmediately() async throws {
        let gateway = makeGateway(try await makeJournal(with: 1))
        let isDelivered = await gateway.waitForDelivery(to: "away", until: deadline)
        XCTAssertFalse(isDelivered)
    }

    func testWait_endsWhenTheSinkGoes() async throws {
        let (clock, deadline) = (clock, deadline)
        let journal = try await makeJournal(with: 1)
        let gateway = makeGateway(journal)
        async let isDelivered = gateway.waitForDelivery(to: "store", until: deadline)
        await clock.waitForSleepers(1)
        try await journal.register([JournalSink("other")])
        let result = await isDelivered
        XCTAssertFalse(result)
    }

    func testWait_endsWithTheJournal() async throws {
        let (clock, deadline) = (clock, deadline)
        let journal = try await makeJournal(with: 1)
        let gateway = makeGateway(journal)
        async let isDelivered = gateway.waitForDelivery(to: "store", until: deadline)
        await clock.waitForSleepers(1)
        await journal.close()
        await journal.finish()
        let result = await isDelivered
        XCTAssertFalse(result)
    }
}
