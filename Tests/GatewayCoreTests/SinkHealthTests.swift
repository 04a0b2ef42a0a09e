import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import GatewayTesting
@testable import Platform

/// Tests of the status and the retries of a failing sink.
final class SinkHealthTests: LaneTestCase {
    func testHealth_failsSinceTheFirstFailure() {
        let health = Health()
        let start = clock.now()
        health.fail("a", at: start)
        health.fail("b", at: start.adding(nanoseconds: 5))
        XCTAssertEqual(health.failingSince(at: start.adding(nanoseconds: 9)), start)
        health.recover()
        XCTAssertNil(health.failingSince(at: start))
        health.fail("c", at: start.adding(nanoseconds: 7))
        XCTAssertEqual(
            health.failingSince(at: start.adding(nanoseconds: 9)), start.adding(nanoseconds: 7))
    }

    func testBackoff_isTheSameForTheSameSeed() {
        var (first, second) = (DeliveryAttempt.backoff, DeliveryAttempt.backoff)
        var (one, other) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
        for _ in 0..<10 {
            XCTAssertEqual(first.next(using: &one), second.next(using: &other))
        }
    }

    func testStatus_ofASinkThatNeverReturns_tellsSinceWhen() async throws {
        let journal = try makeJournal()
        await publish(try samples(1), to: journal)
        await journal.close()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let sink = GatedSink(gate: gate)
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health)
        let delivery = Task { try await runner.run() }
        await sink.waitForCall()
        XCTAssertEqual(health.writingSince, clock.now())
        open.finish()
        try await delivery.value
        XCTAssertNil(health.writingSince)
    }
}
