import HealthModel

/// Where the readings of all devices come together, are converted, and are published.
///
/// It keeps one converter for each device of each source for as long as the gateway runs, so that a
/// link which breaks and comes back goes on with the same counters.
public actor Intake {
    private let bus: Bus
    private let clock: any GatewayClock
    private let people: People
    private let version: String
    private let log: Logger
    private var devices: [DeviceKey: Entry] = [:]

    private struct DeviceKey: Hashable {
        let source: String
        let device: String
    }

    private struct Entry {
        var converter: Converter
        var isConnected = false
        var drops: [DropReason: Int] = [:]
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
    }

    private func take(_ report: DeviceReport, from source: String) async {
        let key = DeviceKey(source: source, device: report.device)
        var state = devices[key] ?? makeState(for: key)
        let conversion = convert(report, with: &state, log: log.named(source))
        devices[key] = state
        await bus.publish(conversion)
    }

    private func makeState(for key: DeviceKey) -> Entry {
        Entry(
            converter: Converter(
                device: key.device, source: SourceRevision(name: key.source, version: version),
                person: people.person(wearing: key.device)))
    }

    private func convert(
        _ report: DeviceReport, with state: inout Entry, log: Logger
    ) -> Conversion {
        let epoch = clock.epoch()
        switch report.content {
        case .opened(let device, let moment):
            state.isConnected = true
            log.info("connected", ["device": report.device])
            let named = Device(name: people.binding(of: report.device)?.name)
            return state.converter.linkOpened(device.merging(named), at: moment, in: epoch)
        case .readings(let readings):
            return state.converter.convert(readings, in: epoch)
        case .dropped(let drops):
            note(drops, in: &state, of: report.device, log)
            return Conversion()
        case .stale(let moment, let reason):
            log.warning("silent", ["device": report.device, "reason": reason])
            return state.converter.linkChanged(
                to: .stale, reason: reason, at: moment, in: epoch)
        case .closed(let moment, let reason):
            defer { state.isConnected = false }
            guard state.isConnected else { return Conversion() }
            log.info("disconnected", ["device": report.device, "reason": reason])
            return state.converter.linkChanged(
                to: .disconnected, reason: reason, at: moment, in: epoch)
        }
    }

    /// Counts what could not be used, and says so the first time for every reason.
    private func note(
        _ drops: [DropReason: Int], in state: inout Entry, of device: String, _ log: Logger
    ) {
        for (reason, count) in drops {
            if state.drops[reason] == nil {
                log.info(
                    "something the device sent cannot be used; from now on it is only counted",
                    ["device": device, "reason": reason.rawValue])
            }
            state.drops[reason, default: 0] += count
        }
    }

    /// Says what could not be used, device by device.
    public func logDrops() {
        for (key, state) in devices.sorted(by: { $0.key.device < $1.key.device }) {
            for reason in DropReason.allCases {
                guard let count = state.drops[reason] else { continue }
                log.named(key.source).info(
                    "could not be used",
                    ["device": key.device, "reason": reason.rawValue, "count": "\(count)"])
            }
        }
    }
}
