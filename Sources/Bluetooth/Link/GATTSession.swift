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

    /// What came of an event.
    struct Outcome: Sendable {
        /// What the device said.
        var reports: [DeviceReport.Content] = []
        /// What to ask next; there is nothing else under way.
        var next: Operation?
    }

    /// More requests than these never wait: an adapter that makes more is not understood.
    static let queueLimit = 256
    /// How often a request is repeated that BlueZ is too busy for, and after how long each time.
    static let busyLimit = 10
    static let busyPauseSeconds = 0.1

    /// When it wants to be woken.
    var wakeTime: BootInstant? { [session.wakeTime, pauseEnd].compactMap { $0 }.min() }
    /// Whether everything that was asked at the beginning has been answered.
    var isReady: Bool { current == nil && queue.isEmpty }
    /// Whether the device has taken a subscription to what is measured.
    var isSubscribed: Bool { !subscribed.isDisjoint(with: measured) }
    /// After how many seconds without a measurement the device counts as silent, if it ever does.
    let silenceLimitSeconds: Double?

    private let table: [Channel: BlueZCharacteristic]
    private let subscriptions: [BlueZCharacteristic]
    private let batteryPercentage: UInt8?
    private let measured: Set<String>
    private let channels: [String: Channel]
    private var session: AdapterSession
    private var queue: [Operation] = []
    private var current: Operation?
    private var busyCount = 0
    /// Until then nothing is asked, because BlueZ was too busy.
    private var pauseEnd: BootInstant?
    /// A read that is only to show whether anybody is there; its answer is of no other use.
    private var probed: String?
    /// Whose values are taken.
    private var listening: Set<String> = []
    private var subscribed: Set<String> = []
    /// By path: other programs' subscriptions make bluetoothd tell everything more than once.
    private var copies: [String: DuplicateNotificationFilter] = [:]

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
        let adapter = GATTAdapter(profiles: spoken)
        let pairs = characteristics.map { (Channel($0.uuid), $0) }
        let table = Dictionary(pairs) { first, _ in first }
        self.table = table
        channels = Dictionary(table.map { ($1.path, $0) }) { first, _ in first }
        subscriptions = adapter.subscriptions.compactMap { table[Channel($0)] }.filter(\.canNotify)
        let wanted = Set(spoken.flatMap(\.subscriptions))
        measured = Set(subscriptions.filter { wanted.contains($0.uuid) }.map(\.path))
        self.batteryPercentage = batteryPercentage
        session = AdapterSession(adapter)
    }

    /// Begins: what the adapter wants to know is read before measurements are subscribed to, so that
    /// the first of them already says whose it is.
    mutating func open(at now: BootInstant) -> Outcome {
        var outcome = pass(.opened, at: now)
        if let batteryPercentage {
            let told = battery(batteryPercentage, at: now)
            outcome.reports += told.reports
            outcome.next = outcome.next ?? told.next
        }
        for characteristic in subscriptions where !isBatteryOfDaemon(characteristic) {
            queue.append(.subscribe(characteristic.path))
        }
        outcome.next = outcome.next ?? takeNext()
        return outcome
    }

    /// Something that was asked has been answered, or refused; `isBusy` says that it may be asked again.
    mutating func finished(
        _ operation: Operation, with value: [UInt8]?, isBusy: Bool = false, at now: BootInstant
    ) -> Outcome {
        guard operation == current else { return Outcome() }
        current = nil
        guard !isBusy || busyCount == Self.busyLimit else {
            busyCount += 1
            pauseEnd = now.adding(seconds: Self.busyPauseSeconds)
            queue.insert(operation, at: 0)
            return Outcome()
        }
        busyCount = 0
        var outcome = settle(operation, with: value, at: now)
        outcome.next = outcome.next ?? takeNext()
        return outcome
    }

    private mutating func settle(
        _ operation: Operation, with value: [UInt8]?, at now: BootInstant
    ) -> Outcome {
        switch (operation, value) {
        case (.read(let path), let value):
            let isProbe = probed == path
            if isProbe { probed = nil }
            guard !isProbe, let value, let channel = channels[path] else { return Outcome() }
            return pass(.received(value, on: channel), at: now)
        case (.subscribe(let path), .some): subscribed.insert(path)
        case (.subscribe(let path), nil):
            listening.remove(path)
            subscribed.remove(path)
        case (.unsubscribe(let path), _): subscribed.remove(path)
        case (.write, _): break
        }
        return Outcome()
    }

    /// A characteristic has a new value.
    ///
    /// BlueZ tells the answer to a read in the same way; that one is not taken twice. Nor is the copy
    /// that it tells because another program has subscribed, too: it is only counted.
    mutating func received(_ value: [UInt8], from path: String, at now: BootInstant) -> Outcome {
        guard listening.contains(path), current != .read(path), let channel = channels[path]
        else { return Outcome() }
        guard !copies[path, default: DuplicateNotificationFilter()].isCopy(value, at: now)
        else { return Outcome(reports: [.dropped([.copy: 1])]) }
        var outcome = pass(.received(value, on: channel), at: now)
        // It has said something, be it that there is nothing to say.
        if outcome.reports.allSatisfy(\.isEmptyPacket) { outcome.reports.append(.heard(at: now)) }
        return outcome
    }

    /// The subscriptions that the device has taken, in the order of their paths.
    var subscriptionPaths: [String] { listening.sorted() }

    /// BlueZ tells the charge of the battery, in percent.
    ///
    /// Later versions do so although they leave the battery to us, too.
    mutating func battery(_ percentage: UInt8, at now: BootInstant) -> Outcome {
        guard table[Channel(.batteryLevel)].map({ listening.contains($0.path) }) != true
        else { return Outcome() }
        return pass(.received([percentage], on: Channel(.batteryLevel)), at: now)
    }

    /// The time that was asked for has come.
    mutating func wake(at now: BootInstant) -> Outcome {
        if let due = pauseEnd, due <= now { pauseEnd = nil }
        guard let due = session.wakeTime, due <= now else { return Outcome(next: takeNext()) }
        return pass(.timer, at: now)
    }

    /// The connection is over.
    mutating func close(at now: BootInstant) -> [DeviceReport.Content] {
        pass(.closed, at: now).reports
    }

    /// Asks for something harmless, to see whether anybody is there; nil when nothing can be read.
    ///
    /// What is being asked already will do.
    mutating func probe() -> Outcome? {
        guard isReady else { return Outcome() }
        guard let readable = table.values.filter(\.canBeRead).min(by: { $0.path < $1.path })
        else { return nil }
        probed = readable.path
        queue.append(.read(readable.path))
        return Outcome(next: takeNext())
    }

    /// Subscribes once more, in case the device has forgotten.
    mutating func renew() -> Outcome {
        for path in measured.sorted() { queue += [.unsubscribe(path), .subscribe(path)] }
        return Outcome(next: takeNext())
    }

    private func isBatteryOfDaemon(_ characteristic: BlueZCharacteristic) -> Bool {
        characteristic.uuid == .batteryLevel && batteryPercentage != nil
    }

    private mutating func takeNext() -> Operation? {
        guard current == nil, pauseEnd == nil, !queue.isEmpty else { return nil }
        let next = queue.removeFirst()
        // The first value may come before the answer.
        if case .subscribe(let path) = next { listening.insert(path) }
        current = next
        return next
    }

    /// Hands an event to the adapter, and queues what it asks for.
    private mutating func pass(_ event: AdapterEvent.Kind, at now: BootInstant) -> Outcome {
        let result = session.handle(event, at: now)
        var outcome = Outcome()
        if !result.readings.isEmpty { outcome.reports.append(.readings(result.readings)) }
        if !result.drops.isEmpty { outcome.reports.append(.dropped(result.drops)) }
        for channel in result.reads {
            guard let characteristic = table[channel], characteristic.canBeRead,
                !isBatteryOfDaemon(characteristic)
            else { continue }
            enqueue(.read(characteristic.path))
        }
        for send in result.sends {
            guard let characteristic = table[send.channel], characteristic.canBeWritten
            else { continue }
            enqueue(.write(characteristic.path, send.bytes))
        }
        outcome.next = takeNext()
        return outcome
    }

    private mutating func enqueue(_ operation: Operation) {
        if queue.count < Self.queueLimit { queue.append(operation) }
    }
}

extension DeviceReport.Content {
    /// Whether it only says that a packet was right and had no measurement in it.
    fileprivate var isEmptyPacket: Bool {
        if case .dropped(let drops) = self { drops.keys.allSatisfy { $0 == .empty } } else { false }
    }
}
