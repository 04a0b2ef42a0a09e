import Bluetooth
import GatewayCore
import JSON
import Platform
import Readings
import Simulation

/// The link to one simulated strap: its packets and faults through an adapter, without I/O.
///
/// It does what the link to a real strap does: it reads the Device Information, leaves out
/// duplicate notifications, notices silence, and reports the traffic for a capture. The receipt of a
/// packet is the time at which it was due, so the same seed gives the same readings however late the
/// task wakes up.
struct StrapLink: Sendable {
    /// The delay of a duplicate notification and of a flood, as bluetoothd has it.
    private static let copyDelay: Int64 = 2_000_000

    let simulated: SimulatedDevice
    private let profiles: [any GATTProfile]
    private let mark: CallMark?
    private let recordsTraffic: Bool
    private let silenceLimitSeconds: Double?
    private let subscriptions: [BluetoothUUID]
    private var strap: SimulatedStrap
    private var faults: DeviceFaults
    /// The open link; nil while it is lost.
    private var open: Open?
    private var isBatteryEmpty = false
    private var reports: [DeviceReport.Content] = []

    /// An open link.
    private struct Open {
        var session: AdapterSession
        var copies = DuplicateNotificationFilter()
        /// The receipt of the last reading; nil when the silence was reported.
        var lastReading: BootInstant?
    }

    init(
        _ simulated: SimulatedDevice, _ settings: SimulatorSettings, profiles: [any GATTProfile],
        mark: CallMark?, recordsTraffic: Bool
    ) {
        self.simulated = simulated
        self.profiles = profiles
        self.mark = mark
        self.recordsTraffic = recordsTraffic
        silenceLimitSeconds = profiles.compactMap(\.silenceLimitSeconds).min()
        subscriptions = GATTAdapter(profiles: profiles).subscriptions
        strap = SimulatedStrap(seed: simulated.seed, curve: settings.curve)
        faults = DeviceFaults(settings.faults, seed: simulated.seed)
    }

    /// Opens the link, as before the first packet.
    mutating func begin(at now: BootInstant) -> [DeviceReport.Content] {
        reports = []
        openLink(at: now)
        return reports
    }

    /// Simulates one second, whose packet is due now.
    mutating func advance(toSecond second: Int, at now: BootInstant) -> [DeviceReport.Content] {
        reports = []
        let seconds = Double(second)
        faults.advance(to: seconds)
        strap.hasContact = !faults.isActive(.contactLost, at: seconds)
        if faults.isActive(.batteryEmpty, at: seconds) {
            if !isBatteryEmpty { deliver([0], of: .batteryLevel, at: now) }
            isBatteryEmpty = true
            closeLink(at: now, reason: "battery empty")
        } else if isBatteryEmpty {
            isBatteryEmpty = false
            strap.replaceBattery()
        }
        if faults.isActive(.linkLost, at: seconds) { closeLink(at: now, reason: "link lost") }
        let isDown = isBatteryEmpty || faults.isActive(.linkLost, at: seconds)
        if !isDown, open == nil { openLink(at: now) }
        let isSilent = isDown || faults.isActive(.silence, at: seconds)
        while strap.nextSeconds <= seconds {
            let notification = strap.nextNotification()
            if !isSilent, subscriptions.contains(notification.characteristic) {
                send(notification, at: now)
            }
        }
        noteSilence(at: now)
        return reports
    }

    /// Closes the link if it is open.
    mutating func end(at now: BootInstant, reason: String) -> [DeviceReport.Content] {
        reports = []
        closeLink(at: now, reason: reason)
        return reports
    }

    // MARK: The link

    private mutating func openLink(at now: BootInstant) {
        if recordsTraffic {
            let names = JSONValue.array(profiles.map { .string($0.name) })
            reports.append(.traffic(.adapter(.object(["profiles": names]))))
        }
        reports.append(.opened(simulated.device, at: now))
        let adapter = GATTAdapter(profiles: profiles)
        var session = AdapterSession(adapter, mark: mark)
        let outcome = session.handle(.opened, at: now)
        open = Open(session: session, lastReading: now)
        report(outcome, at: now)
        // What it asks for later is not read: a link reads once, when it is opened.
        for channel in outcome.reads {
            guard let characteristic = BluetoothUUID(channel.name),
                let value = strap.value(of: characteristic)
            else { continue }
            deliver(value, of: characteristic, at: now)
        }
    }

    private mutating func closeLink(at now: BootInstant, reason: String) {
        guard var session = open?.session else { return }
        report(session.handle(.closed, at: now), at: now)
        open = nil
        reports.append(.closed(at: now, reason: reason))
    }

    /// Sends a notification with the faults of packets.
    private mutating func send(_ notification: SimulatedStrap.Notification, at now: BootInstant) {
        let uuid = notification.characteristic
        guard uuid == SimulatedStrap.measurement else {
            return deliver(notification.value, of: uuid, at: now)
        }
        let isDamaged = faults.take(.damagedPackets) != nil
        let value = isDamaged ? Array(notification.value.prefix(1)) : notification.value
        receive(value, at: now)
        let later = now.adding(nanoseconds: Self.copyDelay)
        if faults.take(.duplicatePackets) != nil { receive(value, at: later) }
        if let flood = faults.take(.packetFlood) {
            let (flags, rate) = (notification.value[0] & 0x06, notification.value[1])
            // Each is another value than the one before, so none is a duplicate.
            for number in 1...flood.count { receive([flags, rate ^ UInt8(number & 1)], at: later) }
        }
    }

    /// Handles a notified measurement, unless it is a duplicate.
    private mutating func receive(_ value: [UInt8], at now: BootInstant) {
        guard open?.copies.isCopy(value, at: now) == false else {
            return reports.append(.dropped([.copy: 1]))
        }
        deliver(value, of: SimulatedStrap.measurement, at: now)
    }

    /// Hands a value to the adapter.
    private mutating func deliver(
        _ value: [UInt8], of characteristic: BluetoothUUID, at now: BootInstant
    ) {
        guard open != nil else { return }
        let channel = Channel(characteristic)
        if recordsTraffic { reports.append(.traffic(.received(value, on: channel, at: now))) }
        handleTimer(at: now)
        guard let outcome = open?.session.handle(.received(value, on: channel), at: now) else {
            return
        }
        report(outcome, at: now)
        if outcome.isEmptyValue { reports.append(.seen(at: now)) }
        if !outcome.readings.isEmpty || outcome.isEmptyValue { open?.lastReading = now }
    }

    private mutating func handleTimer(at now: BootInstant) {
        guard let wakeTime = open?.session.wakeTime, wakeTime <= now,
            let outcome = open?.session.handle(.timer, at: wakeTime)
        else { return }
        report(outcome, at: wakeTime)
    }

    private mutating func report(_ outcome: AdapterSession.Outcome, at now: BootInstant) {
        if !outcome.readings.isEmpty { reports.append(.readings(outcome.readings)) }
        if !outcome.drops.isEmpty { reports.append(.dropped(outcome.drops)) }
        if !outcome.faults.isEmpty { reports.append(.discarded(outcome.faults, at: now)) }
    }

    private mutating func noteSilence(at now: BootInstant) {
        guard let limit = silenceLimitSeconds, let last = open?.lastReading,
            now.seconds(since: last) >= limit
        else { return }
        open?.lastReading = nil
        reports.append(
            .stale(at: now, reason: "no valid data received within the silence limit"))
    }
}

extension AdapterSession.Outcome {
    /// Whether the value was valid, but without a reading.
    fileprivate var isEmptyValue: Bool {
        readings.isEmpty && faults.isEmpty && drops.keys.allSatisfy { $0 == .empty }
    }
}
