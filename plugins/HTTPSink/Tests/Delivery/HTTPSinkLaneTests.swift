import GatewayTesting
import HTTPClient
import HTTPTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import HTTPSink

/// The sink at the end of the durable lane: journal, runner, and a clock that the test moves.
final class HTTPSinkLaneTests: SinkTestCase {
    private let log = Logger(component: "test") { _ in }

    private func makeLane(_ sink: HTTPSink) throws -> (Journal, SinkRunner) {
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["repository"], clock: clock, log: log)
        let runner = SinkRunner(
            Gateway.NamedSink(name: "repository", sink: sink), journal: journal, clock: clock,
            log: log)
        return (journal, runner)
    }

    func testServerDownForTenMinutes_everythingArrivesOnceThen() async throws {
        let repository = StrictRepository(refusing: [Examples.id(30)])
        let server = try repository.makeServer()
        let sink = try makeSink(at: server)
        server.stop()
        let (journal, runner) = try makeLane(sink)
        let delivery = Task { try await runner.run() }
        let committing = Task { try await journal.run() }
        let bus = Bus(journal: journal, live: LiveLane())
        let records = try records(100)
        let start = clock.now()
        var published = 0
        while clock.now().nanoseconds - start.nanoseconds < 600_000_000_000 {
            if published < records.count {
                var conversion = Conversion()
                conversion.records = Array(records[published..<published + 10])
                await bus.publish(conversion)
                published += 10
            }
            // The journal's commit, or the wait after a failure.
            await clock.waitForSleepers(1)
            clock.advance(seconds: 10)
        }
        XCTAssertEqual(repository.accepted, [])
        try server.start()
        let mover = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                clock.advance(seconds: 60)
            }
        }
        await journal.close()
        try await delivery.value
        mover.cancel()
        let wake = Task { [clock] in try await clock.sleep(seconds: 1_000_000) }
        _ = await mover.result
        wake.cancel()
        committing.cancel()
        _ = await committing.result

        XCTAssertEqual(
            repository.accepted, records.map(\.id.description).filter { $0 != "\(Examples.id(30))" }
        )
        XCTAssertEqual(try rejectedIDs(), [Examples.id(30).description])
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.sinks["repository"]?.outcome.delivered, 99)
        XCTAssertEqual(ledger.sinks["repository"]?.outcome.rejected, 1)
        XCTAssertEqual(ledger.pending(for: "repository"), 0)
    }

    func testRetryAfter_isWaitedFor() async throws {
        let start = clock.now()
        let server = try ScriptedHTTPServer { [clock] _, _ in
            let isBusy = clock.now().seconds(since: start) < 120
            return .answer(
                isBusy
                    ? ScriptedAnswer(status: 429, headers: [("Retry-After", "120")])
                    : ScriptedAnswer(status: 204))
        }
        let (journal, runner) = try makeLane(try makeSink(at: server))
        let delivery = Task { try await runner.run() }
        var conversion = Conversion()
        conversion.records = try records(10)
        await Bus(journal: journal, live: LiveLane()).publish(conversion)
        await journal.commit()
        try await server.wait { $0.requests == 1 }
        await clock.waitForSleepers(1)

        // A sink that does not wait so long has sent again when it waits for the next time.
        clock.advance(seconds: 119)
        await clock.waitForSleepers(1)
        guard server.counts.requests == 1 else {
            delivery.cancel()
            return XCTFail("the sink did not wait")
        }
        clock.advance(seconds: 1)
        try await server.wait { $0.requests == 2 }

        await journal.close()
        try await delivery.value
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["repository"]?.outcome.delivered, 10)
    }

    func testBlocked_keepsTheCursor_andContinuesWhenItIsFixed() async throws {
        try writeSecret("old", to: "repo.token")
        let server = try ScriptedHTTPServer { _, request in
            .answer(
                ScriptedAnswer(status: request["Authorization"] == "Bearer new" ? 204 : 401))
        }
        let sink = try makeSink(at: server, "token: { file: \"repo.token\" }")
        let (journal, runner) = try makeLane(sink)
        let delivery = Task { try await runner.run() }
        var conversion = Conversion()
        conversion.records = try records(1_000)
        await Bus(journal: journal, live: LiveLane()).publish(conversion)
        await journal.commit()
        try await server.wait { $0.requests == 1 }
        await clock.waitForSleepers(1)
        let pending = await journal.ledger.pending(for: "repository")
        XCTAssertEqual(pending, 1_000)

        try writeSecret("new", to: "repo.token")
        clock.advance(seconds: 60)
        await journal.close()
        try await delivery.value

        let ledger = await journal.ledger
        XCTAssertEqual(ledger.sinks["repository"]?.outcome.delivered, 1_000)
        XCTAssertEqual(server.requests.map { $0["Authorization"] }, ["Bearer old", "Bearer new"])
    }
}
