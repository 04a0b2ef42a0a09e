public import Advertisements
public import Bluetooth
import GatewayCore
public import GatewayTesting
public import HealthModel
import JSON

/// A Bluetooth LE device of a fake BlueZ that only advertises, and a gateway that reads it:
/// advertisements in, samples in a store out.
///
/// It needs `dbus-daemon`.
public struct AdvertisementHarness: Sendable {
    /// The address of the device.
    public static let address = BluetoothHarness.address

    /// The gateway.
    public let gateway: HarnessGateway
    /// The fake bluetoothd.
    public let bluez: FakeBlueZ
    private let bus: PrivateBus

    /// Starts a gateway that reads the device in a format, and waits until it receives.
    ///
    /// - Parameter types: The types of the gateway, with those that the plugin declares.
    /// - Throws: ``PrivateBus/Failure`` when dbus-daemon is not installed; skip the test then.
    public init(
        _ format: any AdvertisementFormat, types: QuantityTypes = .standard
    ) async throws {
        let bus = try PrivateBus()
        self.bus = bus
        bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let factory = AdvertisementFormatFactory(use: "harness") { _, _ in format }
        gateway = try HarnessGateway(types: types) { context in
            let settings = "{ use: \"advertisements\", devices: [\"\(Self.address)\"] }"
            return try AdvertisementSource.factory(formats: [factory], busAddress: bus.address)
                .make(try ConfigurationNode(json5: settings, types: types), context)
        }
        let wait = TimedOperation { [bluez] in await bluez.waitForCall("StartDiscovery") }
        guard await wait.end(within: HarnessGateway.timeoutSeconds) != nil else {
            throw HarnessGateway.Failure(
                description: "the gateway does not receive: \(gateway.logLines.suffix(20))")
        }
    }

    /// Makes the device send a value in a part of its advertisement.
    public func send(_ value: [UInt8], in part: AdvertisementPart) async {
        var device = FakeDevice(address: Self.address, name: "Harness", services: [])
        switch part {
        case .serviceData(let service): device.serviceData = [service.description: value]
        case .manufacturerData(let company): device.manufacturerData = [company: value]
        }
        await bluez.appear(device)
    }

    /// Waits until the store has so many samples of a type, and returns all of them, the oldest first.
    public func samples(of type: QuantityType, count: Int = 1) async throws -> [QuantitySample] {
        try await gateway.samples(of: type, count: count)
    }
}
