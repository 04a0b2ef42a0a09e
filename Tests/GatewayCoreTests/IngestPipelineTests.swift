import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JSON
@testable import Platform
@testable import Readings

final class IntakeTests: XCTestCase {
    private let clock = ManualClock()

    /// The records that a sink gets from these reports of the source `foot`.
    private func records(
        of reports: [DeviceReport.Content], people: People = People()
    ) async throws -> [Record] {
        let log = Logger(component: "test") { _ in }
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: people,
            version: "1", log: log)
        for report in reports {
            await pipeline.inlet(for: "foot").report(DeviceReport(device: "/dev/tty1", report))
        }
        await journal.close()
        let sink = InMemorySink()
        try await SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log
        ).run()
        return sink.records
    }

    private func at(_ seconds: Double) -> BootInstant {
        clock.now().adding(nanoseconds: Int64(seconds * 1e9))
    }

    private func heartRate(_ value: Double, at seconds: Double) throws -> TimedReading {
        TimedReading(.instant(.heartRate, try Quantity(value, .countPerMinute)), at: at(seconds))
    }

    private func connections(_ records: [Record]) -> [DeviceState.Connection] {
        records.compactMap { record in
            guard case .event(let event) = record else { return nil }
            return event.state.connection
        }
    }

    func testTake_aLinkFromOpeningToClosing() async throws {
        let records = try await records(of: [
            .opened(Device(name: "Foot"), at: at(0)), .readings([try heartRate(60, at: 1)]),
            .closed(at: at(2), reason: "unplugged"),
        ])
        XCTAssertEqual(connections(records), [.connected, .disconnected])
        XCTAssertEqual(records.count, 3)
        XCTAssertEqual(records[1].device?.name, "Foot")
    }

    func testRebind_aNewNameCountsImmediately_andIsReported() async throws {
        let log = Logger(component: "test") { _ in }
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock,
            people: try named("first"), version: "1", log: log)
        let inlet = pipeline.inlet(for: "foot")
        for (index, name) in ["first", "second"].enumerated() {
            await pipeline.rebind(to: try named(name))
            if index == 0 {
                await inlet.report(
                    DeviceReport(device: "/dev/tty1", .opened(Device(), at: at(0))))
            }
            let reading = try heartRate(60, at: Double(index + 1))
            await inlet.report(DeviceReport(device: "/dev/tty1", .readings([reading])))
        }
        let status = await pipeline.deviceStatus()
        XCTAssertEqual(status.map(\.name), ["second"])
        await journal.close()
        let sink = InMemorySink()
        try await SinkRunner(
            Gateway.NamedSink(name: "store", sink: sink), journal: journal, clock: clock, log: log
        ).run()
        XCTAssertEqual(
            sink.records.map { $0.device?.name }, ["first", "first", "second", "second"])
    }

    private func named(_ name: String) throws -> People {
        let text = "{ devices: { \"/dev/tty1\": { name: \"\(name)\" } } }"
        let node = ConfigurationNode(path: "", value: try JSONValue(json5: text))
        return try GatewayConfiguration(node).people
    }

    func testTake_aDeviceThatWasSilentIsReportedWhenItSendsDataAgain_once() async throws {
        let records = try await records(of: [
            .opened(Device(), at: at(0)), .stale(at: at(10), reason: "silent"),
            .readings([try heartRate(60, at: 20)]), .readings([try heartRate(61, at: 21)]),
        ])
        XCTAssertEqual(connections(records), [.connected, .stale, .connected])
        XCTAssertEqual(records.last?.typeName, "heartRate")
    }

    func testTake_whenTheWallClockIsSet_isReportedOnce_andDatesByTheNewTime() async throws {
        let lines = Mutex<[String]>([])
        let log = Logger(component: "test") { record in
            if record.level == .warning { lines.withLock { $0.append(record.message) } }
        }
        let live = LiveLane()
        let subscription = live.subscribe()
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: live), clock: clock, people: People(), version: "1",
            log: log)
        let inlet = pipeline.inlet(for: "foot")
        for step in [0.0, 3_600, 0] {
            if step != 0 { clock.stepWallClock(seconds: step) }
            let reading = try heartRate(60, at: step / 3_600)
            await inlet.report(DeviceReport(device: "/dev/tty1", .readings([reading])))
        }
        XCTAssertEqual(lines.withLock { $0 }, ["the wall clock was stepped"])
        guard case .sample(let sample) = await subscription.next()?.first?.record else {
            return XCTFail("no sample")
        }
        XCTAssertEqual(sample.start, clock.epoch().instant(at: at(0)))
        await journal.close()
    }

    /// The number of log lines about discarded input after these reports, and the counted input.
    private func discarded(
        _ reports: [DeviceReport.Content], saying text: String = "discarding"
    ) async throws -> (logged: Int, counted: Int?) {
        let lines = LaneTestCase.LogLines()
        let pipeline = IngestPipeline(
            bus: Bus(
                journal: try Journal(
                    file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: lines.logger),
                live: LiveLane()), clock: clock, people: People(), version: "1", log: lines.logger)
        let opened = DeviceReport.Content.opened(Device(name: "Foot"), at: at(0))
        for report in [opened] + reports {
            await pipeline.inlet(for: "foot").report(DeviceReport(device: "/dev/tty1", report))
        }
        let status = await pipeline.deviceStatus()
        return (lines.count(of: text), status.first?.drops.values.reduce(0, +))
    }

    /// A device may greet, and a port may be opened in the middle of a line.
    func testDropped_beforeTheFirstReading_isCountedSilently() async throws {
        let reading = DeviceReport.Content.readings([try heartRate(60, at: 1)])
        let noise = DeviceReport.Content.dropped([.unknown: 1])
        let greeting = try await discarded([noise, .dropped([.damaged: 2]), reading])
        XCTAssertEqual(greeting.logged, 0)
        XCTAssertEqual(greeting.counted, 3)
        let later = try await discarded([noise, reading, noise, noise])
        XCTAssertEqual(later.logged, 1)
        XCTAssertEqual(later.counted, 3)
        let reopened = try await discarded([
            reading, .closed(at: at(2), reason: "unplugged"),
            .opened(Device(name: "Foot"), at: at(3)), noise,
        ])
        XCTAssertEqual(reopened.logged, 0)
    }

    /// A wrong baud rate gives nothing else.
    func testDropped_whenNoReadingFollows_isReported() async throws {
        let noise = DeviceReport.Content.dropped([.unknown: 1])
        let few = try await discarded(
            Array(repeating: noise, count: DiscardedInput.greetingLimit))
        XCTAssertEqual(few.logged, 0)
        let many = try await discarded(
            Array(repeating: noise, count: DiscardedInput.greetingLimit + 5))
        XCTAssertEqual(many.logged, 1)
        XCTAssertEqual(many.counted, DiscardedInput.greetingLimit + 5)
        let stale = try await discarded([noise, .stale(at: at(9), reason: "silent")])
        XCTAssertEqual(stale.logged, 1)
        let copies = try await discarded([.dropped([.copy: 1])])
        XCTAssertEqual(copies.logged, 1)
    }

    /// It is no greeting: it is reported before the first reading too.
    func testDropped_aMeasurementThatIsMissingOrSilent_isReportedOnce() async throws {
        for (reason, text) in [
            (DropReason.unavailable, "lacks a measurement"), (.silent, "has fallen silent"),
        ] {
            let reports = Array(repeating: DeviceReport.Content.dropped([reason: 1]), count: 3)
            let found = try await discarded(reports, saying: text)
            XCTAssertEqual(found.logged, 1)
            XCTAssertEqual(found.counted, 3)
        }
    }

    func testTake_aLinkThatWasNeverOpenedIsNotClosed() async throws {
        let records = try await records(of: [.closed(at: at(0), reason: "no such port")])
        XCTAssertEqual(records, [])
    }

    func testTake_fromTooManyDevices_forgetsThoseThatAreGone() async throws {
        let log = Logger(component: "test") { _ in }
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["store"], clock: clock, log: log)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log)
        let inlet = pipeline.inlet(for: "straps")
        let device = Device(localIdentifier: "here")
        await inlet.report(DeviceReport(device: "here", .opened(device, at: at(0))))
        for number in 0..<DeviceTable.limit + 10 {
            let passing = DeviceReport.Content.link(.wanted, reason: nil)
            await inlet.report(DeviceReport(device: "passing \(number)", passing))
        }

        let known = await pipeline.deviceStatus().map(\.identifier)

        XCTAssertEqual(known.count, DeviceTable.limit)
        XCTAssertTrue(known.contains("here"))
    }

    func testTake_configuredNamesAndPeople() async throws {
        let text = """
            { people: { ada: {} }, devices: { "/dev/tty1": { person: "ada", name: "Ada's" } } }
            """
        let root = ConfigurationNode(path: "", value: try JSONValue(json5: text))
        let people = try GatewayConfiguration(root).people
        let records = try await records(
            of: [.opened(Device(name: "Foot"), at: at(0)), .readings([try heartRate(60, at: 1)])],
            people: people)
        guard case .sample(let sample) = records.last else { return XCTFail("no sample") }
        XCTAssertEqual(sample.person, "ada")
        XCTAssertEqual(sample.device?.name, "Ada's")
        XCTAssertEqual(sample.source, SourceRevision(name: "foot", version: "1"))
    }
}
