import Foundation
import HealthModel
import Platform
import XCTest

@testable import GatewayCore
@testable import LiveFeed
@testable import Workouts

/// While nobody watches, the feed is not woken for each record; what it shows does not depend on that.
final class FeedRestTests: XCTestCase {
    private func rate(of client: FollowClient) throws -> Double? {
        let heart = try client.take()[0].person("ada")?["heart"] as? [String: Any]
        return heart?["rate"] as? Double
    }

    func testRecords_whileNobodyWatches_waitForTheEndOfTheRest() async throws {
        try await FeedFixture.run { fixture in
            for steps in [1.0, 2] {
                await fixture.publish([try fixture.sample(.stepCount, steps, seconds: 1)])
            }
            let before = await fixture.feed.takenSteps(at: fixture.now)
            XCTAssertEqual(before, 1)
            await fixture.clock.waitForSleep(seconds: LiveFeed.restSeconds)
            fixture.clock.advance(seconds: LiveFeed.restSeconds)
            while await fixture.feed.takenSteps(at: fixture.now) != 2 { await Task.yield() }
        }
    }

    func testRecords_whileNobodyWatches_endTheRestWhenTheyAreMany() async throws {
        try await FeedFixture.run { fixture in
            for range in [1..<2, 2..<2_001, 2_001..<2_002] {
                let steps = try range.map {
                    try fixture.sample(.stepCount, Double($0), seconds: 1)
                }
                await fixture.publish(steps)
                let taken = await fixture.feed.takenSteps(at: fixture.now)
                XCTAssertEqual(taken, range.upperBound == 2_001 ? 1 : Double(range.upperBound - 1))
            }
        }
    }

    func testWatcher_hasWhatWaited_andThenEachRecordAtOnce() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.rate(100)
            try await fixture.rate(110)
            let client = await fixture.follow("ada")
            XCTAssertEqual(try rate(of: client), 110)
            for rate in [111.0, 112, 113] {
                fixture.clock.advance(seconds: 0.1)
                try await fixture.rate(rate)
                XCTAssertEqual(try self.rate(of: client), rate)
            }
        }
    }

    func testHeartRates_forMetrics_haveWhatWaited() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.rate(100)
            try await fixture.rate(110)
            let rates = await fixture.feed.heartRates(
                fixture.service, for: FollowClient(ofOther: nil).client)
            XCTAssertEqual(rates.map(\.rate), [110])
        }
    }

    /// A batch leaves out samples that the next one replaces; the result is that of all of them.
    func testBatch_isAsItsRecordsOneByOne() throws {
        let fixture = try FeedFixture()
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let records = try (0..<12).map { _ in try sample(fixture, &random) }
            var (together, apart) = (FollowBoard(), FollowBoard())
            XCTAssertEqual(together.add(records, at: fixture.now), [0])
            for record in records { _ = apart.add([record], at: fixture.now) }
            XCTAssertEqual(
                together.people[0].state(at: fixture.now), apart.people[0].state(at: fixture.now),
                "seed \(seed)")
        }
    }

    /// A sample that can be late, in the future, entered by hand or not plausible.
    private func sample(
        _ fixture: FeedFixture, _ random: inout SeededGenerator
    ) throws -> Record {
        let types: [QuantityType] = [.stepCount, .stepCount, .cyclingCadence, .heartRate]
        let type = types.randomElement(using: &random) ?? .stepCount
        let ages = [0.0, 0, 0, 1, 5, 400, 700, -5, -20]
        let end = fixture.now.later(bySeconds: -(ages.randomElement(using: &random) ?? 0))
        var metadata = Metadata()
        if Int.random(in: 0..<5, using: &random) == 0 {
            try metadata.set(true, for: .wasUserEntered)
        }
        let value: Double = [60.0, 90, 120, 1e9].randomElement(using: &random) ?? 60
        return .sample(
            try QuantitySample(
                id: fixture.nextID(), type: type,
                start: type.isCumulative ? end.later(bySeconds: -1) : end, end: end,
                quantity: Quantity(value, type.canonicalUnit),
                device: Device(localIdentifier: ["a", "b"].randomElement(using: &random)),
                metadata: metadata))
    }
}

extension LiveFeed {
    /// The newest steps of ada, from the records that were taken.
    fileprivate func takenSteps(at now: Instant) -> Double? {
        let ada = board.people.first { $0.name == "ada" }
        return try? ada?.live.values(at: now).first?.quantity.value(in: .count)
    }
}
