public import HealthModel
public import Platform

/// The converter from the readings of one device to samples and events.
///
/// It is a value without I/O: the same readings make the same records. It calculates in boot time;
/// the current epoch maps that to UTC.
public struct Converter: Sendable {
    /// The known properties of the device.
    private(set) var device: Device
    private let source: SourceRevision
    /// The person of later samples.
    var person: String?
    private let identifier: String
    private let eventSeed: RecordID.Seed
    private var lastEvent: (receipt: BootInstant, index: UInt64)?
    private var isIdentityNew = false
    /// The streams by type: so few that a linear search is faster than a dictionary.
    private var streams: [Stream] = []
    private var beatClock = BeatClock()
    /// Whether the sensor touches the skin, as reported on the open link.
    private(set) var contact: Bool?
    /// The battery's charge from 0 to 1, as reported on the open link.
    private(set) var battery: Double?

    /// The state of one quantity type.
    private struct Stream: Sendable {
        let type: QuantityType
        let seed: RecordID.Seed
        var counter = CounterStream()
        var metadata = Metadata()
        var lastID: RecordID?
    }

    /// Makes a converter for a device.
    ///
    /// - Parameters:
    ///   - identifier: The device's local identifier, the path of a port or a radio address.
    ///   - source: The source of the samples.
    ///   - person: The person who wears the device.
    public init(device identifier: String, source: SourceRevision, person: String?) {
        self.identifier = identifier
        self.source = source
        self.person = person
        device = Device(localIdentifier: identifier)
        eventSeed = RecordID.Seed(device: identifier, stream: "event")
    }

    /// Handles an opened link: counters and beats may have been reset.
    ///
    /// `known` has the properties that the transport knows.
    public mutating func linkOpened(
        _ known: Device, at receipt: BootInstant, in epoch: ClockEpoch
    ) -> Conversion {
        device = device.merging(known)
        contact = nil
        battery = nil
        beatClock.restart()
        for index in streams.indices { streams[index].counter.linkOpened() }
        var conversion = Conversion()
        announce(DeviceState(connection: .connected), at: receipt, in: epoch, to: &conversion)
        return conversion
    }

    /// Handles a changed link state, which ends the chain of beats.
    public mutating func linkChanged(
        to connection: DeviceState.Connection, reason: String, at receipt: BootInstant,
        in epoch: ClockEpoch
    ) -> Conversion {
        beatClock.restart()
        var conversion = Conversion()
        announceIdentity(at: receipt, in: epoch, to: &conversion)
        announce(
            DeviceState(connection: connection), reason: reason, at: receipt, in: epoch,
            to: &conversion)
        return conversion
    }

    /// Converts readings in the order of their receipts.
    public mutating func convert(_ readings: [TimedReading], in epoch: ClockEpoch) -> Conversion {
        var conversion = Conversion()
        conversion.records.reserveCapacity(readings.count)
        for timed in readings {
            convert(timed.reading, at: timed.receipt, in: epoch, to: &conversion)
        }
        return conversion
    }

    private mutating func convert(
        _ reading: Reading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        if case .identity(let known) = reading {
            let merged = device.merging(known)
            isIdentityNew = isIdentityNew || merged != device
            device = merged
            return
        }
        announceIdentity(at: receipt, in: epoch, to: &conversion)
        switch reading {
        case .instant(let type, let quantity):
            let key = UInt64(bitPattern: receipt.nanoseconds)
            addSample(
                type, quantity, from: receipt, to: receipt, key: key, in: epoch, to: &conversion)
        case .counter(let counter):
            add(counter, at: receipt, in: epoch, to: &conversion)
        case .beats(let beats):
            add(beats, at: receipt, in: epoch, to: &conversion)
        case .state(let state):
            guard let change = change(to: state) else { return }
            announce(
                change, reason: change == DeviceState() ? "contact is no longer reported" : nil,
                at: receipt, in: epoch, to: &conversion)
        case .identity:
            break
        case .metadata(let metadata, let type):
            withStream(type) { try? $0.metadata.merge(metadata) }
        }
    }

    private mutating func add(
        _ counter: CounterReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        switch withStream(counter.type, { $0.counter.add(counter, at: receipt) }) {
        case .nothing:
            break
        case .impossible:
            conversion.implausible += 1
        case .counted(let amount, let start, let end):
            addSample(
                counter.type, try? Quantity(amount, counter.unit), from: start, to: end,
                key: Self.key(counter.value.bitPattern, at: start), in: epoch, to: &conversion)
        }
    }

    private mutating func add(
        _ beats: BeatsReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        for interval in beatClock.intervals(from: beats, at: receipt) {
            let beat = UInt64(interval.beat)
            let key =
                beats.history != nil
                ? Self.key(beat, at: interval.start)
                // Spaced by the maximum number of beats of a reading, so that keys are unique.
                : UInt64(bitPattern: receipt.nanoseconds) &* 65_536 &+ beat
            addSample(
                .rrInterval, try? Quantity(interval.milliseconds, .millisecond),
                from: interval.start, to: interval.end, key: key, in: epoch, to: &conversion)
        }
    }

    /// Returns a key that is unique even if the wall clock is set back and a UTC time repeats.
    ///
    /// It combines the number with the boot time, which never repeats. Multiplication by an odd
    /// constant, the bits of the golden ratio, is injective and spreads numbers over all bits.
    private static func key(_ number: UInt64, at moment: BootInstant) -> UInt64 {
        number &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: moment.nanoseconds)
    }

    /// Returns the changed state to announce; nil if unchanged.
    ///
    /// Lost contact ends the chain of beats.
    private mutating func change(to state: StateReading) -> DeviceState? {
        switch state {
        case .contact(let isOnSkin):
            if isOnSkin == false { beatClock.restart() }
            guard contact != isOnSkin else { return nil }
            contact = isOnSkin
            return DeviceState(contact: isOnSkin)
        case .battery(let charge):
            guard (0...1).contains(charge), battery != charge else { return nil }
            battery = charge
            return DeviceState(battery: charge)
        }
    }

    /// Adds a sample, or counts it as implausible or duplicate.
    private mutating func addSample(
        _ type: QuantityType, _ quantity: Quantity?, from start: BootInstant, to end: BootInstant,
        key: UInt64, in epoch: ClockEpoch, to conversion: inout Conversion
    ) {
        let (device, source, person) = (device, source, person)
        let (start, end) = (epoch.instant(at: start), epoch.instant(at: end))
        withStream(type) { stream in
            let id = RecordID(start: start, seed: stream.seed, key: key)
            guard let quantity, type.isPlausible(quantity),
                let sample = try? QuantitySample(
                    id: id, type: type, start: start, end: end, quantity: quantity, person: person,
                    device: device, source: source, metadata: stream.metadata.marked(in: epoch))
            else {
                conversion.implausible += 1
                return
            }
            guard stream.lastID != id else {
                conversion.duplicate += 1
                return
            }
            stream.lastID = id
            conversion.records.append(.sample(sample))
        }
    }

    /// Announces a new identity, which devices report in several parts, with one event.
    private mutating func announceIdentity(
        at receipt: BootInstant, in epoch: ClockEpoch, to conversion: inout Conversion
    ) {
        guard isIdentityNew else { return }
        isIdentityNew = false
        announce(DeviceState(), reason: "identified", at: receipt, in: epoch, to: &conversion)
    }

    private mutating func announce(
        _ state: DeviceState, reason: String? = nil, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        let now = epoch.instant(at: receipt)
        let index = lastEvent.map { $0.receipt == receipt ? $0.index + 1 : 0 } ?? 0
        lastEvent = (receipt, index)
        let id = RecordID(start: now, seed: eventSeed, key: Self.key(index, at: receipt))
        conversion.records.append(
            .event(
                DeviceEvent(
                    id: id, at: now, device: device, source: source, person: person, state: state,
                    reason: reason, metadata: Metadata().marked(in: epoch))))
    }

    private mutating func withStream<Result>(
        _ type: QuantityType, _ body: (inout Stream) -> Result
    ) -> Result {
        if let index = streams.firstIndex(where: { $0.type == type }) {
            return body(&streams[index])
        }
        let seed = RecordID.Seed(device: identifier, stream: type.name)
        streams.append(Stream(type: type, seed: seed))
        return body(&streams[streams.count - 1])
    }
}

extension Metadata {
    /// Returns this metadata with ``HealthModel/MetadataKey/clockUnset`` if the time is estimated.
    fileprivate func marked(in epoch: ClockEpoch) -> Metadata {
        guard epoch.isUnset else { return self }
        // If there is no space for the mark, it replaces the device's metadata.
        for var metadata in [self, Metadata()] {
            if (try? metadata.set(true, for: .clockUnset)) != nil { return metadata }
        }
        return self
    }
}

extension QuantityType {
    /// Returns whether a value is in the plausible range.
    fileprivate func isPlausible(_ quantity: Quantity) -> Bool {
        guard let value = try? quantity.value(in: canonicalUnit) else { return false }
        return plausibleRange?.contains(value) ?? true
    }
}
