import Foundation
import GatewayTesting
import HealthModel
import Readings
import SQLiteStore
import Synchronization
import Workouts
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import GatewayJournal
@testable import LiveFeed
@testable import Platform
@testable import WorkoutService

/// A feed of a gateway whose records and time a test makes.
final class FeedFixture: Sendable {
    let folder: TemporaryFolder
    let clock = FeedClock()
    let live = LiveLane()
    let feed: LiveFeed
    let service: GatewayService
    private let made = Mutex<UInt64>(0)

    static let spare = "D0:11:22:33:44:55"
    /// The maximum heart rate of ada is 200 count/min.
    static let people = """
        { people: { ada: { maximumHeartRate: { value: 200, unit: "count/min" }, wall: true },
            bob: {} },
          devices: { "D0:11:22:33:44:55": { person: "ada", role: "backup" } } }
        """

    init(_ people: String = FeedFixture.people) throws {
        let (folder, live, clock) = (try TemporaryFolder(), live, clock)
        self.folder = folder
        let log = Logger(component: "test") { _ in }
        let people = try GatewayConfiguration(ConfigurationNode(json5: people)).people
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: people, version: "1",
            log: log)
        let gateway = Gateway(
            sources: [], sinks: [Gateway.NamedSink(name: "store", sink: InMemorySink())],
            pipeline: pipeline, journal: journal, clock: clock, log: log)
        let path = folder.path("health.sqlite")
        _ = try SQLiteStore(path: path)
        let workouts = WorkoutManager(
            WorkoutDependencies(
                live: live, clock: clock, version: "1",
                earliest: Instant(nanosecondsSince1970: 0), log: log, people: { people },
                activities: { Activities() },
                storeLocation: { WorkoutStoreLocation(path: path) }, publish: { _ in .accepted },
                waitForStore: { true }))
        service = GatewayService(
            gateway: gateway, live: live, workouts: workouts, reload: nil,
            store: GatewayStore(
                locate: { () throws(HostError) in throw HostError(.configuration, "no store") },
                wait: { true }),
            files: nil, access: AccessControl(folder: DataDirectory(path: folder.path), log: log),
            clock: clock, dataDirectory: folder.path)
        feed = LiveFeed(clock: clock, log: log)
    }

    /// Runs the feed and the workouts for as long as `body` takes.
    static func run(
        _ people: String = FeedFixture.people, _ body: (FeedFixture) async throws -> Void
    ) async throws {
        let fixture = try FeedFixture(people)
        let (feed, service) = (fixture.feed, fixture.service)
        let tasks = [
            Task { await feed.run(service) }, Task { await service.workouts.run() },
        ]
        while fixture.live.subscriptionCount == 0 { await Task.yield() }
        do {
            try await body(fixture)
        } catch {
            for task in tasks { task.cancel() }
            throw error
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    var now: Instant { clock.epoch().instant(at: clock.now()) }

    // MARK: Clients

    /// Sends a request; the stream is the client's.
    func ask(_ request: String, _ client: FollowClient) async {
        let router = RequestRouter([.follow(feed)])
        let answer = await router.answer(Array(request.utf8), service, client)
        client.note(answer?.stream)
    }

    /// A client that follows, which has its first state.
    func follow(_ person: String? = nil, ofOther name: String? = nil) async -> FollowClient {
        let client = FollowClient(ofOther: name)
        let filter = person.map { #","person":"\#($0)""# } ?? ""
        await ask(#"{"request":"follow"\#(filter)}"#, client)
        return client
    }

    /// Decides about types that a client of another user may read.
    func decide(_ decision: AccessDecision, _ types: Set<String>, of name: String) async throws {
        let id = try XCTUnwrap(ClientID("test:4711:\(name)"))
        _ = try await service.access.decide(id, [.read: .types(types)], decision)
    }

    // MARK: Records

    func publish(_ records: [Record]) async {
        live.offer(RecordBatch(records))
        while !live.isDrained { await Task.yield() }
    }

    func nextID() -> RecordID {
        made.withLock { made in
            made += 1
            return RecordID(high: made, low: 1 << 63)
        }
    }

    func sample(
        _ type: QuantityType, _ value: Double, of person: String? = "ada",
        from device: String = "strap", seconds: Double = 0
    ) throws -> Record {
        let end = now
        return .sample(
            try QuantitySample(
                id: nextID(), type: type, start: end.adding(nanoseconds: Int64(-seconds * 1e9)),
                end: end, quantity: Quantity(value, type.canonicalUnit), person: person,
                device: Device(name: "\(device)'s name", localIdentifier: device)))
    }

    func rate(
        _ value: Double, of person: String? = "ada", from device: String = "strap"
    ) async throws {
        await publish([try sample(.heartRate, value, of: person, from: device)])
    }

    func event(
        _ connection: DeviceState.Connection? = nil, contact: Bool? = nil,
        battery: Double? = nil, of person: String? = "ada", from device: String = "strap"
    ) async {
        await publish([
            .event(
                DeviceEvent(
                    id: nextID(), at: now,
                    device: Device(name: "\(device)'s name", localIdentifier: device),
                    person: person,
                    state: DeviceState(connection: connection, contact: contact, battery: battery)))
        ])
    }

    // MARK: Time

    /// One second passes for a feed with watchers, whose tick is over then.
    func second() async {
        await clock.waitForSleep(seconds: LiveFeed.tickSeconds)
        clock.advance(seconds: LiveFeed.tickSeconds)
        await clock.waitForSleep(seconds: LiveFeed.tickSeconds, since: clock.now())
    }

    func seconds(_ count: Int) async {
        for _ in 0..<count { await second() }
    }

    /// The time passes after which minor changes are sent.
    func flush(_ client: FollowClient) async {
        await clock.waitForSleep(seconds: LiveFeed.flushSeconds)
        clock.advance(seconds: LiveFeed.flushSeconds)
        while client.lines.isEmpty { await Task.yield() }
    }
}

extension String {
    /// The JSON object in a `person` line, or in a `state` line the one of a person.
    func person(_ name: String?) throws -> [String: Any]? {
        let object = try XCTUnwrap(
            try JSONSerialization.jsonObject(with: Data(utf8)) as? [String: Any], self)
        if let person = object["person"] as? [String: Any] {
            return person["name"] as? String == name ? person : nil
        }
        let state = try XCTUnwrap(object["state"] as? [String: Any], self)
        let people = try XCTUnwrap(state["people"] as? [[String: Any]], self)
        return people.first { $0["name"] as? String == name }
    }
}
