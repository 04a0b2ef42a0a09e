import HealthModel
import Platform

/// Every device of each source, with its converter, so that a link which breaks and comes back goes on with
/// the same counters; of very many devices it forgets those that have gone.
struct DeviceTable {
    /// A device of a source.
    private struct Key: Hashable {
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

    /// The device that a source reports about, whether or not it was known.
    mutating func device(_ identifier: String, of source: String) -> ConnectedDevice {
        let key = Key(source: source, device: identifier)
        if let device = devices[key] { return device }
        makeRoom()
        let device = makeDevice(key)
        devices[key] = device
        return device
    }

    /// Forgets a device of a source; what waits to be dated is still converted.
    mutating func forget(_ identifier: String, of source: String) {
        devices.removeValue(forKey: Key(source: source, device: identifier))?.logDrops()
    }

    /// From now on other people wear the devices, or call them by other names.
    mutating func rebind(to people: People, in epoch: ClockEpoch) {
        self.people = people
        for (key, device) in devices {
            device.rebind(
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
        let oldest = gone.min { ($0.value.lastSeen ?? never) < ($1.value.lastSeen ?? never) }
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
