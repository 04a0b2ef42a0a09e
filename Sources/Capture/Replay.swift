package import GatewayCore
import HealthModel
import JSON
import Platform
import Readings

/// Feeds the events of a capture to a pipeline, in their order.
///
/// One task feeds all sources, and every report is handled at the time of its event, so that the
/// same capture makes the same records in the same order at any speed.
package actor Replay {
    /// How fast the time of the capture passes.
    package enum Speed: Hashable, Sendable {
        /// As fast as the pipeline accepts the readings.
        case maximum
        /// So many times faster than it was recorded.
        case times(Double)
    }

    /// A device of the capture.
    private struct Entry {
        let source: String
        var device: Device
        var link: ReplayLink?

        var identifier: String { device.localIdentifier ?? "" }
    }

    /// The reports that are not handed to the pipeline yet, with the times of their events.
    private struct Batch {
        var reports: [(source: String, report: DeviceReport)] = []
        var times: [ReplayClock.Time] = []
    }

    /// The maximum number of reports in a batch: a report of its own for each would spend most of
    /// the time on switching between actors.
    private static let batchCount = 256

    private let adapters: AdapterMaker
    private let speed: Speed
    private let clock: ReplayClock
    private let systemClock: any GatewayClock
    private let pipeline: IngestPipeline
    private let waitForSpace: @Sendable () async -> Void
    private var entries: [Int: Entry] = [:]
    private var batch = Batch()
    /// The time of the clock: events of several devices may be slightly out of order.
    private var now: BootInstant
    private var epoch: ClockEpoch
    /// The times of the capture and of the system at the first event.
    private var start: (capture: BootInstant, system: BootInstant)?

    /// Creates a replay.
    ///
    /// - Parameters:
    ///   - clock: The clock of the pipeline.
    ///   - systemClock: The clock for pauses between events.
    ///   - waitForSpace: Waits while the sinks are behind; called before each part of the file.
    package init(
        adapters: AdapterMaker, speed: Speed, clock: ReplayClock, systemClock: any GatewayClock,
        pipeline: IngestPipeline, waitForSpace: @escaping @Sendable () async -> Void
    ) {
        self.adapters = adapters
        self.speed = speed
        self.clock = clock
        self.systemClock = systemClock
        self.pipeline = pipeline
        self.waitForSpace = waitForSpace
        now = clock.now()
        epoch = clock.epoch()
    }

    /// Why an event cannot be replayed.
    private struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Feeds all events of a capture, and closes the links that are open at its end.
    ///
    /// - Throws: ``CaptureError`` for an invalid line, and `CancellationError` when the task is
    ///   cancelled. The events before it are fed.
    package func run(_ reader: CaptureReader) async throws {
        let failure: (any Error)?
        do {
            try await feedParts(of: reader)
            failure = nil
        } catch {
            failure = error
        }
        for number in entries.keys.sorted() where entries[number]?.link != nil {
            await close(number, at: now, reason: "end of the capture")
        }
        await flush()
        if let failure { throw failure }
    }

    private func feedParts(of reader: CaptureReader) async throws {
        var part = try await reader.next()
        while let lines = part {
            // The next part is read and decoded meanwhile.
            async let following = reader.next()
            await waitForSpace()
            for line in lines { try await feed(line, of: reader) }
            try Task.checkCancellation()
            part = try await following
        }
    }

    private func feed(_ line: CaptureLine, of reader: CaptureReader) async throws {
        do {
            try await feed(line.event)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CaptureError.invalid(
                path: reader.path, line: line.number, problem: "\(error)")
        }
    }

    private func feed(_ event: CaptureEvent) async throws {
        switch event {
        case .clock(let offset):
            epoch = ClockEpoch(number: epoch.number + 1, offsetNanoseconds: offset)
        case .device(let number, let source, let device):
            try await define(number, source, device)
        case .opened(let number, let moment, let adapter):
            try await advance(to: moment)
            try await open(number, at: moment, adapter)
        case .received(let number, let moment, let bytes, let channel):
            try await advance(to: moment)
            guard
                let reports = entries[number]?.link?.handle(
                    .received(bytes, on: channel), at: moment)
            else { throw notOpen(number) }
            for report in reports { await add(report, of: number) }
        case .stale(let number, let moment, let reason):
            try await advance(to: moment)
            guard entries[number]?.link != nil else { throw notOpen(number) }
            await add(.stale(at: moment, reason: reason), of: number)
        case .closed(let number, let moment, let reason):
            try await advance(to: moment)
            guard entries[number]?.link != nil else { throw notOpen(number) }
            await close(number, at: moment, reason: reason)
        case .forgotten(let number, let moment):
            try await advance(to: moment)
            entries[number]?.link = nil
            await add(.forgotten, of: number)
        }
    }

    private func define(_ number: Int, _ source: String, _ device: Device) async throws {
        guard let old = entries[number] else {
            entries[number] = Entry(source: source, device: device)
            return
        }
        guard old.source == source, old.identifier == device.localIdentifier else {
            throw Problem(description: "device \(number) has two identifiers or sources")
        }
        entries[number]?.device = device
        guard old.link != nil else { return }
        await add(.readings([TimedReading(.identity(device), at: now)]), of: number)
    }

    private func open(_ number: Int, at moment: BootInstant, _ adapter: JSONValue) async throws {
        guard let entry = entries[number] else { throw notOpen(number) }
        var link = ReplayLink(try adapters.make(adapter, for: entry.identifier))
        let reports = link.handle(.opened, at: moment)
        entries[number]?.link = link
        await add(.opened(entry.device, at: moment), of: number)
        for report in reports { await add(report, of: number) }
    }

    private func close(_ number: Int, at moment: BootInstant, reason: String) async {
        let reports = entries[number]?.link?.handle(.closed, at: moment) ?? []
        entries[number]?.link = nil
        for report in reports { await add(report, of: number) }
        await add(.closed(at: moment, reason: reason), of: number)
    }

    private func notOpen(_ number: Int) -> Problem {
        Problem(description: "device \(number) is not open; a line is missing")
    }

    private func add(_ content: DeviceReport.Content, of number: Int) async {
        guard let entry = entries[number] else { return }
        batch.reports.append((entry.source, DeviceReport(device: entry.identifier, content)))
        batch.times.append(ReplayClock.Time(moment: now, epoch: epoch))
        if batch.reports.count >= Self.batchCount { await flush() }
    }

    /// Hands the batch to the pipeline.
    private func flush() async {
        guard !batch.reports.isEmpty else { return }
        let times = batch.times
        await pipeline.ingest(batch.reports) { [clock] in clock.show(times[$0]) }
        batch = Batch()
    }

    /// Waits until an event is due.
    private func advance(to moment: BootInstant) async throws {
        if case .times(let factor) = speed {
            let systemNow = systemClock.now()
            let start = start ?? (moment, systemNow)
            self.start = start
            let due = start.system.adding(seconds: moment.seconds(since: start.capture) / factor)
            if due > systemNow {
                await flush()
                try await systemClock.sleep(until: due)
            }
        }
        now = max(now, moment)
    }
}
