public import HealthModel
public import Platform

/// Where the readings of all devices come together, are converted, and are published.
///
/// While nobody has set the clock, nothing is converted: reports wait in memory until they can be dated.
public actor IngestPipeline {
    /// About so many of the readings that waited are published at once.
    private static let partCount = 1_000

    private let bus: Bus
    private let clock: any GatewayClock
    private let log: Logger
    private var devices: DeviceTable
    private var troubles: [String: LinkError] = [:]
    private var dating: TimestampResolver
    private var undated = UndatedReports()
    /// What waited is being published; what comes now comes after it.
    private var isCatchingUp = false
    private var sourcesWaiting: [CheckedContinuation<Void, Never>] = []
    private let deadlines: AsyncStream<BootInstant>
    private let deadlineSignal: AsyncStream<BootInstant>.Continuation

    /// Makes a pipeline that publishes on a bus.
    ///
    /// `version` is said of every source. A clock that shows a time before `earliest`, the day on which
    /// the program was made, is taken for one that is not set.
    public init(
        bus: Bus, clock: any GatewayClock, people: People, version: String,
        earliest: Instant = Instant(nanosecondsSince1970: 0), log: Logger
    ) {
        self.bus = bus
        self.clock = clock
        self.log = log.named("clock")
        devices = DeviceTable(people: people, version: version, log: log)
        dating = TimestampResolver(earliest: earliest)
        (deadlines, deadlineSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The way in for the source with this name.
    ///
    /// A source that can wait is held back before each report while the journal has no space for it.
    public nonisolated func inlet(
        for source: String, canWait: Bool = false
    ) -> any ReadingInlet {
        SourceInlet(source: source, journal: canWait ? bus.journal : nil, pipeline: self)
    }

    private struct SourceInlet: ReadingInlet {
        let source: String
        /// The journal that the source waits for; nil when it cannot wait.
        let journal: Journal?
        let pipeline: IngestPipeline

        func take(_ report: DeviceReport) async {
            await journal?.waitForSpace()
            await pipeline.take(report, from: source)
        }

        func note(trouble: LinkError?) async {
            await pipeline.note(trouble, of: source)
        }
    }

    /// What keeps a source from all its devices, when it has said so.
    package func trouble(of source: String) -> LinkError? { troubles[source] }

    /// How every device is doing that a source has spoken of, by source and identifier.
    package func deviceStatus() -> [DeviceStatus] { devices.status }

    /// Says what was not used, device by device.
    public func logDrops() { devices.logDrops() }

    /// From now on other people wear the devices, or call them by other names.
    func rebind(to people: People) { devices.rebind(to: people, in: clock.epoch()) }

    /// The names of those who may wear a device.
    package var peopleNames: [String] { devices.people.names }

    /// Who wears what.
    var people: People { devices.people }

    /// Forgets the devices of a source that has ended for good.
    func forget(source: String) {
        devices.forget(source: source)
        troubles[source] = nil
    }

    /// Publishes records that are dated already.
    func publish(_ records: [Record]) async {
        var conversion = Conversion()
        conversion.records = records
        await bus.publish(conversion)
    }

    private func note(_ trouble: LinkError?, of source: String) {
        troubles[source] = trouble
    }

    private func take(_ report: DeviceReport, from source: String) async {
        if case .forgotten = report.content {
            devices.forget(report.device, of: source)
            return
        }
        let device = devices.device(report.device, of: source)
        guard let content = device.note(report.content) else { return }
        while isCatchingUp { await waitUntilCaughtUp() }
        look()
        if let epoch = dating.epoch, undated.isEmpty {
            let conversion = device.convert(content, in: epoch)
            let batch = device.batch(conversion.records)
            await bus.publish(conversion, as: batch)
        } else {
            if undated.isEmpty { deadlineSignal.yield(UndatedReports.deadline(from: clock.now())) }
            undated.append(UndatedReport(device: device, content: content), at: clock.now())
            look()
            await publishUndated()
        }
    }

    /// Looks at the clock, and says what is worth a word: a step shows in every later time.
    private func look() {
        let now = clock.now()
        let clockLog = ClockLog(log: log, earliest: dating.earliest)
        clockLog.report(dating.look(at: clock.epoch(), now: now), waiting: undated.count)
        if dating.epoch == nil, undated.isFull || undated.isOverdue(at: now) {
            clockLog.reportGivingUp(waiting: undated.count)
            dating.giveUpWaiting()
        }
    }

    // MARK: Waiting for the clock

    /// Waits for the clock as long as it is not set, and publishes what waited for it too.
    ///
    /// Where the clock is right from the beginning it returns at once.
    func followClock() async {
        var epoch = clock.epoch()
        look()
        await publishUndated()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.limitWait() }
            while !dating.isDatedByClock {
                guard let next = try? await clock.epoch(after: epoch) else { break }
                epoch = next
                look()
                await publishUndated()
            }
            group.cancelAll()
        }
    }

    /// Lets go what has waited long enough, when nothing else comes that would.
    private func limitWait() async {
        for await deadline in deadlines {
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            look()
            await publishUndated()
        }
    }

    /// Publishes what waits, if it can be dated, before anything that comes later.
    private func publishUndated() async {
        while isCatchingUp { await waitUntilCaughtUp() }
        guard let epoch = dating.epoch else { return }
        isCatchingUp = true
        while case let part = undated.removeFirst(readings: Self.partCount), !part.isEmpty {
            var conversion = Conversion()
            for report in part {
                conversion.append(report.device.convert(report.content, in: epoch))
            }
            await bus.publish(conversion)
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

    /// Whether something is not published yet.
    var hasUndated: Bool { isCatchingUp || !undated.isEmpty }

    /// Publishes what waits for the clock without waiting any longer: the sources have ended.
    func close() async {
        look()
        if dating.epoch == nil {
            ClockLog(log: log, earliest: dating.earliest).reportGivingUp(waiting: undated.count)
            dating.giveUpWaiting()
        }
        await publishUndated()
    }

    /// Gives up what could not be published in time.
    func giveUpUndated() {
        guard !undated.isEmpty else { return }
        log.error(
            "not accepted, because there was no time left", ["readings": "\(undated.count)"])
        undated = UndatedReports()
    }

    /// How the clock is doing.
    func clockStatus() -> ClockStatus {
        look()
        return ClockStatus(
            dating, isSynchronized: clock.isSynchronized(), waiting: undated.count)
    }
}
