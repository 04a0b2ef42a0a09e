import Foundation
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import LiveFeed
@testable import WorkoutService

/// What a client of another user gets of `follow`.
final class FollowAccessTests: XCTestCase {
    private func people(_ line: String) throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let state = try XCTUnwrap(object?["state"] as? [String: Any], line)
        return try XCTUnwrap(state["people"] as? [[String: Any]], line)
    }

    private func measure(_ fixture: FeedFixture) async throws {
        await fixture.event(battery: 0.8)
        await fixture.publish([
            try fixture.sample(.stepCount, 5, seconds: 1), try fixture.sample(.heartRate, 142),
        ])
    }

    func testWithoutAName_isRefused() async throws {
        try await FeedFixture.run { fixture in
            let client = FollowClient(ofOther: "")
            await fixture.ask(#"{"request":"follow"}"#, client)
            XCTAssertEqual(client.lines.count, 1)
            XCTAssertTrue(client.lines[0].contains("send `hello`"), client.lines[0])
            let isUnwatched = await fixture.feed.watchers.isEmpty
            XCTAssertTrue(isUnwatched)
        }
    }

    func testWithoutAGrant_noNameOfAPersonIsTold() async throws {
        try await FeedFixture.run { fixture in
            try await measure(fixture)
            let client = await fixture.follow(ofOther: "dash")
            XCTAssertEqual(try people(client.take()[0]).count, 0)

            try await fixture.rate(99)
            await fixture.seconds(6)

            XCTAssertEqual(client.lines, [])
        }
    }

    func testMetricsOnly_isRefused_withTheReason() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.decide(.granted, ["metrics"], of: "prometheus")
            let client = FollowClient(ofOther: "prometheus")
            await fixture.ask(#"{"request":"follow"}"#, client)
            XCTAssertEqual(client.lines.count, 1)
            XCTAssertTrue(client.lines[0].contains("`metrics` is only the state"), client.lines[0])
            let isUnwatched = await fixture.feed.watchers.isEmpty
            XCTAssertTrue(isUnwatched)
        }
    }

    func testGrantedType_isAllThatIsTold() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.decide(.granted, ["heartRate"], of: "dash")
            try await measure(fixture)

            let client = await fixture.follow(ofOther: "dash")

            XCTAssertEqual(
                client.lines,
                [
                    #"{"state":{"time":"\#(fixture.now)","people":["#
                        + #"{"name":"ada","wall":true,"heart":{"state":"measured","rate":142,"#
                        + #""zone":3,"device":"strap's name","backup":false,"zones":5,"percent":71},"#
                        + #""values":[]}]}}"#
                ])
        }
    }

    func testChangeOfWhatIsNotGranted_isNoLine() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.decide(.granted, ["stepCount"], of: "dash")
            try await measure(fixture)
            let owner = await fixture.follow()
            let client = await fixture.follow(ofOther: "dash")
            XCTAssertNil(try people(client.take()[0])[0]["heart"])
            _ = owner.take()

            try await fixture.rate(99)

            XCTAssertEqual(owner.take().count, 1)
            XCTAssertEqual(client.take(), [])
        }
    }

    func testLostContact_isADeviceEvent() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.decide(.granted, ["heartRate"], of: "dash")
            try await fixture.decide(.granted, ["heartRate", "deviceEvent"], of: "host")
            try await measure(fixture)
            let client = await fixture.follow(ofOther: "dash")
            let other = await fixture.follow(ofOther: "host")
            XCTAssertTrue(other.take()[0].contains(#""battery":80"#))
            _ = client.take()

            await fixture.event(contact: false)

            XCTAssertTrue(client.take()[0].contains(#""heart":{"state":"lost""#))
            XCTAssertTrue(other.take()[0].contains(#""heart":{"state":"noContact""#))
        }
    }

    func testDecision_takesEffectAtTheNextLine_andAtTheNextTick() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow(ofOther: "dash")
            try await measure(fixture)
            _ = client.take()

            try await fixture.decide(.granted, ["heartRate"], of: "dash")
            await fixture.second()
            XCTAssertEqual(try people(client.lines[0])[0]["name"] as? String, "ada")
            XCTAssertTrue(client.take()[0].contains(#""rate":142"#))

            try await fixture.decide(.denied, ["heartRate"], of: "dash")
            try await fixture.rate(99)
            let lines = client.take()
            XCTAssertEqual(lines.count, 1)
            XCTAssertEqual(try people(lines[0]).count, 0)
            await fixture.seconds(6)
            XCTAssertEqual(client.take(), [])
        }
    }

    func testValueThatVanishes_isTaken_fromWhoHasSeenIt() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.decide(.granted, ["runningSpeed"], of: "dash")
            await fixture.publish([try fixture.sample(.runningSpeed, 3)])
            let client = await fixture.follow(ofOther: "dash")
            XCTAssertEqual(try people(client.take()[0]).count, 1)

            await fixture.seconds(10)

            XCTAssertEqual(client.take(), [#"{"person":{"name":"ada","wall":true,"values":[]}}"#])
            let late = await fixture.follow(ofOther: "dash")
            XCTAssertEqual(try people(late.take()[0]).count, 0)
        }
    }

    func testWorkout_needsAllItsTypes() async throws {
        try await FeedFixture.run { fixture in
            let manager = fixture.service.workouts
            _ = try await manager.handle(WorkoutRequest(.start, person: "ada"))
            try await fixture.decide(.granted, ["workout", "heartRate"], of: "dash")
            let types = Set(AccessTypesOfWorkouts.all)
            try await fixture.decide(.granted, types, of: "host")

            let (client, other) = (
                await fixture.follow(ofOther: "dash"), await fixture.follow(ofOther: "host")
            )

            XCTAssertFalse(client.lines[0].contains(#""workout""#), client.lines[0])
            XCTAssertTrue(other.lines[0].contains(#""workout":{"id""#), other.lines[0])
        }
    }
}

/// The types of live workouts, as the manual lists them.
private enum AccessTypesOfWorkouts {
    static let all = [
        "workout", "heartRate", "rrInterval", "activeEnergyBurned", "stepCount",
        "distanceWalkingRunning", "distanceCycling", "runningSpeed", "runningCadence",
        "runningPower", "cyclingSpeed", "cyclingCadence", "cyclingPower",
    ]

    func testHeartRates_areThoseThatAClientMayRead_whileTheyAreFresh() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.decide(.granted, ["heartRate"], of: "dash")
            try await fixture.decide(.granted, ["stepCount"], of: "walker")
            try await fixture.rate(142)
            func rates(_ client: FollowClient) async -> [String] {
                await fixture.feed.heartRates(fixture.service, for: client.client).map {
                    "\($0.person ?? "-") \($0.device ?? "-") \($0.rate)"
                }
            }
            let granted = await rates(FollowClient(ofOther: "dash"))
            XCTAssertEqual(granted.count, 1)
            XCTAssertTrue(granted.first?.hasPrefix("ada ") ?? false, "\(granted)")
            XCTAssertTrue(granted.first?.hasSuffix(" 142.0") ?? false, "\(granted)")
            for name in ["walker", "stranger", ""] {
                let others = await rates(FollowClient(ofOther: name))
                XCTAssertEqual(others, [], name)
            }
            let owner = await rates(FollowClient())
            XCTAssertEqual(owner, granted)

            fixture.clock.advance(seconds: 60)

            let old = await rates(FollowClient())
            XCTAssertEqual(old, [])
        }
    }
}
