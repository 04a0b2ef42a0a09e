import HealthModel
import Platform
import Readings

/// The devices of all sources with their converters.
///
/// A device that reconnects continues with the same counters. Above ``limit`` devices, disconnected
/// ones are evicted.
struct DeviceTable {
    /// A device of a source.
    private struct Key: Hashable {
        let source: String
        let device: String
    }

    /// The maximum number of devices: a source without a fixed list may see many devices once.
    static let limit = 1_000

    /// The people and the devices that they wear.
    private(set) var people: People
    /// The declared types.
    var types: QuantityTypes {
        didSet { for device in devices.values { device.types = types } }
    }
    private let calendar: LocalCalendar
    private let version: String
    private let log: Logger
    private var devices: [Key: ConnectedDevice] = [:]

    init(
        people: People, types: QuantityTypes, calendar: LocalCalendar, version: String, log: Logger
    ) {
        self.people = people
        self.types = types
        self.calendar = calendar
        self.version = version
        self.log = log
    }

    /// Returns the device of a source, creating it if it is new.
    mutating func device(_ identifier: String, of source: String) -> ConnectedDevice {
        let key = Key(source: source, device: identifier)
        if let device = devices[key] { return device }
        evictOldest()
        let device = makeDevice(key)
        devices[key] = device
        return device
    }

    /// Removes a device of a source; its undated reports are still converted.
    mutating func forget(_ identifier: String, of source: String) {
        devices.removeValue(forKey: Key(source: source, device: identifier))?.logDrops()
    }

    /// Changes the people who wear the devices and the devices' names.
    mutating func rebind(to people: People, in epoch: ClockEpoch) {
        self.people = people
        for (key, device) in devices {
            device.rebind(
                to: people.person(wearing: key.device), name: people.binding(of: key.device)?.name,
                in: epoch)
        }
    }

    /// Removes the devices of a source.
    mutating func forget(source: String) {
        for (key, device) in devices where key.source == source {
            device.logDrops()
            devices[key] = nil
        }
    }

    /// The status of every device, sorted by source and identifier.
    var status: [DeviceStatus] {
        devices.map { key, device in device.status(source: key.source) }
            .sorted { ($0.source, $0.identifier) < ($1.source, $1.identifier) }
    }

    /// Logs the counts of discarded input of every device.
    func logDrops() {
        for (_, device) in devices.sorted(by: { $0.key.device < $1.key.device }) {
            device.logDrops()
        }
    }

    /// Removes the device that was disconnected for longest if there are too many.
    private mutating func evictOldest() {
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
            person: people.person(wearing: key.device), types: types, calendar: calendar)
        return ConnectedDevice(
            key.device, name: people.binding(of: key.device)?.name, converter: converter,
            log: log.named(key.source))
    }
}
