import Bluetooth
import GatewayCore
import JSON
import Platform

/// The devices of a source, each with its adapter: advertisements go in, reports come out.
struct AdvertisedDevices: AdvertisementListener {
    /// The maximum number of devices with `devices: "any"`.
    static let deviceLimit = 512
    /// The most devices beyond it that are counted.
    private static let excessLimit = 10_000

    /// The devices that are selected by address.
    private let named: Set<BluetoothAddress>
    private let formats: [any AdvertisementFormat]
    private let context: ComponentContext
    /// The settings of the formats for a capture; nil without one.
    private let recordedSettings: JSONValue?
    private var devices: [BluetoothAddress: AdvertisedDevice] = [:]
    private var wakeTimes = WakeTimes<BluetoothAddress>()
    private var excess: Set<BluetoothAddress> = []

    init(
        named: Set<BluetoothAddress>, formats: [any AdvertisementFormat],
        recordedSettings: JSONValue? = nil, context: ComponentContext
    ) {
        self.named = named
        self.formats = formats
        self.recordedSettings = recordedSettings
        self.context = context
    }

    var wakeTime: BootInstant? { wakeTimes.earliest }
    var excessCount: Int { excess.count }

    mutating func received(
        _ advertisement: Advertisement, at now: BootInstant
    ) -> [DeviceReport] {
        let address = advertisement.address
        guard !context.quarantine.contains(address.description) else { return [] }
        guard devices[address] != nil || hasRoom(for: address) else { return [] }
        return change(address) { $0.received(advertisement, at: now) }
    }

    mutating func wake(at now: BootInstant) -> [DeviceReport] {
        var reports: [DeviceReport] = []
        for address in wakeTimes.removeDue(at: now) {
            reports += change(address) { $0.wake(at: now) }
            if devices[address]?.state == .gone { reports += forget(address) }
        }
        return reports
    }

    mutating func interrupt(_ reason: String, at now: BootInstant) -> [DeviceReport] {
        excess = []
        let known = named.union(devices.keys).sorted()
        return known.flatMap { address in change(address) { $0.interrupt(reason, at: now) } }
    }

    /// Whether another device can be read.
    private mutating func hasRoom(for address: BluetoothAddress) -> Bool {
        if named.contains(address) || devices.count < Self.deviceLimit { return true }
        if excess.count < Self.excessLimit { excess.insert(address) }
        return false
    }

    /// Forgets a device that is gone and was not selected by its address.
    private mutating func forget(_ address: BluetoothAddress) -> [DeviceReport] {
        excess = []
        guard !named.contains(address) else { return [] }
        devices[address] = nil
        return [DeviceReport(device: address.description, .forgotten)]
    }

    private mutating func change(
        _ address: BluetoothAddress,
        _ body: (inout AdvertisedDevice) -> [DeviceReport.Content]
    ) -> [DeviceReport] {
        var device = devices.removeValue(forKey: address) ?? makeDevice(address)
        let contents = body(&device)
        if !device.isIdle || named.contains(address) { devices[address] = device }
        wakeTimes.set(address, to: device.wakeTime)
        return contents.map { DeviceReport(device: address.description, $0) }
    }

    private func makeDevice(_ address: BluetoothAddress) -> AdvertisedDevice {
        AdvertisedDevice(
            address, adapter: AdvertisementAdapter(formats: formats, address: address),
            mark: context.mark(for: address.description), recordedSettings: recordedSettings)
    }
}
