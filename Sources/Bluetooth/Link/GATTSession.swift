import GatewayCore
import Platform

/// What is said on one connection: reads, subscriptions and writes one after the other, and the values
/// that come.
///
/// A device may lack anything that the adapter asks for: then it is left out. BlueZ refuses a second
/// request for an attribute while one is under way, so there is only ever one.
struct GATTSession: Sendable {
    /// Something to ask of the device; the path is that of a characteristic.
    enum Operation: Hashable, Sendable {
        case read(String)
        case write(String, [UInt8])
        case subscribe(String)
        case unsubscribe(String)
    }

    /// More requests than these never wait: an adapter that makes more is not understood.
    static let queueLimit = 256
    /// How often a request is repeated that BlueZ is too busy for, and after how long each time.
    static let busyLimit = 10
    static let busyPauseSeconds = 0.1

    /// When it wants to be woken: until then nothing is asked, because BlueZ was too busy.
    private(set) var wakeTime: BootInstant?
    /// Whether everything that was asked at the beginning has been answered.
    var isReady: Bool { current == nil && queue.isEmpty }
    /// Whether the device has taken a subscription to what is measured.
    var isSubscribed: Bool { measured.contains { attributes[$0]?.isSubscribed == true } }
    /// After how many seconds without a measurement the device counts as silent, if it ever does.
    let silenceLimitSeconds: Double?

    /// A characteristic, and how far the subscription to it is.
    private struct Attribute {
        let uuid: BluetoothUUID
        /// Whether its values are taken.
        var isListening = false
        /// Whether the device has taken the subscription.
        var isSubscribed = false
        /// Other programs' subscriptions make bluetoothd send every value more than once.
        var copies = DuplicateNotificationFilter()
    }

    /// The first characteristic of each UUID.
    private let characteristics: [BluetoothUUID: BlueZCharacteristic]
    private let subscriptions: [BlueZCharacteristic]
    private let batteryPercentage: UInt8?
    private let measured: Set<String>
    /// The same characteristics by path.
    private var attributes: [String: Attribute]
    private var adapter: GATTAdapter
    private var receipts = ReceiptSequence()
    private var queue: [Operation] = []
    private var current: Operation?
    private var busyCount = 0
    /// A read that is only to show whether anybody is there; its answer is of no other use.
    private var probed: String?

    /// Makes the session with a device that has these characteristics; nil when it offers none of
    /// the profiles' services.
    ///
    /// - Parameters:
    ///   - profiles: What the device may be read with.
    ///   - characteristics: What it offers.
    ///   - batteryPercentage: What BlueZ knows of the battery by itself, if anything.
    init?(
        profiles: [any GATTProfile], characteristics: [BlueZCharacteristic],
        batteryPercentage: UInt8?
    ) {
        let services = Set(characteristics.map(\.service))
        let spoken = profiles.filter { services.contains($0.service) }
        guard !spoken.isEmpty else { return nil }
        silenceLimitSeconds = spoken.compactMap(\.silenceLimitSeconds).min()
        adapter = GATTAdapter(profiles: spoken)
        let table = Dictionary(characteristics.map { ($0.uuid, $0) }) { first, _ in first }
        self.characteristics = table
        attributes = Dictionary(table.map { ($1.path, Attribute(uuid: $0)) }) { first, _ in first }
        subscriptions = adapter.subscriptions.compactMap { table[$0] }.filter(\.canNotify)
        let wanted = Set(spoken.flatMap(\.subscriptions))
        measured = Set(subscriptions.filter { wanted.contains($0.uuid) }.map(\.path))
        self.batteryPercentage = batteryPercentage
    }

    /// Begins: what the adapter wants to know is read before measurements are subscribed to, so that
    /// the first of them already says whose it is.
    mutating func open(at now: BootInstant) -> [Link.Action] {
        for uuid in adapter.open() {
            guard let characteristic = characteristics[uuid], characteristic.canBeRead,
                !isBatteryOfDaemon(characteristic)
            else { continue }
            enqueue(.read(characteristic.path))
        }
        var actions = batteryPercentage.map { decode([$0], of: .batteryLevel, at: now) } ?? []
        for characteristic in subscriptions where !isBatteryOfDaemon(characteristic) {
            queue.append(.subscribe(characteristic.path))
        }
        askNext(&actions)
        return actions
    }

    /// Something that was asked has been answered, or refused; `isBusy` says that it may be asked again.
    mutating func finished(
        _ operation: Operation, with value: [UInt8]?, isBusy: Bool = false, at now: BootInstant
    ) -> [Link.Action] {
        guard operation == current else { return [] }
        current = nil
        guard !isBusy || busyCount == Self.busyLimit else {
            busyCount += 1
            wakeTime = now.adding(seconds: Self.busyPauseSeconds)
            queue.insert(operation, at: 0)
            return []
        }
        busyCount = 0
        var actions = settle(operation, with: value, at: now)
        askNext(&actions)
        return actions
    }

    private mutating func settle(
        _ operation: Operation, with value: [UInt8]?, at now: BootInstant
    ) -> [Link.Action] {
        switch (operation, value) {
        case (.read(let path), let value):
            let isProbe = probed == path
            if isProbe { probed = nil }
            guard !isProbe, let value, let uuid = attributes[path]?.uuid else { return [] }
            return decode(value, of: uuid, at: now)
        case (.subscribe(let path), .some): attributes[path]?.isSubscribed = true
        case (.subscribe(let path), nil):
            attributes[path]?.isListening = false
            attributes[path]?.isSubscribed = false
        case (.unsubscribe(let path), _): attributes[path]?.isSubscribed = false
        case (.write, _): break
        }
        return []
    }

    /// A characteristic has a new value.
    ///
    /// BlueZ tells the answer to a read in the same way; that one is not taken twice. Nor is the copy
    /// that it tells because another program has subscribed, too: it is only counted.
    mutating func received(
        _ value: [UInt8], from path: String, at now: BootInstant
    ) -> [Link.Action] {
        guard let index = attributes.index(forKey: path), attributes.values[index].isListening,
            current != .read(path)
        else { return [] }
        guard !attributes.values[index].copies.isCopy(value, at: now) else {
            return [.report(.dropped([.copy: 1]))]
        }
        var actions = decode(value, of: attributes.values[index].uuid, at: now)
        // It has said something, be it that there is nothing to say.
        if actions.allSatisfy(\.isEmptyPacket) { actions.append(.report(.seen(at: now))) }
        askNext(&actions)
        return actions
    }

    /// The subscriptions that the device has taken, in the order of their paths.
    var subscriptionPaths: [String] { attributes.filter(\.value.isListening).keys.sorted() }

    /// BlueZ tells the charge of the battery, in percent.
    ///
    /// Later versions do so although they leave the battery to us, too.
    mutating func battery(_ percentage: UInt8, at now: BootInstant) -> [Link.Action] {
        let path = characteristics[.batteryLevel]?.path
        guard path.flatMap({ attributes[$0] })?.isListening != true else { return [] }
        var actions = decode([percentage], of: .batteryLevel, at: now)
        askNext(&actions)
        return actions
    }

    /// The time that was asked for has come.
    mutating func wake(at now: BootInstant) -> [Link.Action] {
        if let due = wakeTime, due <= now { wakeTime = nil }
        var actions: [Link.Action] = []
        askNext(&actions)
        return actions
    }

    /// Asks for something harmless, to see whether anybody is there; nil when nothing can be read.
    ///
    /// What is being asked already will do.
    mutating func probe() -> [Link.Action]? {
        guard isReady else { return [] }
        let readable = characteristics.values.filter(\.canBeRead)
        guard let path = readable.map(\.path).min() else { return nil }
        probed = path
        queue.append(.read(path))
        var actions: [Link.Action] = []
        askNext(&actions)
        return actions
    }

    /// Subscribes once more, in case the device has forgotten.
    mutating func renew() -> [Link.Action] {
        for path in measured.sorted() { queue += [.unsubscribe(path), .subscribe(path)] }
        var actions: [Link.Action] = []
        askNext(&actions)
        return actions
    }

    private func isBatteryOfDaemon(_ characteristic: BlueZCharacteristic) -> Bool {
        characteristic.uuid == .batteryLevel && batteryPercentage != nil
    }

    /// Asks for what is next in the queue, unless something is being asked or BlueZ is too busy.
    private mutating func askNext(_ actions: inout [Link.Action]) {
        guard current == nil, wakeTime == nil, !queue.isEmpty else { return }
        let next = queue.removeFirst()
        // The first value may come before the answer.
        if case .subscribe(let path) = next { attributes[path]?.isListening = true }
        current = next
        actions.append(.perform(.converse(next)))
    }

    /// Reports what a value says, and queues what the profile wants written.
    private mutating func decode(
        _ value: [UInt8], of uuid: BluetoothUUID, at now: BootInstant
    ) -> [Link.Action] {
        let decoding = adapter.decode(value, of: uuid, at: now)
        var actions: [Link.Action] = []
        if !decoding.readings.isEmpty {
            let readings = decoding.readings.map { TimedReading($0, at: receipts.next(now)) }
            actions.append(.report(.readings(readings)))
        }
        if !decoding.drops.isEmpty {
            let drops = Dictionary(decoding.drops.map { ($0, 1) }, uniquingKeysWith: +)
            actions.append(.report(.dropped(drops)))
        }
        for write in decoding.writes {
            guard let characteristic = characteristics[write.characteristic],
                characteristic.canBeWritten
            else { continue }
            enqueue(.write(characteristic.path, write.bytes))
        }
        return actions
    }

    private mutating func enqueue(_ operation: Operation) {
        if queue.count < Self.queueLimit { queue.append(operation) }
    }
}

extension Link.Action {
    /// Whether it only reports that a packet was right and had no measurement in it.
    fileprivate var isEmptyPacket: Bool {
        guard case .report(.dropped(let drops)) = self else { return false }
        return drops.keys.allSatisfy { $0 == .empty }
    }
}
