import HealthModel

/// Where the readings of all devices come together, are converted, and are published.
///
/// It keeps one converter for each device of each source, so that a link which breaks and comes back
/// goes on with the same counters; of very many devices it forgets those that have gone.
public actor Intake {
    private let bus: Bus
    private let clock: any GatewayClock
    private let people: People
    private let version: String
    private let log: Logger
    private var lastEpoch: ClockEpoch?
    private var devices: [DeviceKey: ConnectedDevice] = [:]
    private var troubles: [String: LinkError] = [:]

    /// So many devices are remembered: where anybody is welcome many come once and never again.
    static let deviceLimit = 1_000

    private struct DeviceKey: Hashable {
        let source: String
        let device: String
    }

    /// Makes an intake that publishes on a bus.
    ///
    /// `version` is said of every source.
    public init(
        bus: Bus, clock: any GatewayClock, people: People, version: String, log: Logger
    ) {
        self.bus = bus
        self.clock = clock
        self.people = people
        self.version = version
        self.log = log
    }

    /// The way in for the source with this name.
    public nonisolated func entrance(for source: String) -> any ReadingIntake {
        Entrance(source: source, intake: self)
    }

    private struct Entrance: ReadingIntake {
        let source: String
        let intake: Intake

        func take(_ report: DeviceReport) async {
            await intake.take(report, from: source)
        }

        func note(trouble: LinkError?) async {
            await intake.note(trouble, of: source)
        }
    }

    /// What keeps a source from all its devices, when it has said so.
    package func trouble(of source: String) -> LinkError? { troubles[source] }

    private func note(_ trouble: LinkError?, of source: String) {
        troubles[source] = trouble
    }

    private func take(_ report: DeviceReport, from source: String) async {
        let key = DeviceKey(source: source, device: report.device)
        if devices[key] == nil { makeRoom() }
        let conversion = devices[key, default: makeDevice(key)].take(report, in: currentEpoch())
        await bus.publish(conversion)
    }

    /// Forgets the device that has been gone for longest, when there are too many.
    private func makeRoom() {
        guard devices.count >= Self.deviceLimit else { return }
        let gone = devices.filter { key, device in
            !device.isConnected && people.binding(of: key.device) == nil
        }
        let never = BootInstant(nanoseconds: .min)
        let oldest = gone.min { ($0.value.lastHeard ?? never) < ($1.value.lastHeard ?? never) }
        guard let oldest else { return }
        oldest.value.logDrops()
        devices[oldest.key] = nil
    }

    /// The clock's epoch; a step of the wall clock is worth a word, for it shows in every later time.
    private func currentEpoch() -> ClockEpoch {
        let epoch = clock.epoch()
        defer { lastEpoch = epoch }
        if let lastEpoch, lastEpoch.number != epoch.number {
            let step = Double(epoch.offsetNanoseconds) - Double(lastEpoch.offsetNanoseconds)
            log.named("clock").warning("the wall clock was set", ["seconds": "\(step / 1e9)"])
        }
        return epoch
    }

    private func makeDevice(_ key: DeviceKey) -> ConnectedDevice {
        let converter = Converter(
            device: key.device, source: SourceRevision(name: key.source, version: version),
            person: people.person(wearing: key.device))
        return ConnectedDevice(
            key.device, name: people.binding(of: key.device)?.name, converter: converter,
            log: log.named(key.source))
    }

    /// How every device is doing that a source has spoken of, by source and identifier.
    package func deviceStatus() -> [DeviceStatus] {
        devices.map { key, device in device.status(source: key.source) }
            .sorted { ($0.source, $0.identifier) < ($1.source, $1.identifier) }
    }

    /// Says what was not used, device by device.
    public func logDrops() {
        for (_, device) in devices.sorted(by: { $0.key.device < $1.key.device }) {
            device.logDrops()
        }
    }
}
