import HealthModel
import Platform

/// Every device of each source, with its converter, so that a link which breaks and comes back goes on with
/// the same counters; of very many devices it forgets those that have gone.
struct DeviceTable {
    /// A device of a source.
    struct Key: Hashable, Sendable {
        let source: String
        let device: String
    }

    /// So many devices are remembered: where anybody is welcome many come once and never again.
    static let limit = 1_000

    /// Who wears what.
    private(set) var people: People
    private let version: String
    private let log: Logger
    private var devices: [Key: ConnectedDevice] = [:]

    init(people: People, version: String, log: Logger) {
        self.people = people
        self.version = version
        self.log = log
    }

    /// Notes what a source reports; nil when no record comes of it.
    mutating func note(_ report: DeviceReport, from source: String) -> UndatedReport? {
        let key = Key(source: source, device: report.device)
        if case .forgotten = report.content {
            devices.removeValue(forKey: key)?.logDrops()
            return nil
        }
        if devices[key] == nil {
            makeRoom()
            devices[key] = makeDevice(key)
        }
        return devices[key]?.note(report).map { UndatedReport(device: key, content: $0) }
    }

    /// Makes records of what was noted; for each device in the same order.
    mutating func convert(_ report: UndatedReport, in epoch: ClockEpoch) -> Conversion {
        let key = report.device
        // It may have been forgotten while its report waited.
        if devices[key] == nil { devices[key] = makeDevice(key) }
        return devices[key]?.convert(report.content, in: epoch) ?? Conversion()
    }

    /// Writes the lines of a device's records.
    mutating func batch(_ records: [Record], of device: Key) -> RecordBatch {
        devices[device]?.batch(records) ?? RecordBatch(records)
    }

    /// From now on other people wear the devices, or call them by other names.
    mutating func rebind(to people: People, in epoch: ClockEpoch) {
        self.people = people
        for key in devices.keys {
            devices[key]?.rebind(
                to: people.person(wearing: key.device), name: people.binding(of: key.device)?.name,
                in: epoch)
        }
    }

    /// Forgets the devices of a source.
    mutating func forget(source: String) {
        for (key, device) in devices where key.source == source {
            device.logDrops()
            devices[key] = nil
        }
    }

    /// How every device is doing that a source has spoken of, by source and identifier.
    var status: [DeviceStatus] {
        devices.map { key, device in device.status(source: key.source) }
            .sorted { ($0.source, $0.identifier) < ($1.source, $1.identifier) }
    }

    /// Says what was not used, device by device.
    func logDrops() {
        for (_, device) in devices.sorted(by: { $0.key.device < $1.key.device }) {
            device.logDrops()
        }
    }

    /// Forgets the device that has been gone for longest, when there are too many.
    private mutating func makeRoom() {
        guard devices.count >= Self.limit else { return }
        let gone = devices.filter { key, device in
            !device.isConnected && people.binding(of: key.device) == nil
        }
        let never = BootInstant(nanoseconds: .min)
        let oldest = gone.min { ($0.value.lastHeard ?? never) < ($1.value.lastHeard ?? never) }
        guard let oldest else { return }
        oldest.value.logDrops()
        devices[oldest.key] = nil
    }

    private func makeDevice(_ key: Key) -> ConnectedDevice {
        let converter = Converter(
            device: key.device, source: SourceRevision(name: key.source, version: version),
            person: people.person(wearing: key.device))
        return ConnectedDevice(
            key.device, name: people.binding(of: key.device)?.name, converter: converter,
            log: log.named(key.source))
    }
}
