import Foundation
import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import LiveFeed
@testable import WorkoutService
@testable import Workouts

/// What a watcher has put together from all lines is what a late one gets at once.
final class FollowFuzzTests: XCTestCase {
    /// The people of a watcher, from the lines that it got.
    private struct Mirror {
        var people: [String: NSDictionary] = [:]

        mutating func apply(_ line: String) throws {
            let object = try XCTUnwrap(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], line)
            if let person = object["person"] as? [String: Any] { insert(person) }
            guard let state = object["state"] as? [String: Any] else { return }
            people = [:]
            for person in try XCTUnwrap(state["people"] as? [[String: Any]]) { insert(person) }
        }

        private mutating func insert(_ person: [String: Any]) {
            people[person["name"] as? String ?? ""] = person as NSDictionary
        }

        /// The people with a name, whom the owner always gets.
        var named: [String: NSDictionary] { people.filter { !$0.key.isEmpty } }

        /// The people with anything beside their names.
        var filled: [String: NSDictionary] {
            people.filter { _, person in
                let values = person["values"] as? [Any] ?? []
                let heart = person["heart"] as? [String: Any]
                return !values.isEmpty || person["workout"] != nil
                    || heart.map { $0["state"] as? String != "waiting" } ?? false
            }
        }
    }

    func testLines_addUpToTheFullState() async throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            try await FeedFixture.run { try await self.play(seed, $0) }
        }
    }

    private func play(_ seed: UInt64, _ fixture: FeedFixture) async throws {
        var random = SeededGenerator(seed: seed)
        var clients: [(FollowClient, Mirror)] = []
        for name in [nil, "dash", nil] as [String?] {
            clients.append((await fixture.follow(ofOther: name), Mirror()))
        }
        var records: [(Record, Instant)] = []
        for step in 0..<120 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: await fixture.second()
            case 1: for _ in 0..<5 { await fixture.second() }
            case 2: await decide(fixture, &random)
            default:
                let record = try self.record(fixture, &random)
                records.append((record, fixture.now))
                await fixture.publish([record])
            }
            guard step % 10 == 9 else { continue }
            // Minor changes are sent with the tick.
            await fixture.second()
            for index in clients.indices {
                for line in clients[index].0.take() { try clients[index].1.apply(line) }
            }
            try await compare(clients, fixture, "seed \(seed) step \(step)")
            try await compareFromScratch(records, fixture, "seed \(seed) step \(step)")
        }
    }

    private func compare(
        _ clients: [(FollowClient, Mirror)], _ fixture: FeedFixture, _ place: String
    ) async throws {
        for (client, mirror) in clients {
            let late = await fixture.follow(ofOther: client.client.isOwner ? nil : "dash")
            var expected = Mirror()
            for line in late.take() { try expected.apply(line) }
            late.endStream("follow")
            if client.client.isOwner { XCTAssertEqual(mirror.named, expected.named, place) }
            XCTAssertEqual(mirror.filled, expected.filled, place)
        }
    }

    /// The state of a feed is that of a person's state that gets all records at once.
    private func compareFromScratch(
        _ records: [(Record, Instant)], _ fixture: FeedFixture, _ place: String
    ) async throws {
        for person in await fixture.feed.board.people {
            var live = LivePerson()
            for (record, time) in records where record.person == person.name {
                live.add(record, at: time, roles: person.subject.roles)
            }
            let now = fixture.now
            XCTAssertEqual(
                live.heart(at: now, of: person.subject), person.shown.heart, place)
            XCTAssertEqual(live.values(at: now), person.shown.values, place)
            XCTAssertEqual(live.values(at: now), newest(records, of: person.name, at: now), place)
        }
    }

    /// The values by the rule itself: the newest of each stream, as long as it is fresh.
    private func newest(
        _ records: [(Record, Instant)], of person: String?, at now: Instant
    ) -> [LiveValue] {
        var streams: [String: QuantitySample] = [:]
        for (record, _) in records {
            guard case .sample(let sample) = record, sample.type != .heartRate,
                sample.person == person
            else { continue }
            let stream = "\(sample.type.name) \(sample.device?.localIdentifier ?? "")"
            streams[stream] = sample
        }
        let fresh = streams.filter { _, sample in
            let limit = sample.type == .runningSpeed ? 10.0 : 300.0
            return Double(now.nanoseconds(since: sample.end)) / 1e9 < limit
        }
        return fresh.sorted { $0.key < $1.key }.map { LiveValue($0.value) }
    }

    private func decide(_ fixture: FeedFixture, _ random: inout SeededGenerator) async {
        let types = ["heartRate", "stepCount", "runningSpeed", "deviceEvent"]
        let decision: AccessDecision = Bool.random(using: &random) ? .granted : .denied
        let type = types.randomElement(using: &random) ?? "heartRate"
        try? await fixture.decide(decision, [type], of: "dash")
    }

    private func record(
        _ fixture: FeedFixture, _ random: inout SeededGenerator
    ) throws -> Record {
        let person = ["ada", "ada", "bob", nil].randomElement(using: &random) ?? nil
        let device = ["a", "b", FeedFixture.spare].randomElement(using: &random) ?? "a"
        let value = Double(Int.random(in: 60...180, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return try fixture.sample(.stepCount, value, of: person, from: device, seconds: 1)
        case 1: return try fixture.sample(.runningSpeed, value / 60, of: person, from: device)
        case 2, 3, 4: return try fixture.sample(.heartRate, value, of: person, from: device)
        default:
            let connections = DeviceState.Connection.allCases.map { Optional($0) } + [nil, nil]
            return .event(
                DeviceEvent(
                    id: fixture.nextID(), at: fixture.now,
                    device: Device(name: "\(device)'s name", localIdentifier: device),
                    person: person,
                    state: DeviceState(
                        connection: connections.randomElement(using: &random) ?? nil,
                        contact: [true, false, nil].randomElement(using: &random) ?? nil,
                        battery: Bool.random(using: &random) ? value / 200 : nil)))
        }
    }
}
