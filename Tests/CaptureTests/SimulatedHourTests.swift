import GatewayCore
import GatewayTesting
import HealthModel
import HeartRate
import Platform
import Simulator
import Synchronization
import XCTest

@testable import Capture

/// A capture of an hour of simulated straps with every kind of fault.
final class SimulatedHourTests: XCTestCase {
    private static let seconds = 3_600
    private static let settings = """
        { use: "simulator", devices: { heartRateStrap: 3 }, seed: 11,
          faults: {
            contactLost: { every: "5m" }, linkLost: { every: "6m" }, silence: { every: "10m" },
            damagedPackets: { every: "2m" }, duplicatePackets: { every: "3m" },
            batteryEmpty: { every: "30m" }, packetFlood: { every: "10m", count: 100 },
          } }
        """

    private let log = Logger(component: "test") { _ in }
    private let earliest = Instant(nanosecondsSince1970: 0)

    /// The records of a pipeline, in order.
    private final class Published: Sendable {
        let records = Mutex<[Record]>([])
    }

    /// A pipeline with the records that it has published.
    private struct Pipeline {
        let ingest: IngestPipeline
        let journal: Journal
        let published = Published()
        private let subscription: CallbackSubscription

        init(
            clock: any GatewayClock, earliest: Instant, recorder: CaptureRecorder? = nil,
            log: Logger
        ) throws {
            let live = LiveLane()
            subscription = live.subscribe { [published] batch in
                published.records.withLock { $0 += batch.records }
            }
            journal = try Journal(
                file: MemoryJournalFile(), sinks: ["none"], clock: SystemClock(), log: log)
            ingest = IngestPipeline(
                bus: Bus(journal: journal, live: live), clock: clock, people: People(),
                types: .standard, calendar: .utc, version: "1", earliest: earliest, log: log,
                recorder: recorder)
        }

        func finish() async -> [Record] {
            await journal.close()
            await journal.finish()
            return published.records.withLock { $0 }
        }
    }

    func testReplay_makesTheRecordsOfTheHour() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hour")
        let live = try await record(path)
        let replayed = try await replay(path)
        XCTAssertGreaterThan(live.count, 10_000)
        XCTAssertTrue(live == replayed, "\(live.count) and \(replayed.count) records differ")
        for record in live {
            let identifier = record.device?.localIdentifier ?? ""
            XCTAssertTrue(identifier.hasPrefix("simulated-strap"), identifier)
        }
        for reason in ["link lost", "battery empty", "no valid data"] {
            let isReported = live.contains { record in
                guard case .event(let event) = record else { return false }
                return event.reason?.contains(reason) == true
            }
            XCTAssertTrue(isReported, reason)
        }
    }

    private func record(_ path: String) async throws -> [Record] {
        let clock = ManualClock()
        let recorder = try CaptureRecorder(
            path, version: "1", earliest: earliest, replaces: false, isAnonymous: false,
            calendar: .utc, clock: clock, log: log)
        let pipeline = try Pipeline(
            clock: clock, earliest: earliest, recorder: recorder, log: log)
        let factory = SimulatorSource.factory(
            profiles: [HeartRateProfile.factory], serialProtocols: [])
        let context = ComponentContext(
            name: "sim", clock: clock, log: log, dataDirectory: folder(of: path))
        let source = try factory.make(ConfigurationNode(json5: Self.settings), context)
        let run = Task { try await source.run(into: pipeline.ingest.inlet(for: "sim")) }
        for _ in 0..<Self.seconds {
            await clock.waitForSleepers(1)
            clock.advance(seconds: 1)
        }
        await clock.waitForSleepers(1)
        run.cancel()
        _ = await run.result
        let failure = await recorder.failure
        XCTAssertNil(failure)
        return await pipeline.finish()
    }

    private func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    private func replay(_ path: String) async throws -> [Record] {
        let reader = try CaptureReader(path)
        let header = try await reader.header()
        let clock = ReplayClock(header)
        let pipeline = try Pipeline(clock: clock, earliest: header.earliest, log: log)
        let replay = Replay(
            adapters: AdapterMaker(
                profiles: [HeartRateProfile.factory], protocols: [], formats: [],
                context: ComponentContext(
                    name: "replay", clock: clock, log: log, dataDirectory: folder(of: path))),
            speed: .maximum, clock: clock, systemClock: SystemClock(), pipeline: pipeline.ingest,
            waitForSpace: {})
        try await replay.run(reader)
        return await pipeline.finish()
    }
}
