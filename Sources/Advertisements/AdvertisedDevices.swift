import Bluetooth
import GatewayCore
import JSON
import Platform

/// The devices of a source, each with its adapter: advertisements go in, reports come out.
struct AdvertisedDevices: AdvertisementListener {
    /// The maximum number of devices with `devices: "any"`.
    static let deviceLimit = 512
    /// The time in seconds without an advertisement after which a device that is not selected by its
    /// address makes room for another one.
    static let replaceableSeconds = 60.0

    /// The devices that are selected by address.
    private let named: Set<BluetoothAddress>
    private let formats: [any AdvertisementFormat]
    private let context: ComponentContext
    /// The settings of the formats for a capture; nil without one.
    private let recordedSettings: JSONValue?
    private var devices: [BluetoothAddress: AdvertisedDevice] = [:]
    private var wakeTimes = WakeTimes<BluetoothAddress>()
    /// The devices that have not sent a measurement yet; such a device makes room for one that has.
    private var unproven: Set<BluetoothAddress> = []
    private var excess = ExcessDevices<BluetoothAddress>()
    private(set) var replacedCount = 0

    init(
        named: Set<BluetoothAddress>, formats: [any AdvertisementFormat],
        recordedSettings: JSONValue? = nil, context: ComponentContext
    ) {
        self.named = named
        self.formats = formats
        self.recordedSettings = recordedSettings
        self.context = context
    }

    var wakeTime: BootInstant? { .earlier(wakeTimes.earliest, excess.wakeTime) }
    var excessCount: Int { excess.count }

    mutating func received(
        _ advertisement: Advertisement, at now: BootInstant
    ) -> [DeviceReport] {
        let address = advertisement.address
        guard !context.quarantine.contains(address.description) else { return [] }
        let old = devices.removeValue(forKey: address)
        var device = old ?? makeDevice(address)
        let contents = device.received(advertisement, at: now)
        guard old == nil, !named.contains(address), devices.count >= Self.deviceLimit else {
            store(device)
            return reports(contents, of: address)
        }
        // Data without a measurement needs no place.
        guard !contents.isEmpty else { return [] }
        guard let replaced = replacement(for: device, at: now) else {
            excess.note(address, at: now)
            return []
        }
        let first = forget(replaced, "replaced by a device that is received", at: now)
        replacedCount += 1
        store(device)
        return first + reports(contents, of: address)
    }

    mutating func wake(at now: BootInstant) -> [DeviceReport] {
        excess.prune(at: now)
        var reports: [DeviceReport] = []
        for address in wakeTimes.removeDue(at: now) {
            guard var device = devices.removeValue(forKey: address) else { continue }
            let contents = device.wake(at: now)
            reports += self.reports(contents, of: address)
            if device.state == .gone, !named.contains(address) {
                unproven.remove(address)
                if !contents.isEmpty { reports += self.reports([.forgotten], of: address) }
            } else {
                store(device)
            }
        }
        return reports
    }

    /// Closes every device.
    ///
    /// Those that were not selected by their address are forgotten in the status, but not what they
    /// have sent.
    mutating func interrupt(_ reason: String, at now: BootInstant) -> [DeviceReport] {
        excess = ExcessDevices()
        var reports: [DeviceReport] = []
        for address in named.union(devices.keys).sorted() {
            var device = devices.removeValue(forKey: address) ?? makeDevice(address)
            let contents = device.interrupt(reason, at: now)
            store(device)
            reports += self.reports(finalContents(contents, of: address), of: address)
        }
        return reports
    }

    mutating func resume(at now: BootInstant) -> [DeviceReport] {
        named.sorted().filter { devices[$0]?.isOpen != true }.map {
            DeviceReport(device: $0.description, .link(.wanted, reason: "not received yet"))
        }
    }

    /// The device that makes room for another one: one without a measurement for one that has sent
    /// some, else the one that has been silent for the longest time.
    private func replacement(for new: AdvertisedDevice, at now: BootInstant) -> BluetoothAddress? {
        func oldest(_ addresses: some Sequence<BluetoothAddress>) -> BluetoothAddress? {
            addresses.filter { !named.contains($0) }.min { seen($0) < seen($1) }
        }
        func seen(_ address: BluetoothAddress) -> BootInstant {
            devices[address]?.lastSeen ?? now
        }
        if new.hasMeasured, let other = oldest(unproven) { return other }
        guard let other = oldest(devices.keys),
            now.seconds(since: seen(other)) >= Self.replaceableSeconds
        else { return nil }
        return other
    }

    private mutating func forget(
        _ address: BluetoothAddress, _ reason: String, at now: BootInstant
    ) -> [DeviceReport] {
        guard var device = devices.removeValue(forKey: address) else { return [] }
        wakeTimes.set(address, to: nil)
        unproven.remove(address)
        let contents = device.interrupt(reason, at: now)
        return reports(finalContents(contents, of: address), of: address)
    }

    /// The last reports about a device: one that was not selected by its address is forgotten.
    private func finalContents(
        _ contents: [DeviceReport.Content], of address: BluetoothAddress
    ) -> [DeviceReport.Content] {
        guard !named.contains(address) else { return contents }
        let isOpen = contents.contains { if case .closed = $0 { true } else { false } }
        return isOpen
            ? contents.filter { if case .link = $0 { false } else { true } } + [.forgotten] : []
    }

    private func reports(
        _ contents: [DeviceReport.Content], of address: BluetoothAddress
    ) -> [DeviceReport] {
        contents.map { DeviceReport(device: address.description, $0) }
    }

    /// Stores a device, unless nothing is known about it.
    private mutating func store(_ device: AdvertisedDevice) {
        let address = device.address
        wakeTimes.set(address, to: device.wakeTime)
        guard !device.isIdle || named.contains(address) else { return }
        devices[address] = device
        excess.remove(address)
        if device.hasMeasured { unproven.remove(address) } else { unproven.insert(address) }
    }

    private func makeDevice(_ address: BluetoothAddress) -> AdvertisedDevice {
        AdvertisedDevice(
            address, adapter: AdvertisementAdapter(formats: formats, address: address),
            mark: context.mark(for: address.description), recordedSettings: recordedSettings)
    }
}
