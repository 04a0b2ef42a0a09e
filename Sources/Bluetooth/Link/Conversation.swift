import GatewayCore

/// What is said on one connection: reads, subscriptions and writes one after the other, and the values
/// that come.
///
/// A device may lack anything that the adapter asks for: then it is left out. BlueZ refuses a second
/// request for an attribute while one is under way, so there is only ever one.
struct Conversation: Sendable {
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
    /// How often a request is repeated that BlueZ is too busy for.
    static let busyLimit = 3

    /// When the adapter wants to be woken.
    var wakeTime: BootInstant? { session.wakeTime }
    /// Whether everything that was asked at the beginning has been answered.
    var isReady: Bool { current == nil && queue.isEmpty }
    /// Whether the device takes the subscriptions to what is measured.
    private(set) var isSubscribed = false

    private let table: [Channel: BlueZCharacteristic]
    private let subscriptions: [BlueZCharacteristic]
    private let batteryPercentage: UInt8?
    private let measured: Set<String>
    private let channels: [String: Channel]
    private var session: AdapterSession
    private var queue: [Operation] = []
    private var current: Operation?
    private var busyCount = 0
    /// A read that is only to show whether anybody is there; its answer is of no other use.
    private var probed: String?
    private var listening: Set<String> = []

    /// Makes the conversation with a device that has these characteristics; nil when it offers none of
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
            outcome.reports += battery(batteryPercentage, at: now).reports
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
        if isBusy, busyCount < Self.busyLimit {
            busyCount += 1
            queue.insert(operation, at: 0)
        } else {
            busyCount = 0
        }
        var outcome = Outcome()
        switch (operation, value) {
        case (.read(let path), let value?):
            if probed == path {
                probed = nil
            } else if let channel = channels[path] {
                outcome = pass(.received(value, on: channel), at: now)
            }
        case (.subscribe(let path), .some): isSubscribed = isSubscribed || measured.contains(path)
        case (.subscribe(let path), nil) where !isBusy: listening.remove(path)
        default: break
        }
        outcome.next = outcome.next ?? takeNext()
        return outcome
    }

    /// A characteristic has a new value.
    ///
    /// BlueZ tells the answer to a read in the same way; that one is not taken twice.
    mutating func received(_ value: [UInt8], from path: String, at now: BootInstant) -> Outcome {
        guard listening.contains(path), current != .read(path), let channel = channels[path]
        else { return Outcome() }
        return pass(.received(value, on: channel), at: now)
    }

    /// BlueZ tells the charge of the battery, in percent.
    mutating func battery(_ percentage: UInt8, at now: BootInstant) -> Outcome {
        pass(.received([percentage], on: Channel(.batteryLevel)), at: now)
    }

    /// The adapter's time has come.
    mutating func wake(at now: BootInstant) -> Outcome {
        pass(.timer, at: now)
    }

    /// The connection is over.
    mutating func close(at now: BootInstant) -> [DeviceReport.Content] {
        pass(.closed, at: now).reports
    }

    /// Asks for something harmless, to see whether anybody is there; nil when nothing can be read.
    mutating func probe() -> Operation? {
        guard current == nil else { return current }
        guard let readable = table.values.filter(\.canBeRead).min(by: { $0.path < $1.path })
        else { return nil }
        probed = readable.path
        queue.insert(.read(readable.path), at: 0)
        return takeNext()
    }

    /// Subscribes once more, in case the device has forgotten.
    mutating func renew() -> Operation? {
        for path in measured.sorted() { queue += [.unsubscribe(path), .subscribe(path)] }
        return takeNext()
    }

    private func isBatteryOfDaemon(_ characteristic: BlueZCharacteristic) -> Bool {
        characteristic.uuid == .batteryLevel && batteryPercentage != nil
    }

    private mutating func takeNext() -> Operation? {
        guard current == nil, !queue.isEmpty else { return nil }
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
