import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import Readings

/// Tests of a gateway that starts before the clock is set.
final class UnsetClockTests: XCTestCase {
    private static let earliest = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
    /// Twenty seconds after the start of the machine the clock shows twenty seconds past 1970.
    private let clock = ManualClock(now: BootInstant(nanoseconds: 20_000_000_000), epochOffset: 0)
    private let lines = LogLines()
    private let live = LiveLane()

    private final class LogLines: Sendable {
        private let lines = Mutex<[(level: Logger.Level, message: String)]>([])

        var log: Logger {
            Logger(component: "test") { record in
                guard record.component == "clock" else { return }
                self.lines.withLock { $0.append((record.level, record.message)) }
            }
        }
        var levels: [Logger.Level] { lines.withLock { $0.map(\.level) } }
        var messages: [String] { lines.withLock { $0.map(\.message) } }
    }

    private final class Published: Sendable {
        private let records = Mutex<[Record]>([])

        func add(_ new: [Record]) { records.withLock { $0 += new } }
        var all: [Record] { records.withLock { $0 } }
        var samples: [QuantitySample] {
            all.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }
        }
        var events: [DeviceEvent] {
            all.compactMap { if case .event(let event) = $0 { event } else { nil } }
        }
    }

    private func makeJournal() throws -> Journal {
        try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: lines.log)
    }

    private func makeIntake(_ journal: Journal) -> (pipeline: IngestPipeline, published: Published)
    {
        let published = Published()
        _ = live.subscribe { published.add($0.records) }
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: People(), version: "1",
            earliest: Self.earliest, log: lines.log)
        return (pipeline, published)
    }

    private func report(
        _ content: DeviceReport.Content, to pipeline: IngestPipeline, device: String = "D0"
    ) async {
        await pipeline.inlet(for: "straps").report(DeviceReport(device: device, content))
    }

    private func heartRate(_ value: Double) throws -> TimedReading {
        TimedReading(.instant(.heartRate, try Quantity(value, .countPerMinute)), at: clock.now())
    }

    /// Sets the clock to a time in seconds after the earliest one, and returns the epoch.
    private func setClock(to seconds: Double = 3_600) -> ClockEpoch {
        let now = clock.epoch().instant(at: clock.now())
        let wanted = Self.earliest.adding(nanoseconds: Int64(seconds * 1e9))
        clock.stepWallClock(seconds: Double(wanted.nanoseconds(since: now)) / 1e9)
        return clock.epoch()
    }

    func testReports_waitForTheClock_andGetTheTimesTheyHad() async throws {
        let (pipeline, published) = makeIntake(try makeJournal())
        let opened = clock.now()
        await report(.opened(Device(name: "Strap"), at: opened), to: pipeline)
        var receipts: [BootInstant] = []
        for value in 60..<70 {
            clock.advance(seconds: 1)
            receipts.append(clock.now())
            await report(.readings([try heartRate(Double(value))]), to: pipeline)
        }
        XCTAssertEqual(published.all, [])
        let waiting = await pipeline.clockStatus()
        XCTAssertEqual(waiting.state, .waiting)
        XCTAssertEqual(waiting.waiting, 11)
        XCTAssertNil(waiting.epoch)
        let devices = await pipeline.deviceStatus()
        XCTAssertEqual(devices.first?.link, .live)
        XCTAssertEqual(devices.first?.lastSeen, receipts.last)
        let following = Task { await pipeline.followClock() }
        clock.advance(seconds: 100)

        let epoch = setClock()
        await following.value

        XCTAssertEqual(published.samples.map(\.start), receipts.map(epoch.instant))
        XCTAssertEqual(published.samples.map(\.quantity.value), (60..<70).map(Double.init))
        XCTAssertEqual(published.events.map(\.at), [epoch.instant(at: opened)])
        XCTAssertEqual(published.samples.filter { !$0.metadata.isEmpty }, [])
        let status = await pipeline.clockStatus()
        XCTAssertEqual(
            status, ClockStatus(state: .set, epoch: epoch, isSynchronized: true, waiting: 0))
        XCTAssertEqual(lines.levels, [.warning, .info])
        XCTAssertTrue(lines.messages.first?.contains("timedatectl") ?? false, "\(lines.messages)")
    }

    func testReports_ofADeviceForgottenMeanwhile_arePublishedAndItStaysForgotten() async throws {
        let (pipeline, published) = makeIntake(try makeJournal())
        await report(.opened(Device(name: "Strap"), at: clock.now()), to: pipeline)
        await report(.readings([try heartRate(60)]), to: pipeline)
        await report(.forgotten, to: pipeline)
        let following = Task { await pipeline.followClock() }

        _ = setClock()
        await following.value

        XCTAssertEqual(published.samples.map(\.device?.name), ["Strap"])
        let devices = await pipeline.deviceStatus()
        XCTAssertEqual(devices.map(\.identifier), [])
    }

    func testReports_areNotedByTheNextReport_alsoWhenNoTaskFollowsTheClock() async throws {
        let (pipeline, published) = makeIntake(try makeJournal())
        await report(.readings([try heartRate(60)]), to: pipeline)
        clock.advance(seconds: 1)
        let epoch = setClock()
        await report(.readings([try heartRate(61)]), to: pipeline)
        XCTAssertEqual(published.samples.map(\.quantity.value), [60, 61])
        XCTAssertEqual(published.samples.last?.start, epoch.instant(at: clock.now()))
    }

    func testReports_thatHaveWaitedTenMinutes_areDatedFromTheEarliestDayAndMarked() async throws {
        let (pipeline, published) = makeIntake(try makeJournal())
        let following = Task { await pipeline.followClock() }
        let receipt = clock.now()
        await report(.opened(Device(), at: receipt), to: pipeline)
        await report(.readings([try heartRate(60)]), to: pipeline)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 599)
        await report(.readings([try heartRate(61)]), to: pipeline)
        XCTAssertEqual(published.all, [])

        clock.advance(seconds: 1)
        await report(.readings([try heartRate(62)]), to: pipeline)

        XCTAssertEqual(published.samples.map(\.quantity.value), [60, 61, 62])
        let start = Self.earliest.adding(nanoseconds: receipt.nanoseconds)
        XCTAssertEqual(
            published.samples.map(\.start),
            [0, 599, 600].map { start.adding(nanoseconds: $0 * 1_000_000_000) })
        XCTAssertEqual(published.samples.map { $0.metadata[.clockUnset] }, [true, true, true])
        XCTAssertEqual(published.events.map { $0.metadata[.clockUnset] }, [true])
        let status = await pipeline.clockStatus()
        XCTAssertEqual(status.state, .estimated)

        // Nothing waits any longer; after the clock is set, times are correct.
        clock.advance(seconds: 1)
        await report(.readings([try heartRate(63)]), to: pipeline)
        XCTAssertEqual(published.samples.last?.metadata[.clockUnset], true)
        let epoch = setClock()
        await following.value
        await report(.readings([try heartRate(64)]), to: pipeline)
        XCTAssertEqual(published.samples.last?.start, epoch.instant(at: clock.now()))
        XCTAssertEqual(published.samples.last?.metadata, Metadata())
        XCTAssertEqual(lines.levels, [.warning, .warning, .info])
    }

    func testReports_thatHaveWaitedTenMinutes_areLetGoThoughNothingElseComes() async throws {
        let journal = try makeJournal()
        let (pipeline, _) = makeIntake(journal)
        let subscription = live.subscribe()
        let following = Task { await pipeline.followClock() }
        await report(.readings([try heartRate(60)]), to: pipeline)
        await clock.waitForSleepers(1)
        clock.advance(seconds: UndatedReports.maximumWaitSeconds)
        let entries = await subscription.next()
        XCTAssertEqual(entries?.count, 1)
        following.cancel()
        await following.value
    }

    func testReports_ofAHundredThousandReadings_areLetGoInOrder() async throws {
        let (pipeline, published) = makeIntake(try makeJournal())
        for part in 0..<100 {
            let readings = try (0..<1_000).map { index in
                TimedReading(
                    .instant(.heartRate, try Quantity(60, .countPerMinute)),
                    at: clock.now().adding(nanoseconds: Int64(part * 1_000 + index)))
            }
            XCTAssertEqual(published.all.count, 0)
            await report(.readings(readings), to: pipeline, device: "D\(part % 3)")
        }
        XCTAssertEqual(published.samples.count, UndatedReports.maximumCount)
        XCTAssertEqual(Set(published.samples.map(\.id)).count, UndatedReports.maximumCount)
        XCTAssertEqual(published.samples.map(\.start), published.samples.map(\.start).sorted())
        let status = await pipeline.clockStatus()
        XCTAssertEqual(status.waiting, 0)
        XCTAssertEqual(status.state, .estimated)
    }

    func testReports_thatComeWhileOthersArePublished_comeAfterThem() async throws {
        let (pipeline, published) = makeIntake(try makeJournal())
        for value in 0..<5_000 {
            clock.advance(seconds: 0.001)
            await report(.readings([try heartRate(60 + Double(value % 60))]), to: pipeline)
        }
        _ = setClock()
        let start = clock.now()
        let late = try (1...50).map { number in
            TimedReading(
                .instant(.heartRate, try Quantity(60, .countPerMinute)),
                at: start.adding(nanoseconds: Int64(number)))
        }
        let inlet = pipeline.inlet(for: "straps")
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pipeline.followClock() }
            group.addTask {
                for reading in late {
                    await inlet.report(DeviceReport(device: "D0", .readings([reading])))
                }
            }
        }
        XCTAssertEqual(published.samples.count, 5_050)
        XCTAssertEqual(published.samples.map(\.start), published.samples.map(\.start).sorted())
    }

    func testClockStatus_isNotSynchronizedWhenTheSystemSaysSo() async throws {
        let (pipeline, _) = makeIntake(try makeJournal())
        _ = setClock()
        clock.setSynchronized(false)
        let status = await pipeline.clockStatus()
        XCTAssertEqual(status.state, .set)
        XCTAssertEqual(status.isSynchronized, false)
    }

    func testFollowClock_ofAClockThatIsRight_returnsImmediately() async throws {
        let (pipeline, _) = makeIntake(try makeJournal())
        _ = setClock()
        await pipeline.followClock()
        XCTAssertEqual(lines.messages, [])
    }

    func testClock_thatIsSetTo1970WhileRunning_isNotFollowed() async throws {
        let (pipeline, published) = makeIntake(try makeJournal())
        let right = setClock()
        await report(.readings([try heartRate(60)]), to: pipeline)
        clock.stepWallClock(seconds: -1_795_000_000)
        clock.advance(seconds: 1)
        await report(.readings([try heartRate(61)]), to: pipeline)
        XCTAssertEqual(published.samples.last?.start, right.instant(at: clock.now()))
        XCTAssertEqual(published.samples.last?.metadata, Metadata())
        let status = await pipeline.clockStatus()
        XCTAssertEqual(status.state, .holdover)
        XCTAssertEqual(lines.levels, [.warning])
    }

    /// A strap that is read until the gateway stops.
    private struct Strap: Source {
        let readings: [TimedReading]
        let signal: AsyncStream<Void>.Continuation

        func run(into inlet: any ReadingInlet) async throws {
            await inlet.report(
                DeviceReport(device: "D0", .opened(Device(), at: readings[0].receipt)))
            for reading in readings {
                await inlet.report(DeviceReport(device: "D0", .readings([reading])))
            }
            signal.yield()
            let (silence, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in silence {}
            await inlet.report(
                DeviceReport(
                    device: "D0", .closed(at: readings[readings.count - 1].receipt, reason: "stop"))
            )
        }
    }

    func testGateway_thatIsStoppedWhileItWaits_losesNothing() async throws {
        // Only the pipeline uses the unset clock; the other parts use a real one.
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: SystemClock(), log: lines.log)
        let (pipeline, _) = makeIntake(journal)
        let sink = InMemorySink()
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let strap = Strap(readings: try (60..<80).map { try heartRate(Double($0)) }, signal: signal)
        let gateway = Gateway(
            sources: [Gateway.NamedSource(name: "straps", source: strap)],
            sinks: [Gateway.NamedSink(name: "store", sink: sink)], pipeline: pipeline,
            journal: journal,
            clock: SystemClock(), log: lines.log)
        let ledger = await gateway.run { for await _ in signals { break } }
        // Connected, twenty samples, disconnected.
        XCTAssertEqual(ledger.ingest.converted, 22)
        XCTAssertEqual(ledger.pending(for: "store"), 0)
        XCTAssertEqual(ledger.imbalances, [])
        for case .sample(let sample) in sink.records {
            XCTAssertEqual(sample.metadata[.clockUnset], true)
            XCTAssertGreaterThanOrEqual(sample.start, Self.earliest)
        }
        XCTAssertEqual(lines.levels, [.warning, .warning])
    }
}
