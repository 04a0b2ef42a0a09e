public import Bluetooth
import GatewayCore
public import GatewayTesting
public import HealthModel
import JSON

/// A Bluetooth LE device of a fake BlueZ, and a gateway that reads it: values in, samples in a store
/// out.
///
/// It needs `dbus-daemon`.
public struct BluetoothHarness: Sendable {
    /// The address of the device.
    public static let address = "D0:11:22:33:44:55"

    /// The gateway.
    public let gateway: HarnessGateway
    /// The fake bluetoothd, for faults and links that end.
    public let bluez: FakeBlueZ
    private let bus: PrivateBus

    /// Starts a gateway that reads a device with a profile, and waits until it has subscribed.
    ///
    /// The device offers the service of the profile with all characteristics that the profile names;
    /// ``bluez`` has what is written to them.
    ///
    /// - Parameters:
    ///   - reads: The values of the characteristics that the profile reads.
    ///   - types: The types of the gateway, with those that the plugin declares.
    /// - Throws: ``PrivateBus/Failure`` when dbus-daemon is not installed; skip the test then.
    public init(
        _ profile: any GATTProfile, reads: [BluetoothUUID: [UInt8]] = [:],
        types: QuantityTypes = .standard
    ) async throws {
        let bus = try PrivateBus()
        self.bus = bus
        bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        await bluez.appear(Self.device(for: profile, reads))
        let factory = GATTProfileFactory(use: "harness") { _ in profile }
        gateway = try HarnessGateway(types: types) { context in
            let settings = "{ use: \"bluetooth\", devices: [\"\(Self.address)\"] }"
            return try BluetoothSource.factory(profiles: [factory], busAddress: bus.address).make(
                try ConfigurationNode(json5: settings, types: types), context)
        }
        let wanted = profile.subscriptions.map(\.description)
        let wait = TimedOperation { [bluez] in
            await bluez.wait { bluez in
                wanted.allSatisfy { bluez.isNotifying($0, of: Self.address) }
            }
        }
        guard await wait.end(within: HarnessGateway.timeoutSeconds) != nil else {
            throw HarnessGateway.Failure(
                description: "the gateway did not subscribe: \(gateway.logLines.suffix(20))")
        }
    }

    /// Makes the device notify or indicate a value.
    public func notify(_ value: [UInt8], of characteristic: BluetoothUUID) async {
        await bluez.notify(Self.address, value, of: characteristic.description)
    }

    /// Waits until the store has so many samples of a type, and returns all of them, the oldest first.
    public func samples(of type: QuantityType, count: Int = 1) async throws -> [QuantitySample] {
        try await gateway.samples(of: type, count: count)
    }

    private static func device(
        for profile: any GATTProfile, _ reads: [BluetoothUUID: [UInt8]]
    ) -> FakeDevice {
        let others = profile.reads.filter { !profile.subscriptions.contains($0) }
        let characteristics = (profile.subscriptions + others).map {
            var flags = ["write"]
            if profile.subscriptions.contains($0) { flags.append("notify") }
            if profile.reads.contains($0) { flags.append("read") }
            return FakeCharacteristic($0.description, flags, value: reads[$0] ?? [])
        }
        let service = FakeService(profile.service.description, characteristics)
        return FakeDevice(address: address, name: "Harness", services: [service])
    }
}
