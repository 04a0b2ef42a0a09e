package import Bluetooth
package import Cycling
import GatewayCore
import JSON

/// The Cycling Speed and Cadence Service, 0x1816: sensors on a wheel or a crank.
package struct CyclingSpeedProfile: StatefulGATTProfile {
    /// CSC Measurement, which a sensor notifies about once a second.
    static let measurement = BluetoothUUID(0x2A5B)

    /// Makes the profile from `"cyclingSpeed"` or `{ use: "cyclingSpeed", wheel: 2070 }`.
    package static let factory = GATTProfileFactory(use: "cyclingSpeed", about: about) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "wheel"])
        return CyclingSpeedProfile(wheel: try Wheel(settings["wheel"]))
    }

    /// The name in the configuration.
    package let name = "cyclingSpeed"
    /// Cycling Speed and Cadence.
    package let service = BluetoothUUID(0x1816)
    /// The measurement.
    package let subscriptions = [Self.measurement]

    private let wheel: Wheel

    /// Makes the profile of a bicycle with a wheel.
    package init(wheel: Wheel = Wheel()) {
        self.wheel = wheel
    }

    /// Makes the decoder of one link.
    package func makeDecoder() -> any GATTDecoder { CyclingSpeedDecoder(wheel: wheel) }
}
