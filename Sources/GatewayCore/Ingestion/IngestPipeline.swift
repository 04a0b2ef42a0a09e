public import HealthModel
public import Platform
import Readings

/// The ingest pipeline: converts the readings of all devices to records and publishes them.
///
/// While the clock is not set, reports wait in memory until they can be dated.
public actor IngestPipeline {
    /// The approximate number of undated readings to publish at a time.
    private static let partCount = 1_000

    private let bus: Bus
    private let clock: any GatewayClock
    private let log: Logger
    private let recorder: (any TrafficRecorder)?
    private var devices: DeviceTable
    private var problems: [String: LinkError] = [:]
    /// The discarded input that belongs to no device, by source.
    private var discarded: [String: [DropReason: Int]] = [:]
    private var resolver: TimestampResolver
    private var undated = UndatedReports()
    /// Whether undated reports are being published; new reports must wait.
    private var isCatchingUp = false
    private var sourcesWaiting: [CheckedContinuation<Void, Never>] = []
    private let deadlines: AsyncStream<BootInstant>
    private let deadlineSignal: AsyncStream<BootInstant>.Continuation

    /// Makes a pipeline that publishes on a bus.
    ///
    /// `version` is the version of every source. A clock that shows a time before `earliest`, the
    /// build date, counts as not set. `calendar` is the time zone of devices with local time.
    public init(
        bus: Bus, clock: any GatewayClock, people: People, types: QuantityTypes = .standard,
        calendar: LocalCalendar = .utc, version: String,
        earliest: Instant = Instant(nanosecondsSince1970: 0), log: Logger
    ) {
        self.init(
            bus: bus, clock: clock, people: people, types: types, calendar: calendar,
            version: version, earliest: earliest, log: log, recorder: nil)
    }

    /// Makes a pipeline that also passes the reports of all sources to a recorder.
    package init(
        bus: Bus, clock: any GatewayClock, people: People, types: QuantityTypes,
        calendar: LocalCalendar, version: String, earliest: Instant, log: Logger,
        recorder: (any TrafficRecorder)?
    ) {
        self.recorder = recorder
        self.bus = bus
        self.clock = clock
        self.log = log.named("clock")
        devices = DeviceTable(
            people: people, types: types, calendar: calendar, version: version, log: log)
        resolver = TimestampResolver(earliest: earliest)
        (deadlines, deadlineSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns the inlet for the source with this name.
    ///
    /// A source that can wait is blocked before each report while the journal has no space.
    public nonisolated func inlet(
        for source: String, canWait: Bool = false
    ) -> any ReadingInlet {
        SourceInlet(
            source: source, journal: canWait ? bus.journal : nil, recorder: recorder,
            pipeline: self)
    }

    private struct SourceInlet: ReadingInlet {
        let source: String
        /// The journal that the source waits for; nil when it cannot wait.
        let journal: Journal?
        let recorder: (any TrafficRecorder)?
        let pipeline: IngestPipeline

        var recordsTraffic: Bool { recorder != nil }

        func report(_ report: DeviceReport) async {
            if let recorder { await recorder.record(report, from: source) }
            // A source that was removed while it waited must not come back with what it has.
            if let journal, await !journal.waitForSpace(), report.content.isInput {
                report.receipt?.lose()
                return
            }
            await pipeline.ingest(report, from: source)
        }

        func note(problem: LinkError?) async {
            await pipeline.note(problem, of: source)
        }

        func note(discarded: [DropReason: Int]) async {
            await pipeline.note(discarded: discarded, of: source)
        }
    }

    /// Returns as soon as the pipeline has time: it makes progress.
    package func answer() {}

    /// Returns the problem that a source has reported for all its devices.
    package func problem(of source: String) -> LinkError? { problems[source] }

    /// Returns the input of a source that was discarded and belongs to no device, by reason.
    func discarded(of source: String) -> [DropReason: Int] { discarded[source] ?? [:] }

    /// Returns the status of every device, sorted by source and identifier.
    package func deviceStatus() -> [DeviceStatus] { devices.status }

    /// Logs the counts of discarded input of every source and device.
    public func logDrops() {
        for source in discarded.keys.sorted() { logDiscarded(of: source) }
        devices.logDrops()
    }

    private func logDiscarded(of source: String) {
        for (reason, count) in (discarded[source] ?? [:]).sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            log.named(source).info(
                "input discarded", ["reason": reason.rawValue, "count": "\(count)"])
        }
    }

    /// Changes the people who wear the devices and the devices' names.
    func rebind(to people: People) { devices.rebind(to: people, in: clock.epoch()) }

    /// Changes the declared types.
    func declare(_ types: QuantityTypes) { devices.types = types }

    /// The names of the people who may wear a device.
    package var peopleNames: [String] { devices.people.names }

    /// The people and the devices that they wear.
    var people: People { devices.people }

    /// Removes the devices of a source that was removed.
    func forget(source: String) {
        devices.forget(source: source)
        problems[source] = nil
        logDiscarded(of: source)
        discarded[source] = nil
    }

    /// Publishes records that are already dated.
    func publish(_ records: [Record]) async {
        var conversion = Conversion()
        conversion.records = records
        await bus.publish(conversion)
    }

    /// Publishes deletions, which are not live.
    func publish(_ deletions: [DeletedRecord]) async {
        await bus.publish(deletions)
    }

    private func note(_ problem: LinkError?, of source: String) {
        problems[source] = problem
    }

    private func note(discarded new: [DropReason: Int], of source: String) {
        discarded[source, default: [:]].merge(new, uniquingKeysWith: +)
    }

    /// Ingests many reports in order, which is cheaper than one by one; `willIngest` is called
    /// before each.
    package func ingest(
        _ reports: [(source: String, report: DeviceReport)],
        willIngest: @Sendable (_ index: Int) -> Void
    ) async {
        var faults = ReadingFaults()
        var batch = RecordBatch([])
        for (index, entry) in reports.enumerated() {
            willIngest(index)
            if let (next, device) = convertNow(entry.report, from: entry.source) {
                faults.add(next.faults)
                batch.append(device.batch(next.records))
            } else {
                await bus.publish(batch, faults: faults)
                (faults, batch) = (ReadingFaults(), RecordBatch([]))
                await ingest(entry.report, from: entry.source)
            }
        }
        await bus.publish(batch, faults: faults)
    }

    /// Converts a report that needs no wait; nil for another one.
    private func convertNow(
        _ report: DeviceReport, from source: String
    ) -> (Conversion, ConnectedDevice)? {
        guard case .readings = report.content, !isCatchingUp, undated.isEmpty else { return nil }
        checkClock()
        guard let epoch = resolver.epoch else { return nil }
        let device = devices.device(report.device, of: source)
        guard let content = device.note(report.content) else { return nil }
        let conversion = device.convert(content, in: epoch, people: devices.people, for: nil)
        return (conversion, device)
    }

    private func ingest(_ report: DeviceReport, from source: String) async {
        if case .forgotten = report.content {
            devices.forget(report.device, of: source)
            return
        }
        let device = devices.device(report.device, of: source)
        guard let content = device.note(report.content) else {
            report.receipt?.commit()
            return
        }
        while isCatchingUp { await waitUntilCaughtUp() }
        checkClock()
        if let epoch = resolver.epoch, undated.isEmpty {
            let conversion = device.convert(
                content, in: epoch, people: devices.people, for: report.receipt)
            await bus.publish(
                device.batch(conversion.records), faults: conversion.faults,
                for: report.receipt.map { [$0] } ?? [])
        } else {
            if undated.isEmpty { deadlineSignal.yield(UndatedReports.deadline(from: clock.now())) }
            let waiting = UndatedReport(device: device, content: content, receipt: report.receipt)
            undated.append(waiting, at: clock.now())
            checkClock()
            await publishUndated()
        }
    }

    /// Checks the clock and logs changes, such as a step.
    private func checkClock() {
        let now = clock.now()
        let clockLog = ClockLog(log: log, earliest: resolver.earliest)
        clockLog.report(resolver.observe(at: clock.epoch(), now: now), waiting: undated.count)
        if resolver.epoch == nil, undated.isFull || undated.isOverdue(at: now) {
            clockLog.reportTimeout(waiting: undated.count)
            resolver.stopWaiting()
        }
    }

    // MARK: Waiting for the clock

    /// Waits until the clock is set, then publishes the undated reports.
    ///
    /// Returns immediately if the clock is set already.
    func followClock() async {
        var epoch = clock.epoch()
        checkClock()
        await publishUndated()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.limitWait() }
            while !resolver.isDatedByClock {
                guard let next = try? await clock.epoch(after: epoch) else { break }
                epoch = next
                checkClock()
                await publishUndated()
            }
            group.cancelAll()
        }
    }

    /// Publishes undated reports at their deadline, even if no further report arrives.
    private func limitWait() async {
        for await deadline in deadlines {
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            checkClock()
            await publishUndated()
        }
    }

    /// Publishes the undated reports, if they can be dated, before any later ones.
    private func publishUndated() async {
        while isCatchingUp { await waitUntilCaughtUp() }
        guard let epoch = resolver.epoch else { return }
        isCatchingUp = true
        while case let part = undated.removeFirst(readings: Self.partCount), !part.isEmpty {
            var conversion = Conversion()
            for report in part {
                conversion.append(
                    report.device.convert(
                        report.content, in: epoch, people: devices.people, for: report.receipt))
            }
            await bus.publish(
                RecordBatch(conversion.records), faults: conversion.faults,
                for: part.compactMap(\.receipt))
        }
        isCatchingUp = false
        let sources = sourcesWaiting
        sourcesWaiting = []
        for source in sources { source.resume() }
    }

    private func waitUntilCaughtUp() async {
        await withCheckedContinuation { source in
            if isCatchingUp { sourcesWaiting.append(source) } else { source.resume() }
        }
    }

    /// Whether there are unpublished reports.
    var hasUndated: Bool { isCatchingUp || !undated.isEmpty }

    /// Publishes the undated reports without further waiting: the sources have ended.
    func close() async {
        checkClock()
        if resolver.epoch == nil {
            ClockLog(log: log, earliest: resolver.earliest).reportTimeout(waiting: undated.count)
            resolver.stopWaiting()
        }
        await publishUndated()
    }

    /// Discards the reports that could not be published in time.
    func discardUndated() {
        guard !undated.isEmpty else { return }
        log.error(
            "readings discarded: shutdown timed out", ["readings": "\(undated.count)"])
        undated.discard()
    }

    /// Returns the status of the clock.
    func clockStatus() -> ClockStatus {
        checkClock()
        return ClockStatus(
            resolver, isSynchronized: clock.isSynchronized(), waiting: undated.count)
    }
}

extension DeviceReport.Content {
    /// Whether it has readings or records, and not only the state of the device.
    fileprivate var isInput: Bool {
        switch self {
        case .readings, .records: true
        default: false
        }
    }
}
