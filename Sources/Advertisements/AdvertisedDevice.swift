import Bluetooth
import GatewayCore
import HealthModel
import JSON
import Platform
import Readings

/// A device that is read from its advertisements, as a state machine without I/O.
struct AdvertisedDevice: Sendable {
    /// Whether its advertisements arrive.
    enum State: Hashable, Sendable {
        /// Nothing usable was received yet.
        case waiting
        case live
        /// Silent for longer than the pauses between its advertisements.
        case stale
        /// Silent for much longer.
        case gone
    }

    /// The time in seconds after which a silent device counts as gone.
    static let goneSeconds = 900.0

    let address: BluetoothAddress
    private(set) var state = State.waiting
    /// When its state changes without another advertisement.
    private(set) var wakeTime: BootInstant?
    /// When it was received last.
    private(set) var lastSeen: BootInstant?
    /// Whether it has sent a measurement.
    private(set) var hasMeasured = false
    /// The adapter of the next session, with what the sessions before have left in its memory.
    private var adapter: AdvertisementAdapter
    /// Whether it had a session before.
    private var isKnown = false
    /// Whether the session has received something that is no repetition from an earlier one.
    private var isRecording = false
    private let mark: CallMark?
    private let recordedSettings: JSONValue?
    private var session: AdapterSession?
    private var interval = AdvertisingInterval()
    private var name: String?

    init(
        _ address: BluetoothAddress, adapter: AdvertisementAdapter, mark: CallMark?,
        recordedSettings: JSONValue? = nil
    ) {
        self.address = address
        self.adapter = adapter
        self.mark = mark
        self.recordedSettings = recordedSettings
    }

    /// Whether nothing usable was ever received of it.
    var isIdle: Bool { session == nil && !isKnown }
    /// Whether it is received.
    var isOpen: Bool { session != nil }

    /// Handles a part of an advertisement.
    ///
    /// The device is opened by the first part with a measurement, or with one that cannot be used:
    /// others are sent by devices of the same maker, too. Any part opens a device that was open
    /// before: it may repeat its last measurement.
    mutating func received(
        _ advertisement: Advertisement, at now: BootInstant
    ) -> [DeviceReport.Content] {
        var actions: [DeviceReport.Content] = []
        var session = session ?? AdapterSession(adapter, mark: mark)
        let isFirst = self.session == nil
        if isFirst { _ = session.handle(.opened, at: now) }
        let channel = advertisement.part.channel
        let outcome = session.handle(.received(advertisement.value, on: channel), at: now)
        let isUsed = !outcome.readings.isEmpty || outcome.drops.keys.contains { $0 != .empty }
        guard !isFirst || isUsed || isKnown else { return [] }
        self.session = session
        lastSeen = now
        interval.received(at: now)
        wakeTime = now.adding(seconds: interval.limitSeconds)
        actions += recover(advertisement.name, isFirst: isFirst, at: now)
        isRecording = isRecording || isUsed
        hasMeasured = hasMeasured || !outcome.readings.isEmpty
        // A replay does not know what earlier sessions have left in the memory.
        if isRecording { actions += recorded(.received(advertisement.value, on: channel, at: now)) }
        return actions + contents(of: outcome, at: now)
    }

    /// Reports that the device is received again, or its name.
    private mutating func recover(
        _ newName: String?, isFirst: Bool, at now: BootInstant
    ) -> [DeviceReport.Content] {
        let wasStale = state == .stale
        state = .live
        let isRenamed = newName != nil && newName != name
        name = newName ?? name
        let device = Device(name: name, localIdentifier: address.description)
        guard !isFirst else {
            return recorded(recordedSettings.map { .adapter($0) }) + [.opened(device, at: now)]
        }
        var actions: [DeviceReport.Content] = []
        if isRenamed {
            actions += recorded(.device(device))
            actions.append(.readings([TimedReading(.identity(device), at: now)]))
        }
        if wasStale { actions.append(.link(.live, reason: nil)) }
        return actions
    }

    /// Traffic for a capture; nothing without one.
    private func recorded(_ traffic: DeviceTraffic?) -> [DeviceReport.Content] {
        guard recordedSettings != nil, let traffic else { return [] }
        return [.traffic(traffic)]
    }

    private func contents(
        of outcome: AdapterSession.Outcome, at now: BootInstant
    ) -> [DeviceReport.Content] {
        var actions: [DeviceReport.Content] = []
        if !outcome.readings.isEmpty { actions.append(.readings(outcome.readings)) }
        if !outcome.drops.isEmpty { actions.append(.dropped(outcome.drops)) }
        if !outcome.faults.isEmpty { actions.append(.discarded(outcome.faults, at: now)) }
        return actions.isEmpty ? [.seen(at: now)] : actions
    }

    /// Handles the wake time.
    mutating func wake(at now: BootInstant) -> [DeviceReport.Content] {
        switch state {
        case .live:
            state = .stale
            wakeTime = now.adding(seconds: Self.goneSeconds)
            let seconds = Int(interval.limitSeconds)
            return [.stale(at: now, reason: "no advertisement for \(seconds) s")]
        case .stale:
            let actions = interrupt("no advertisement for a long time", at: now)
            wakeTime = nil
            state = .gone
            return actions
        case .waiting, .gone:
            wakeTime = nil
            state = .gone
            return []
        }
    }

    /// Handles that nothing is received any more; the next advertisement opens the device again.
    mutating func interrupt(_ reason: String, at now: BootInstant) -> [DeviceReport.Content] {
        wakeTime = isOpen || isKnown ? now.adding(seconds: Self.goneSeconds) : nil
        interval = AdvertisingInterval()
        state = .waiting
        guard let session else { return [.link(.wanted, reason: reason)] }
        if let used = session.adapter as? AdvertisementAdapter { adapter = used.successor }
        self.session = nil
        (isKnown, isRecording) = (true, false)
        return [.closed(at: now, reason: reason), .link(.wanted, reason: reason)]
    }
}
