import GatewayTesting
import HealthModel
import Platform
import WorkoutService

@testable import GatewayCore
@testable import GatewayHost
@testable import GatewayJournal

/// Services of gateways without sources.
enum ServiceFixture {
    /// A gateway with a sink and the people ada and bob, and its service.
    static func make(
        types: [QuantityType] = [], folder: String = "/nowhere"
    ) throws -> (Gateway, GatewayService) {
        let clock = SystemClock()
        let log = Logger(component: "test") { _ in }
        let live = LiveLane()
        let people = try GatewayConfiguration(
            ConfigurationNode(json5: #"{ people: { ada: {}, bob: {} } }"#)
        ).people
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: people, version: "1",
            log: log)
        let gateway = Gateway(
            sources: [], sinks: [Gateway.NamedSink(name: "store", sink: InMemorySink())],
            types: try QuantityTypes(custom: types), pipeline: pipeline, journal: journal,
            clock: clock, log: log)
        let workouts = WorkoutManager(
            WorkoutDependencies(
                live: live, clock: clock, version: "1",
                earliest: Instant(nanosecondsSince1970: 0), log: log, people: { people },
                activities: { Activities() }, storeLocation: { nil }, publish: { _ in .accepted },
                waitForStore: { false }))
        let service = GatewayService(
            gateway: gateway, live: live, workouts: workouts, reload: nil,
            store: GatewayStore(
                locate: { () throws(HostError) in throw HostError(.configuration, "no store") },
                wait: { true }),
            files: nil,
            access: AccessControl(folder: DataDirectory(path: folder), log: log),
            clock: clock, dataDirectory: "/data")
        return (gateway, service)
    }
}
