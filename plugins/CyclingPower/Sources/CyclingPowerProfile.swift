package import Bluetooth
package import Cycling
import GatewayCore
import JSON

/// The Cycling Power Service, 0x1818: power meters and trainers.
package struct CyclingPowerProfile: StatefulGATTProfile {
    /// Cycling Power Measurement, which a sensor notifies about once a second.
    static let measurement = BluetoothUUID(0x2A63)

    /// Makes the profile from `"cyclingPower"` or `{ use: "cyclingPower", wheel: 2070 }`.
    package static let factory = GATTProfileFactory(use: "cyclingPower", about: about) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "wheel"])
        return CyclingPowerProfile(wheel: try Wheel(settings["wheel"]))
    }

    /// The name in the configuration.
    package let name = "cyclingPower"
    /// Cycling Power.
    package let service = BluetoothUUID(0x1818)
    /// The measurement.
    package let subscriptions = [Self.measurement]

    private let wheel: Wheel

    /// Makes the profile of a bicycle with a wheel.
    package init(wheel: Wheel = Wheel()) {
        self.wheel = wheel
    }

    /// Makes the decoder of one link.
    package func makeDecoder() -> any GATTDecoder { CyclingPowerDecoder(wheel: wheel) }
}
