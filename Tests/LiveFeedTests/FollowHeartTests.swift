import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import LiveFeed

/// The heart rate of the request `follow`.
final class FollowHeartTests: XCTestCase {
    /// The object `heart` of the only new line, or of its person in a state.
    private func heart(
        _ client: FollowClient, of person: String? = "ada", line: UInt = #line
    ) throws -> String {
        let lines = client.take()
        XCTAssertEqual(lines.count, 1, "\(lines)", line: line)
        let text = try XCTUnwrap(lines.last, line: line)
        let name = person.map { #"{"name":"\#($0)""# } ?? #"{"wall""#
        let object = try XCTUnwrap(text.range(of: name), text, line: line)
        let start = try XCTUnwrap(
            text.range(of: #""heart":"#, range: object.lowerBound..<text.endIndex), line: line)
        let end = try XCTUnwrap(
            text.range(of: "}", range: start.upperBound..<text.endIndex), line: line)
        return String(text[start.upperBound..<end.upperBound])
    }

    func testState_beforeAnything_hasAllPeopleWaiting() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()

            XCTAssertEqual(
                client.lines,
                [
                    #"{"state":{"time":"\#(fixture.now)","people":["#
                        + #"{"name":"ada","wall":true,"heart":{"state":"waiting"},"values":[]},"#
                        + #"{"name":"bob","wall":false,"heart":{"state":"waiting"},"values":[]}]}}"#
                ])
        }
    }

    func testRate_isSentAtOnce_withZoneAndPercent() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            _ = client.take()

            try await fixture.rate(142)

            XCTAssertEqual(
                client.lines,
                [
                    #"{"person":{"name":"ada","wall":true,"heart":{"state":"measured","rate":142,"#
                        + #""zone":3,"device":"strap's name","backup":false,"zones":5,"percent":71},"#
                        + #""values":[]}}"#
                ])
        }
    }

    func testRate_ofAPersonWithoutFacts_hasNoZone() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            _ = client.take()

            try await fixture.rate(142, of: "bob")

            XCTAssertEqual(
                try heart(client, of: "bob"),
                #"{"state":"measured","rate":142,"device":"strap's name","backup":false}"#)
        }
    }

    func testLateWatcher_getsTheRateFromBefore_whileItIsFresh() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.rate(142, of: "bob")
            fixture.clock.advance(seconds: 4.9)
            let early = await fixture.follow()
            XCTAssertTrue(try heart(early, of: "bob").contains(#""rate":142"#))
            fixture.clock.advance(seconds: 0.1)

            let late = await fixture.follow()

            XCTAssertEqual(
                try heart(late, of: "bob"), #"{"state":"lost","device":"strap's name"}"#)
        }
    }

    func testSilence_isToldByTheTick_once() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            try await fixture.rate(142)
            _ = client.take()
            await fixture.seconds(4)
            XCTAssertEqual(client.take(), [])

            await fixture.second()

            XCTAssertEqual(try heart(client), #"{"state":"lost","device":"strap's name"}"#)
            await fixture.seconds(20)
            XCTAssertEqual(client.take(), [])
            try await fixture.rate(100)
            XCTAssertTrue(try heart(client).contains(#""rate":100"#))
        }
    }

    func testLostLink_isToldAtOnce_andTheNextRateToo() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            try await fixture.rate(142)
            _ = client.take()

            await fixture.event(.disconnected)
            XCTAssertEqual(try heart(client), #"{"state":"lost","device":"strap's name"}"#)
            await fixture.event(.connected)
            XCTAssertEqual(client.take(), [])

            try await fixture.rate(120)
            XCTAssertTrue(try heart(client).contains(#""rate":120"#))
        }
    }

    func testLostContact_isToldAtOnce_untilThereIsARate() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            try await fixture.rate(142)
            _ = client.take()

            await fixture.event(contact: false)
            XCTAssertEqual(try heart(client), #"{"state":"noContact","device":"strap's name"}"#)

            try await fixture.rate(120)
            XCTAssertTrue(try heart(client).contains(#""rate":120"#))
        }
    }

    func testBackupStrap_countsWhileTheOtherIsSilent() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.rate(142)
            let client = await fixture.follow()
            _ = client.take()
            try await fixture.rate(99, from: FeedFixture.spare)
            XCTAssertEqual(client.take(), [])

            await fixture.event(.disconnected)

            let backup = try heart(client)
            XCTAssertTrue(backup.contains(#""rate":99"#), backup)
            XCTAssertTrue(backup.contains(#""backup":true"#), backup)
        }
    }

    func testStrapOfAnotherDay_makesTheNextOneNoBackup() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.rate(142)
            fixture.clock.advance(seconds: 86_400)
            try await fixture.rate(120, from: "new")
            try await fixture.rate(120, from: "new")

            let client = await fixture.follow()

            let heart = try heart(client)
            XCTAssertTrue(heart.contains(#""backup":false"#), heart)
        }
    }

    func testBattery_isThatOfTheShownDevice_whileItsLinkIsOpen() async throws {
        try await FeedFixture.run { fixture in
            await fixture.event(.connected)
            await fixture.event(battery: 0.8)
            await fixture.event(battery: 0.1, from: "other")
            try await fixture.rate(142)
            let client = await fixture.follow()
            let first = try heart(client)
            XCTAssertTrue(first.contains(#""battery":80"#), first)

            await fixture.event(battery: 0.79)
            XCTAssertEqual(client.take(), [], "a battery waits for other changes")
            await fixture.flush(client)
            let next = try heart(client)
            XCTAssertTrue(next.contains(#""battery":79"#), next)

            await fixture.event(.disconnected)
            await fixture.event(.connected)
            _ = client.take()
            try await fixture.rate(120)
            let last = try heart(client)
            XCTAssertFalse(last.contains("battery"), last)
        }
    }

    func testClockSetBack_doesNotHideNewRates() async throws {
        try await FeedFixture.run { fixture in
            try await fixture.rate(142)
            let client = await fixture.follow()
            _ = client.take()
            fixture.clock.stepWallClock(seconds: -3_600)

            try await fixture.rate(120)

            XCTAssertTrue(try heart(client).contains(#""rate":120"#))
        }
    }

    func testRecordsOfNoPerson_areTheLastPerson_withoutAName() async throws {
        try await FeedFixture.run { fixture in
            let client = await fixture.follow()
            _ = client.take()
            try await fixture.rate(100, of: nil)
            let line = client.take().first ?? ""
            XCTAssertTrue(line.hasPrefix(#"{"person":{"wall":false,"heart""#), line)

            let late = await fixture.follow()

            XCTAssertTrue(try heart(late, of: nil).contains(#""rate":100"#))
            let one = await fixture.follow("bob")
            XCTAssertEqual(
                one.lines,
                [
                    #"{"state":{"time":"\#(fixture.now)","people":["#
                        + #"{"name":"bob","wall":false,"heart":{"state":"waiting"},"values":[]}]}}"#
                ])
        }
    }
}
