public import HealthModel
public import Platform

/// The converter from the readings of one device to samples and events.
///
/// It is a value without I/O: the same readings make the same records. It calculates in boot time;
/// the current epoch maps that to UTC.
public struct Converter: Sendable {
    /// The maximum number of streams: no device measures more types.
    static let streamLimit = 64

    /// The known properties of the device.
    package internal(set) var device: Device { didSet { noteChange() } }
    /// The source of the samples.
    package let source: SourceRevision
    /// The person of later samples.
    package var person: String? { didSet { noteChange() } }
    let identifier: String
    let eventSeed: RecordID.Seed
    var lastEvent: (receipt: BootInstant, index: UInt64)?
    /// The id that the source gives to the records of the current reading, and their number so far.
    private var givenID: (id: RecordID, count: Int)?
    var isIdentityNew = false
    /// Whether the last sample was made while the clock was not set.
    var wasClockUnset = false
    /// The declared types; a stream starts anew when the definition of its type changes.
    package var types: QuantityTypes {
        didSet { streams.removeAll { $0.fault != $0.type.fault(in: types) } }
    }
    /// The time zone of a device that reports local time.
    let calendar: LocalCalendar
    /// The streams by type: so few that a linear search is faster than a dictionary.
    var streams: [ReadingStream] = []
    var beatClock = BeatClock()
    /// Whether the sensor touches the skin, as reported on the open link.
    package internal(set) var contact: Bool?
    /// The battery's charge from 0 to 1, as reported on the open link.
    package internal(set) var battery: Double?

    /// Makes a converter for a device.
    ///
    /// - Parameters:
    ///   - identifier: The device's local identifier, the path of a port or a radio address.
    ///   - source: The source of the samples.
    ///   - person: The person who wears the device.
    ///   - types: The declared types; a reading of another one is discarded.
    ///   - calendar: The time zone of a device that reports local time.
    public init(
        device identifier: String, source: SourceRevision, person: String?,
        types: QuantityTypes = .standard, calendar: LocalCalendar = .utc
    ) {
        self.identifier = identifier
        self.source = source
        self.person = person
        self.types = types
        self.calendar = calendar
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
        for index in streams.indices { streams[index].linkOpened() }
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
            convert(timed, at: timed.receipt, in: epoch, to: &conversion)
        }
        return conversion
    }

    /// Notes that the next sample of each stream has other properties than its last one.
    mutating func noteChange() {
        for index in streams.indices { streams[index].isSteady = false }
    }

    /// Returns the id of a record: the one that its source knows, or a new one.
    mutating func makeID(start: Instant, seed: RecordID.Seed, key: UInt64) -> RecordID {
        guard let (id, count) = givenID else {
            return RecordID(start: start, seed: seed, key: key)
        }
        givenID?.count += 1
        return id.following(count)
    }

    private mutating func convert(
        _ timed: TimedReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        if case .identity(let known) = timed.reading {
            let merged = device.merging(known)
            isIdentityNew = isIdentityNew || merged != device
            device = merged
            return
        }
        announceIdentity(at: receipt, in: epoch, to: &conversion)
        givenID = timed.id.map { ($0, 0) }
        defer { givenID = nil }
        switch timed.reading {
        case .instant(let type, let quantity, let measured):
            add(type, quantity, measured: measured, at: receipt, in: epoch, to: &conversion)
        case .counter(let counter):
            add(counter, at: receipt, in: epoch, to: &conversion)
        case .beats(let beats):
            add(beats, at: receipt, in: epoch, to: &conversion)
        case .waveform(let waveform):
            add(waveform, at: receipt, in: epoch, to: &conversion)
        case .correlation(let correlation):
            add(correlation, at: receipt, in: epoch, to: &conversion)
        case .state(let state):
            add(state, at: receipt, in: epoch, to: &conversion)
        case .identity:
            break
        case .metadata(let metadata, let type):
            guard let index = stream(of: type, faults: &conversion.faults) else { return }
            try? streams[index].metadata.merge(metadata)
        }
    }
}
