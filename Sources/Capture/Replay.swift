package import GatewayCore
import HealthModel
import JSON
import Platform
import Readings

/// Feeds the events of a capture to a pipeline, in their order.
///
/// All sources are fed by one task, so that the same capture makes the same records in the same
/// order. Consecutive readings of a device go to the pipeline as one report.
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
        var source: String
        var device: Device
        var inlet: any ReadingInlet
        var link: ReplayLink?

        var identifier: String { device.localIdentifier ?? "" }
    }

    /// The number of readings after which they are reported.
    private static let batchCount = 512

    private let adapters: AdapterMaker
    private let speed: Speed
    private let clock: ReplayClock
    private let systemClock: any GatewayClock
    private let makeInlet: @Sendable (String) -> any ReadingInlet
    private var entries: [Int: Entry] = [:]
    /// The readings that are not reported yet, and their device.
    private var pending: (device: Int, readings: [TimedReading]) = (0, [])
    /// The times of the capture and of the system at the start.
    private var start: (capture: BootInstant, system: BootInstant)?
    private var last = BootInstant(nanoseconds: 0)
    /// The number of events so far.
    package private(set) var eventCount = 0

    /// Creates a replay.
    ///
    /// - Parameters:
    ///   - clock: The clock of the pipeline.
    ///   - systemClock: The clock for pauses between events.
    ///   - makeInlet: Returns the pipeline's inlet for the source with a name.
    package init(
        adapters: AdapterMaker, speed: Speed, clock: ReplayClock, systemClock: any GatewayClock,
        makeInlet: @escaping @Sendable (String) -> any ReadingInlet
    ) {
        self.adapters = adapters
        self.speed = speed
        self.clock = clock
        self.systemClock = systemClock
        self.makeInlet = makeInlet
    }

    /// Why an event cannot be replayed.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Feeds all events of a capture, and closes the links that are open at its end.
    ///
    /// - Throws: ``CaptureError`` for an invalid line, ``Problem`` for an invalid event, and
    ///   `CancellationError` when the task is cancelled.
    package func run(_ reader: CaptureReader) async throws {
        var part = try await reader.next()
        while let events = part {
            // The next part is read and decoded meanwhile.
            async let following = reader.next()
            for event in events { try await feed(event) }
            part = try await following
        }
        await flush()
        for number in entries.keys.sorted() where entries[number]?.link != nil {
            await close(number, at: last, reason: "end of the capture")
        }
    }

    private func feed(_ event: CaptureEvent) async throws {
        eventCount += 1
        switch event {
        case .clock(let offset):
            await flush()
            clock.step(to: offset)
        case .device(let number, let source, let device):
            await flush()
            try define(number, source, device)
        case .opened(let number, let moment, let adapter):
            try await advance(to: moment)
            try await open(number, at: moment, adapter)
        case .received(let number, let moment, let bytes, let channel):
            try await advance(to: moment)
            try await receive(number, bytes, on: channel, at: moment)
        case .stale(let number, let moment, let reason):
            try await advance(to: moment)
            guard entries[number]?.link != nil else { throw notOpen(number) }
            await report([.stale(at: moment, reason: reason)], of: number)
        case .closed(let number, let moment, let reason):
            try await advance(to: moment)
            guard entries[number]?.link != nil else { throw notOpen(number) }
            await close(number, at: moment, reason: reason)
        case .forgotten(let number, let moment):
            try await advance(to: moment)
            await report([.forgotten], of: number)
            entries[number]?.link = nil
        }
    }

    private func define(_ number: Int, _ source: String, _ device: Device) throws(Problem) {
        guard let old = entries[number] else {
            entries[number] = Entry(source: source, device: device, inlet: makeInlet(source))
            return
        }
        guard old.source == source, old.identifier == device.localIdentifier else {
            throw Problem(description: "device \(number) has two identifiers or sources")
        }
        entries[number]?.device = device
    }

    private func open(_ number: Int, at moment: BootInstant, _ adapter: JSONValue) async throws {
        guard let entry = entries[number] else { throw notOpen(number) }
        var link = ReplayLink(try adapters.make(adapter))
        let reports = link.handle(.opened, at: moment)
        entries[number]?.link = link
        await report([.opened(entry.device, at: moment)] + reports, of: number)
    }

    private func receive(
        _ number: Int, _ bytes: [UInt8], on channel: Channel, at moment: BootInstant
    ) async throws {
        guard let reports = entries[number]?.link?.handle(.received(bytes, on: channel), at: moment)
        else { throw notOpen(number) }
        await report(reports, of: number)
    }

    private func close(_ number: Int, at moment: BootInstant, reason: String) async {
        let reports = entries[number]?.link?.handle(.closed, at: moment) ?? []
        entries[number]?.link = nil
        await report(reports + [.closed(at: moment, reason: reason)], of: number)
    }

    private func notOpen(_ number: Int) -> Problem {
        Problem(description: "device \(number) is not open; a line is missing")
    }

    /// Reports content of a device; readings wait for more of them.
    private func report(_ contents: [DeviceReport.Content], of number: Int) async {
        for content in contents {
            if case .readings(let readings) = content {
                if pending.device != number { await flush() }
                pending.device = number
                pending.readings += readings
                if pending.readings.count >= Self.batchCount { await flush() }
            } else {
                await flush()
                await send(content, of: number)
            }
        }
    }

    private func flush() async {
        guard !pending.readings.isEmpty else { return }
        let readings = pending.readings
        pending.readings.removeAll()
        await send(.readings(readings), of: pending.device)
    }

    private func send(_ content: DeviceReport.Content, of number: Int) async {
        guard let entry = entries[number] else { return }
        await entry.inlet.report(DeviceReport(device: entry.identifier, content))
    }

    /// Waits until an event is due, and sets the clock of the pipeline.
    private func advance(to moment: BootInstant) async throws {
        if case .times(let factor) = speed {
            let now = systemClock.now()
            let start = start ?? (moment, now)
            self.start = start
            let due = start.system.adding(seconds: moment.seconds(since: start.capture) / factor)
            if due > now {
                await flush()
                try await systemClock.sleep(until: due)
            }
        }
        if eventCount.isMultiple(of: 1_000) { try Task.checkCancellation() }
        last = max(last, moment)
        clock.advance(to: moment)
    }
}
