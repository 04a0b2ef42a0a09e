import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform
@testable import Readings

final class GatewayStatusTests: XCTestCase {
    private let clock = ManualClock()
    private let log = Logger(component: "test") { _ in }

    private func makeJournal(
        fails: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) throws -> Journal {
        try Journal(
            file: InMemoryJournalFile(fails: fails), sinks: ["store"], clock: clock, log: log)
    }

    private func makeIntake(_ journal: Journal, live: LiveLane = LiveLane()) -> IngestPipeline {
        IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: People(), version: "1",
            log: log)
    }

    private func at(_ seconds: Double) -> BootInstant {
        clock.now().adding(nanoseconds: Int64(seconds * 1e9))
    }

    private func reading(_ reading: Reading, at seconds: Double) -> DeviceReport.Content {
        .readings([TimedReading(reading, at: at(seconds))])
    }

    /// The status of the device after these reports, and the published records.
    private func status(
        after reports: [DeviceReport.Content]
    ) async throws -> (device: DeviceStatus?, records: [Record]) {
        let live = LiveLane()
        let published = Mutex<[Record]>([])
        let subscription = live.subscribe { batch in published.withLock { $0 += batch.records } }
        let pipeline = makeIntake(try makeJournal(), live: live)
        for report in reports {
            await pipeline.inlet(for: "straps").report(DeviceReport(device: "D0", report))
        }
        live.cancel(subscription)
        let status = await pipeline.deviceStatus()
        XCTAssertLessThanOrEqual(status.count, 1)
        return (status.first, published.withLock { $0 })
    }

    func testDiscardedInput_ofASource_isCountedThere_andMakesNoDevice() async throws {
        let journal = try makeJournal()
        let pipeline = makeIntake(journal)
        let inlet = pipeline.inlet(for: "own")
        await inlet.note(discarded: [.damaged: 2])
        await inlet.note(discarded: [.damaged: 1, .tooLong: 4])
        let counts = await pipeline.discarded(of: "own")
        XCTAssertEqual(counts, [.damaged: 3, .tooLong: 4])
        let devices = await pipeline.deviceStatus()
        XCTAssertEqual(devices, [])
        await pipeline.forget(source: "own")
        let after = await pipeline.discarded(of: "own")
        XCTAssertEqual(after, [:])
    }

    func testDevice_thatIsOnlyWanted_isThereWithItsReason_andMakesNoRecord() async throws {
        let (device, records) = try await status(after: [
            .link(.wanted, reason: "bluetoothd is not running"),
            .link(.connecting, reason: nil), .link(.backOff, reason: "it did not answer"),
        ])
        XCTAssertEqual(device?.identifier, "D0")
        XCTAssertEqual(device?.source, "straps")
        XCTAssertEqual(device?.person, "me")
        XCTAssertEqual(device?.link, .backOff)
        XCTAssertEqual(device?.reason, "it did not answer")
        XCTAssertNil(device?.lastSeen)
        XCTAssertEqual(records, [])
    }

    func testDevice_thatIsLive_tellsWhatItSaidOfItself() async throws {
        let (device, _) = try await status(after: [
            .opened(Device(name: "Strap"), at: at(0)),
            reading(.identity(Device(manufacturer: "Acme", model: "H1")), at: 1),
            reading(.state(.contact(true)), at: 2), reading(.state(.battery(0.5)), at: 3),
            .dropped([.damaged: 2]), .dropped([.damaged: 1, .unknown: 1]),
        ])
        XCTAssertEqual(
            device,
            DeviceStatus(
                source: "straps", identifier: "D0", name: "Strap", manufacturer: "Acme",
                model: "H1", person: "me", link: .live, reason: nil, contact: true, battery: 0.5,
                lastSeen: at(3), drops: [.damaged: 3, .unknown: 1], records: 4))
    }

    func testDevice_whoseLinkIsClosed_keepsItsBattery_butTouchesNothing() async throws {
        let (device, _) = try await status(after: [
            .opened(Device(), at: at(0)), reading(.state(.contact(true)), at: 2),
            reading(.state(.battery(0.5)), at: 3), .closed(at: at(4), reason: "out of reach"),
        ])
        XCTAssertEqual(device?.link, .backOff)
        XCTAssertEqual(device?.reason, "out of reach")
        XCTAssertNil(device?.contact)
        XCTAssertEqual(device?.battery, 0.5)
        XCTAssertEqual(device?.lastSeen, at(3))
    }

    func testDevice_thatIsSilent_isStale() async throws {
        let (device, _) = try await status(after: [
            .opened(Device(), at: at(0)), .stale(at: at(10), reason: "nothing came"),
        ])
        XCTAssertEqual(device?.link, .stale)
        XCTAssertEqual(device?.reason, "nothing came")
    }

    func testDevice_thatSendsOnlyUnusableInput_isStale_untilAReadingComes() async throws {
        let noise = Array(
            repeating: DeviceReport.Content.dropped([.invalid: 1]),
            count: DiscardedInput.greetingLimit + 1)
        let opened = DeviceReport.Content.opened(Device(), at: at(0))
        let (unusable, records) = try await status(after: [opened] + noise)
        XCTAssertEqual(unusable?.link, .stale)
        XCTAssertEqual(
            unusable?.reason,
            "only unusable input; check the protocol or profile and its settings, and see the log")
        XCTAssertEqual(unusable?.hasOnlyUnusableInput, true)
        let usable: [DeviceReport.Content] = [
            reading(.state(.battery(0.5)), at: 2), .seen(at: at(2)),
        ]
        for content in usable {
            let (device, _) = try await status(after: [opened] + noise + [content] + noise)
            XCTAssertEqual(device?.link, .live, "\(content)")
            XCTAssertNil(device?.reason)
            XCTAssertEqual(device?.hasOnlyUnusableInput, false)
        }
        let (closed, _) = try await status(
            after: [opened] + noise + [.closed(at: at(3), reason: "unplugged")])
        XCTAssertEqual(closed?.reason, "unplugged")
        XCTAssertEqual(closed?.hasOnlyUnusableInput, false)
        // The state makes no record: only `opened` does.
        XCTAssertEqual(records.count, 1)
    }

    func testSource_whoseDeviceSendsOnlyUnusableInput_fails() async throws {
        let journal = try makeJournal()
        let pipeline = makeIntake(journal)
        let (_, start) = AsyncStream.makeStream(of: Void.self)
        let (failures, _) = AsyncStream.makeStream(of: String.self)
        let source = FailingSource(failures: failures, starts: start)
        let gateway = Gateway(
            sources: ["foot", "arm"].map { Gateway.NamedSource(name: $0, source: source) },
            sinks: [], pipeline: pipeline, journal: journal, clock: clock, log: log)
        let inlet = pipeline.inlet(for: "foot")
        await inlet.report(DeviceReport(device: "tty1", .opened(Device(), at: at(0))))
        await inlet.report(DeviceReport(device: "tty1", .dropped([.unknown: 30])))
        let failing = await gateway.status().sources.map(\.failure)
        XCTAssertEqual(
            failing,
            [
                "tty1: only unusable input; check the protocol or profile and its settings, and see "
                    + "the log", nil,
            ])
        await inlet.report(DeviceReport(device: "tty1", reading(.state(.battery(0.5)), at: 2)))
        let healthy = await gateway.status().sources.compactMap(\.failure)
        XCTAssertEqual(healthy, [])
    }

    /// Fails immediately until a test lets it succeed.
    private struct FailingSource: Source {
        let failures: AsyncStream<String>
        let starts: AsyncStream<Void>.Continuation

        func run(into inlet: any ReadingInlet) async throws {
            starts.yield()
            for await failure in failures { throw LinkError(failure, remedy: "plug it in") }
        }
    }

    func testSource_failsUntilItHasRunForASecond() async throws {
        let health = Health()
        XCTAssertNil(health.failure(at: at(0)))
        let supervisor = Supervisor(clock: clock, log: log, health: health)
        let (failures, fail) = AsyncStream.makeStream(of: String.self)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        var attempts = starts.makeAsyncIterator()
        let source = FailingSource(failures: failures, starts: start)
        let running = Task {
            await supervisor.keepRunning { try await source.run(into: RecordingInlet()) }
        }
        _ = await attempts.next()
        fail.yield("no such port")
        await clock.waitForSleepers(1)
        XCTAssertEqual(health.failure(at: at(100)), "no such port; plug it in")
        clock.advance(seconds: 5)
        _ = await attempts.next()
        XCTAssertEqual(health.failure(at: at(0.9)), "no such port; plug it in")
        XCTAssertNil(health.failure(at: at(Supervisor.workingSeconds)))
        running.cancel()
        await running.value
    }

    func testSink_failsUntilItHasWritten() async throws {
        let journal = try makeJournal()
        await makeIntake(journal).inlet(for: "foot").report(
            DeviceReport(device: "d", .opened(Device(), at: at(0))))
        await journal.close()
        let sink = InMemorySink { call, _ in
            call == 1 ? .retry(reason: "the disk is full", after: 5) : nil
        }
        let health = Health()
        let runner = SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log,
            health: health)
        let running = Task { try await runner.run() }
        await clock.waitForSleepers(1)
        let failure = health.failure(at: at(0))
        XCTAssertTrue(failure?.contains("the disk is full") ?? false, "\(failure ?? "")")
        clock.advance(seconds: 5)
        try await running.value
        XCTAssertNil(health.failure(at: at(0)))
    }

    func testJournal_tellsWhatWaitsAndWhy() async throws {
        let journal = try makeJournal { $0 == 1 }
        let running = Task { try await journal.run() }
        await makeIntake(journal).inlet(for: "foot").report(
            DeviceReport(device: "d", .opened(Device(), at: at(0))))
        let before = await journal.status
        XCTAssertEqual(before.waiting, 1)
        XCTAssertNil(before.failure)
        await clock.waitForSleepers(1)
        clock.advance(seconds: Journal.commitDelaySeconds)
        // The commit has failed when the next one is scheduled.
        await clock.waitForSleepers(1)
        let failing = await journal.status
        XCTAssertEqual(failing.waiting, 1)
        XCTAssertEqual(failing.failure, "test disk failure")
        clock.advance(seconds: Journal.retrySeconds)
        await journal.close()
        try await running.value
        let after = await journal.status
        XCTAssertEqual(after.waiting, 0)
        XCTAssertNil(after.failure)
        XCTAssertEqual(after.ledger.imbalances, [])
    }

    func testGateway_namesItsPartsInTheirOrder() async throws {
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store", "lines"], clock: clock, log: log)
        let (_, start) = AsyncStream.makeStream(of: Void.self)
        let (failures, _) = AsyncStream.makeStream(of: String.self)
        let source = FailingSource(failures: failures, starts: start)
        let gateway = Gateway(
            sources: [
                Gateway.NamedSource(name: "foot", source: source),
                Gateway.NamedSource(name: "arm", source: source),
            ],
            sinks: [
                Gateway.NamedSink(name: "store", sink: InMemorySink()),
                Gateway.NamedSink(name: "lines", sink: InMemorySink()),
            ],
            pipeline: makeIntake(journal), journal: journal, clock: clock, log: log)
        let status = await gateway.status()
        XCTAssertEqual(status.sources.map(\.name), ["foot", "arm"])
        XCTAssertEqual(status.sources.compactMap(\.failure), [])
        XCTAssertEqual(status.sinks.map(\.name), ["store", "lines"])
        XCTAssertEqual(Set(status.journal.ledger.sinks.keys), ["store", "lines"])
        XCTAssertEqual(status.devices, [])
    }
}
