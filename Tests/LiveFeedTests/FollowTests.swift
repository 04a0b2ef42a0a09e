import GatewayTesting
import HealthModel
import Workouts
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import LiveFeed
@testable import WorkoutService

/// The request `follow`: values, workouts, gaps, and the end.
final class FollowTests: XCTestCase {
    private func values(_ line: String, of person: String? = "ada") throws -> [[String: Any]] {
        try XCTUnwrap(try line.person(person)?["values"] as? [[String: Any]], line)
    }

    // MARK: Values

    func testValues_haveTheNewestOfEachTypeAndDevice_inAStableOrder() async throws {
        try await FeedFixture.run { fixture in
            await fixture.publish([
                try fixture.sample(.stepCount, 100, from: "foot", seconds: 10),
                try fixture.sample(.bodyTemperature, 37, from: "patch"),
                try fixture.sample(.stepCount, 7, from: "bike", seconds: 10),
            ])
            fixture.clock.advance(seconds: 1)
            await fixture.publish([
                try fixture.sample(.stepCount, 120, from: "foot", seconds: 1)
            ])

            let client = await fixture.follow("ada")

            let values = try values(try XCTUnwrap(client.lines.first))
            XCTAssertEqual(
                values.map { "\($0["type"] ?? "") \($0["device"] ?? "") \($0["value"] ?? "")" },
                [
                    "bodyTemperature patch's name 37", "stepCount bike's name 7",
                    "stepCount foot's name 120",
                ])
            XCTAssertEqual(values[2]["unit"] as? String, "count")
            XCTAssertEqual(values[2]["time"] as? String, "\(fixture.now)")
        }
    }

    func testValues_areSentTogether_notMoreOftenThanFourTimesASecond() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            _ = client.take()
            for steps in 1...5 {
                await fixture.publish([
                    try fixture.sample(.stepCount, Double(steps), seconds: 1)
                ])
                XCTAssertEqual(client.lines, [])
            }

            await fixture.flush(client)

            let lines = client.take()
            XCTAssertEqual(lines.count, 1, "\(lines)")
            XCTAssertEqual(try values(lines[0])[0]["value"] as? Int, 5)
        }
    }

    func testHeartRate_bringsWaitingValuesAlong() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            _ = client.take()
            await fixture.publish([try fixture.sample(.stepCount, 5, seconds: 1)])

            try await fixture.rate(100)

            XCTAssertEqual(try values(try XCTUnwrap(client.take().first)).count, 1)
            await fixture.second()
            XCTAssertEqual(client.lines, [])
        }
    }

    func testOldValues_vanish_aSpeedSoonerThanATemperature() async throws {
        try await FeedFixture.run { fixture in
            await fixture.publish([
                try fixture.sample(.bodyTemperature, 37), try fixture.sample(.runningSpeed, 3),
            ])
            let client = await fixture.follow()
            XCTAssertEqual(try values(client.take()[0]).count, 2)

            await fixture.seconds(10)
            XCTAssertEqual(
                try client.take().flatMap { try values($0) }.map { $0["type"] as? String },
                ["bodyTemperature"])
            await fixture.seconds(290)

            XCTAssertEqual(try client.take().map { try values($0).count }, [0])
        }
    }

    func testEnteredAndCalculatedAndFutureSamples_areNoValues() async throws {
        try await FeedFixture.run { fixture in
            let time = fixture.now.adding(nanoseconds: 60_000_000_000)
            var entered = Metadata()
            try entered.set(true, for: .wasUserEntered)
            await fixture.publish([
                .sample(
                    try QuantitySample(
                        id: fixture.nextID(), type: .bodyMass, start: time, end: time,
                        quantity: Quantity(80, .kilogram), person: "ada")),
                .sample(
                    try QuantitySample(
                        id: fixture.nextID(), type: .bodyMass, start: fixture.now,
                        end: fixture.now, quantity: Quantity(80, .kilogram), person: "ada",
                        metadata: entered)),
            ])

            let client = await fixture.follow("ada")

            XCTAssertEqual(try values(client.lines[0]).count, 0)
        }
    }

    // MARK: Workouts

    /// Waits for a line about ada that satisfies a condition, while the time passes.
    private func wait(
        _ fixture: FeedFixture, _ client: FollowClient, line: UInt = #line,
        for isWanted: ([String: Any]) -> Bool
    ) async throws {
        for _ in 0..<100_000 {
            for text in client.take() {
                if let person = try text.person("ada"), isWanted(person) { return }
            }
            fixture.clock.advance(seconds: 0.05)
            for _ in 0..<20 { await Task.yield() }
        }
        XCTFail("no such line", line: line)
    }

    private func state(_ person: [String: Any]) -> String? {
        (person["workout"] as? [String: Any])?["state"] as? String
    }

    func testWorkout_isThereFromItsStartToItsEnd() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow("ada")
            let manager = fixture.service.workouts
            _ = try await manager.handle(WorkoutRequest(.start, person: "ada"))
            try await wait(fixture, client) { state($0) == "running" }
            try await wait(fixture, client) {
                let workout = $0["workout"] as? [String: Any]
                let measures = workout?["measures"] as? [String: Any]
                return measures?["elapsedSeconds"] as? Double ?? 0 >= 2
            }
            let late = await fixture.follow("ada")
            XCTAssertEqual(try late.lines[0].person("ada").flatMap(state), "running")

            _ = try await manager.handle(WorkoutRequest(.pause, person: "ada"))
            try await wait(fixture, client) { state($0) == "paused" }
            _ = try await manager.handle(WorkoutRequest(.discard, person: "ada"))
            try await wait(fixture, client) { $0["workout"] == nil }
        }
    }

    func testWorkout_isNotObserved_withoutWatchers() async throws {
        try await FeedFixture.run { fixture in
            let manager = fixture.service.workouts
            _ = try await manager.handle(WorkoutRequest(.start, person: "ada"))
            let client = await fixture.follow("ada")
            XCTAssertEqual(try client.lines[0].person("ada").flatMap(state), "running")
            let observed = await manager.observers.isEmpty
            XCTAssertFalse(observed)

            client.endStream("follow")

            var isEmpty = false
            while !isEmpty {
                fixture.clock.advance(seconds: 1)
                await Task.yield()
                isEmpty = await manager.observers.isEmpty
            }
            let again = await fixture.follow("ada")
            XCTAssertEqual(try again.lines[0].person("ada").flatMap(state), "running")
        }
    }

    // MARK: Clients

    func testWithoutWatchers_onlyTheRestAfterARecordSleeps() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.rate(142)
            await fixture.clock.waitForSleep(seconds: LiveFeed.restSeconds)
            await assertOneSleeps(fixture.clock)
            fixture.clock.advance(seconds: LiveFeed.restSeconds)
            while fixture.clock.sleeperCount > 0 { await Task.yield() }

            let client = await fixture.follow()
            await fixture.second()
            await assertOneSleeps(fixture.clock)
            client.endStream("follow")
            fixture.clock.advance(seconds: 1)
            while fixture.clock.sleeperCount > 0 { await Task.yield() }

            try await fixture.rate(120)
            await fixture.clock.waitForSleep(seconds: LiveFeed.restSeconds)
            await assertOneSleeps(fixture.clock)
            let again = await fixture.follow()
            XCTAssertTrue(again.lines[0].contains(#""rate":120"#))
            await fixture.second()
        }
    }

    /// A sleep is counted when it is asked for, a little before it begins.
    private func assertOneSleeps(_ clock: FeedClock, line: UInt = #line) async {
        while clock.sleeperCount == 0 { await Task.yield() }
        XCTAssertEqual(clock.sleeperCount, 1, line: line)
    }

    func testCancelledStream_getsNothing_andOthersDo() async throws {
        try await FeedFixture.run { fixture in
            let (gone, stays) = (await fixture.follow(), await fixture.follow())
            _ = (gone.take(), stays.take())

            gone.endStream("follow")
            try await fixture.rate(142)

            XCTAssertEqual(gone.lines, [])
            XCTAssertEqual(stays.lines.count, 1)
        }
    }

    func testSecondRequestOfAConnection_replacesTheFirst() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            await fixture.ask(#"{"request":"follow","person":"bob"}"#, client)
            XCTAssertEqual(client.take().count, 2)

            try await fixture.rate(142)
            XCTAssertEqual(client.take(), [])
            try await fixture.rate(142, of: "bob")
            XCTAssertEqual(client.take().count, 1)
        }
    }

    func testUnknownPersonAndKey_areRefused() async throws {
        try await FeedFixture.run { fixture in
            let client = FollowClient()
            await fixture.ask(#"{"request":"follow","person":"eve"}"#, client)
            await fixture.ask(#"{"request":"follow","type":"heartRate"}"#, client)

            XCTAssertEqual(
                client.lines,
                [
                    #"{"error":"person: unknown person `eve`; known: ada, bob","key":"person"}"#,
                    #"{"error":"type: unknown key; known: request, person","key":"type"}"#,
                ])
            let isUnwatched = await fixture.feed.watchers.isEmpty
            XCTAssertTrue(isUnwatched)
        }
    }

    func testDroppedRecords_areAGap() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            try await fixture.decide(.granted, ["heartRate"], of: "dash")
            let limited = await fixture.follow(ofOther: "dash")
            _ = (client.take(), limited.take())

            await fixture.feed.sendGap(7)

            XCTAssertEqual(client.take(), [#"{"gap":{"missed":7}}"#])
            XCTAssertEqual(limited.take(), [#"{"gap":{}}"#], "a count of records of all types")
        }
    }

    func testLineForAll_isEncodedOnce() async throws {
        try await FeedFixture.run { fixture in
            var clients: [FollowClient] = []
            for _ in 0..<100 { clients.append(await fixture.follow()) }

            try await fixture.rate(142)

            let addresses = clients.map { $0.lastBytes.withUnsafeBytes { $0.baseAddress } }
            XCTAssertEqual(Set(addresses).count, 1, "all have the same bytes in memory")
        }
    }
}
