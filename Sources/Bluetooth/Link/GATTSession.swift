import GatewayCore
import JSON
import Platform
import Readings

/// The GATT session of one connection: reads, subscriptions and writes one at a time.
///
/// The values received go to the ``ProfileSession``.
///
/// Characteristics that the device lacks are skipped.
struct GATTSession: Sendable {
    /// A request to the device; the path is that of a characteristic.
    enum Operation: Hashable, Sendable {
        case read(String)
        case write(String, [UInt8])
        case subscribe(String)
        /// Subscribe, with the values over a socket of their own.
        case acquire(String)
        case unsubscribe(String)
    }

    /// The pause after the socket of acquired notifications has ended.
    static let releasePauseSeconds = 1.0

    /// The end of the pause while BlueZ is busy, or when a profile wants to be woken.
    var wakeTime: BootInstant? { .earlier(requests.wakeTime, profiles.wakeTime) }
    /// Whether no request waits or is in progress.
    var isReady: Bool { requests.isEmpty }
    /// Whether the device has accepted a subscription to a measurement.
    var isSubscribed: Bool { measured.contains { attributes[$0]?.isSubscribed == true } }
    /// The time in seconds without a measurement after which the device counts as silent, if any.
    let silenceLimitSeconds: Double?

    /// A characteristic and the state of its subscription.
    private struct Attribute {
        let uuid: BluetoothUUID
        /// Whether its values are used.
        var isListening = false
        /// Whether the device has accepted the subscription.
        var isSubscribed = false
        /// Whether the values come over a socket of their own.
        var isAcquired = false
        /// bluetoothd emits every value once for each subscribed program.
        var copies = DuplicateNotificationFilter()
    }

    /// The first characteristic of each UUID.
    private let characteristics: [BluetoothUUID: BlueZCharacteristic]
    private let subscriptions: [BlueZCharacteristic]
    private let batteryPercentage: UInt8?
    private let measured: Set<String>
    /// The same characteristics by path.
    private var attributes: [String: Attribute]
    private var profiles: ProfileSession
    private var requests = GATTRequests()
    /// The path of a read that only checks whether the device responds; its value is ignored.
    private var probed: String?

    /// Makes the session with a device; nil when it offers no service of the profiles.
    ///
    /// - Parameters:
    ///   - profiles: The profiles to read the device with.
    ///   - characteristics: The characteristics of the device.
    ///   - batteryPercentage: The battery level, when BlueZ reads it itself.
    ///   - acquired: The characteristics whose values come over a socket of their own, if bluetoothd
    ///     offers that.
    ///   - mark: The mark of the profiles' calls.
    ///   - recordsTraffic: Whether to report the values that are handed to the adapter.
    init?(
        profiles: [any GATTProfile], characteristics: [BlueZCharacteristic],
        batteryPercentage: UInt8?, acquired: Set<BluetoothUUID> = [], mark: CallMark? = nil,
        recordsTraffic: Bool = false
    ) {
        let services = Set(characteristics.map(\.service))
        let offeredProfiles = profiles.filter { services.contains($0.service) }
        guard !offeredProfiles.isEmpty else { return nil }
        silenceLimitSeconds = offeredProfiles.compactMap(\.silenceLimitSeconds).min()
        self.profiles = ProfileSession(
            offeredProfiles, mark: mark, recordsTraffic: recordsTraffic)
        let table = Dictionary(characteristics.map { ($0.uuid, $0) }) { first, _ in first }
        self.characteristics = table
        attributes = Dictionary(
            table.map { uuid, found in
                let isAcquired = found.canBeAcquired && acquired.contains(uuid)
                return (found.path, Attribute(uuid: uuid, isAcquired: isAcquired))
            }
        ) { first, _ in first }
        subscriptions = self.profiles.subscriptions.compactMap { table[$0] }.filter(\.canNotify)
        let wanted = Set(offeredProfiles.flatMap(\.subscriptions))
        measured = Set(subscriptions.filter { wanted.contains($0.uuid) }.map(\.path))
        self.batteryPercentage = batteryPercentage
    }

    /// The report of the adapter's settings, for a capture.
    var adapterReport: Link.Action { profiles.description }

    /// Starts the session: reads come before subscriptions, so that the first measurement is
    /// already attributed to the right device.
    mutating func open(at now: BootInstant) -> [Link.Action] {
        let (reads, opened) = profiles.open(at: now)
        for uuid in reads {
            guard let characteristic = characteristics[uuid], characteristic.isReadable,
                !isBatteryReadByBlueZ(characteristic)
            else { continue }
            requests.addIfRoom(.read(characteristic.path))
        }
        var actions = opened
        actions += batteryPercentage.map { decode([$0], of: .batteryLevel, at: now) } ?? []
        for characteristic in subscriptions where !isBatteryReadByBlueZ(characteristic) {
            requests.add(subscription(to: characteristic.path))
        }
        sendNext(&actions)
        return actions
    }

    /// Handles the answer to a request; nil for a failure, which is repeated when BlueZ was busy.
    mutating func finished(
        _ operation: Operation, with value: [UInt8]?, isBusy: Bool = false, at now: BootInstant
    ) -> [Link.Action] {
        guard requests.finish(operation, isBusy: isBusy, at: now) else { return [] }
        var actions = finishSetup(operation, with: value, at: now)
        sendNext(&actions)
        return actions
    }

    private mutating func finishSetup(
        _ operation: Operation, with value: [UInt8]?, at now: BootInstant
    ) -> [Link.Action] {
        switch (operation, value) {
        case (.read(let path), let value):
            let isProbe = probed == path
            if isProbe { probed = nil }
            guard !isProbe, let value, let uuid = attributes[path]?.uuid else { return [] }
            return decode(value, of: uuid, at: now)
        case (.subscribe(let path), .some), (.acquire(let path), .some):
            attributes[path]?.isSubscribed = true
        case (.subscribe(let path), nil), (.acquire(let path), nil):
            attributes[path]?.isListening = false
            attributes[path]?.isSubscribed = false
        case (.unsubscribe(let path), _): attributes[path]?.isSubscribed = false
        case (.write(let path, let bytes), nil):
            guard let uuid = attributes[path]?.uuid else { return [] }
            return profiles.writeFailed(bytes, to: uuid, at: now)
        case (.write, .some): break
        }
        return []
    }

    /// Handles a new value of a characteristic.
    ///
    /// BlueZ emits the answer to a read in the same way; it is ignored here. A copy emitted because
    /// another program has subscribed too is only counted.
    mutating func received(
        _ value: [UInt8], from path: String, at now: BootInstant
    ) -> [Link.Action] {
        guard let index = attributes.index(forKey: path), attributes.values[index].isListening
        else { return [] }
        let isAlone = attributes.values[index].isAcquired
        // On the bus the answer to a read looks the same; it does not come over a socket.
        guard isAlone || requests.current != .read(path) else { return [] }
        guard isAlone || !attributes.values[index].copies.isCopy(value, at: now) else {
            return [.report(.dropped([.copy: 1]))]
        }
        var actions = decode(value, of: attributes.values[index].uuid, at: now)
        // A valid packet without a measurement also shows that the device is alive.
        if actions.allSatisfy(\.isEmptyPacket) { actions.append(.report(.seen(at: now))) }
        sendNext(&actions)
        return actions
    }

    /// The paths of the active subscriptions, sorted.
    var subscriptionPaths: [String] { attributes.filter(\.value.isListening).keys.sorted() }

    /// Handles the battery level reported by BlueZ, in percent.
    ///
    /// Later versions also export the Battery Service; then our own subscription takes precedence.
    mutating func battery(_ percentage: UInt8, at now: BootInstant) -> [Link.Action] {
        let path = characteristics[.batteryLevel]?.path
        guard path.flatMap({ attributes[$0] })?.isListening != true else { return [] }
        var actions = decode([percentage], of: .batteryLevel, at: now)
        sendNext(&actions)
        return actions
    }

    /// Sends the next request after a pause, and wakes the profiles that are due.
    mutating func wake(at now: BootInstant) -> [Link.Action] {
        requests.wake(at: now)
        let output = profiles.wake(at: now)
        queue(output.writes)
        var actions = output.actions
        sendNext(&actions)
        return actions
    }

    /// Reads a characteristic to check whether the device responds; nil when none is readable.
    ///
    /// A request in progress serves the same purpose.
    mutating func probe() -> [Link.Action]? {
        guard isReady else { return [] }
        let readable = characteristics.values.filter(\.isReadable)
        guard let path = readable.map(\.path).min() else { return nil }
        probed = path
        requests.add(.read(path))
        var actions: [Link.Action] = []
        sendNext(&actions)
        return actions
    }

    /// Renews the subscriptions, in case the device has lost them.
    mutating func renew() -> [Link.Action] {
        for path in measured.sorted() {
            requests.add(.unsubscribe(path))
            requests.add(subscription(to: path))
        }
        var actions: [Link.Action] = []
        sendNext(&actions)
        return actions
    }

    /// Subscribes over the bus to a characteristic whose values were to come over a socket, because
    /// bluetoothd cannot do that: it is too old, or another program has subscribed.
    mutating func acquireRefused(_ path: String) -> [Link.Action] {
        guard requests.current == .acquire(path) else { return [] }
        attributes[path]?.isAcquired = false
        requests.replaceCurrent(by: .subscribe(path))
        var actions: [Link.Action] = []
        sendNext(&actions)
        return actions
    }

    /// Subscribes over the bus when the socket of acquired notifications has ended and the link has
    /// not: another program can end it.
    ///
    /// Usually the link ends in a moment, so there is a pause before.
    mutating func released(_ path: String, at now: BootInstant) {
        guard let attribute = attributes[path], attribute.isAcquired, attribute.isSubscribed,
            !requests.contains(.unsubscribe(path))
        else { return }
        attributes[path]?.isAcquired = false
        attributes[path]?.isSubscribed = false
        requests.add(.subscribe(path))
        requests.pause(until: now.adding(seconds: Self.releasePauseSeconds))
    }

    /// Whether the device has refused a subscription to a measurement.
    func hasRefused(_ path: String) -> Bool {
        measured.contains(path) && attributes[path]?.isListening == false
    }

    private func subscription(to path: String) -> Operation {
        attributes[path]?.isAcquired == true ? .acquire(path) : .subscribe(path)
    }

    private func isBatteryReadByBlueZ(_ characteristic: BlueZCharacteristic) -> Bool {
        characteristic.uuid == .batteryLevel && batteryPercentage != nil
    }

    /// Sends the next queued request, unless one is in progress or BlueZ is busy.
    private mutating func sendNext(_ actions: inout [Link.Action]) {
        guard let next = requests.next() else { return }
        // The first value may arrive before the answer.
        if let path = next.subscribedPath { attributes[path]?.isListening = true }
        actions.append(.perform(.gatt(next)))
    }

    /// Hands a value to the profiles, and queues what they write.
    private mutating func decode(
        _ value: [UInt8], of uuid: BluetoothUUID, at now: BootInstant
    ) -> [Link.Action] {
        let output = profiles.received(value, of: uuid, at: now)
        queue(output.writes)
        return output.actions
    }

    /// Handles a line of the program that decodes for a profile.
    mutating func printed(
        _ line: [UInt8], on channel: Channel, at now: BootInstant
    ) -> [Link.Action] {
        let output = profiles.printed(line, on: channel, at: now)
        queue(output.writes)
        var actions = output.actions
        sendNext(&actions)
        return actions
    }

    private mutating func queue(_ writes: [GATTWrite]) {
        for write in writes {
            guard let characteristic = characteristics[write.characteristic],
                characteristic.isWritable
            else { continue }
            requests.addIfRoom(.write(characteristic.path, write.bytes))
        }
    }
}

extension GATTSession.Operation {
    /// The characteristic that it subscribes to.
    var subscribedPath: String? {
        switch self {
        case .subscribe(let path), .acquire(let path): path
        case .read, .write, .unsubscribe: nil
        }
    }
}

extension Link.Action {
    /// Whether it only reports a valid packet without a measurement.
    fileprivate var isEmptyPacket: Bool {
        if case .report(.traffic) = self { return true }
        guard case .report(.dropped(let drops)) = self else { return false }
        return drops.keys.allSatisfy { $0 == .empty }
    }
}
