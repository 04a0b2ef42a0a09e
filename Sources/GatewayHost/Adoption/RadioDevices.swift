import Advertisements
import Bluetooth
package import GatewayCore
import HealthModel
package import Platform

/// What bluetoothd knows of the devices near this machine, read with the built-in plugins.
package struct RadioDevices: Sendable {
    /// How long bluetoothd may take to answer, in seconds.
    private static let answerSeconds = 2.0

    private let plugins: Plugins
    private let lookUp: BluetoothLookUp
    private let clock: any GatewayClock

    /// Creates a value for the bluetoothd that the environment names.
    package init(_ plugins: Plugins, _ environment: Environment, clock: any GatewayClock) {
        self.plugins = plugins
        self.clock = clock
        lookUp = BluetoothLookUp(busAddress: environment["DBUS_SYSTEM_BUS_ADDRESS"], clock: clock)
    }

    /// The format of the advertisements of a device that no profile reads.
    ///
    /// Nil when bluetoothd does not know the device, has not received its advertisements lately, or
    /// does not answer.
    ///
    /// - Parameter types: The types of the gateway, with those that plugins declare.
    func onlyFormat(of address: BluetoothAddress, types: QuantityTypes) async -> String? {
        guard let device = await lookUp.device(at: address, within: Self.answerSeconds),
            profiles(reading: device, types: types)?.isEmpty == true,
            let formats = try? AdvertisementFormatFactory.makeFormats(
                nil, from: plugins.advertisements, context(types))
        else { return nil }
        return formats.first { $0.recognizes(device.advertised, of: address) }?.name
    }

    /// The names of the profiles that read a device over a connection; empty when bluetoothd does not
    /// know its services, or does not answer.
    func profiles(of address: BluetoothAddress, types: QuantityTypes) async -> [String] {
        guard let device = await lookUp.device(at: address, within: Self.answerSeconds)
        else { return [] }
        return profiles(reading: device, types: types) ?? []
    }

    private func profiles(reading device: ScannedDevice, types: QuantityTypes) -> [String]? {
        try? GATTProfileFactory.makeProfiles(nil, from: plugins.profiles, types: types)
            .filter { device.services.contains($0.service) }.map(\.name)
    }

    /// Formats without settings use nothing of it but the types.
    private func context(_ types: QuantityTypes) -> ComponentContext {
        ComponentContext(
            name: "adoption", clock: clock, log: Logger(component: "adoption") { _ in },
            dataDirectory: "", types: types)
    }
}
