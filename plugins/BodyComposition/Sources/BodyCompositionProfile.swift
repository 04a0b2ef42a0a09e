package import Bluetooth
import GatewayCore
import JSON
import Readings

/// The Body Composition Service, 0x181B: scales that measure the impedance of the body.
package struct BodyCompositionProfile: StatefulGATTProfile {
    /// Body Composition Measurement, which a scale indicates when it has finished one.
    static let measurement = BluetoothUUID(0x2A9C)

    /// Makes the profile from `"bodyComposition"` or `{ use: "bodyComposition", user: 1 }`.
    package static let factory = GATTProfileFactory(use: "bodyComposition", about: about) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "user"])
        return BodyCompositionProfile(user: try DeviceUser(settings["user"]))
    }

    /// The name in the configuration.
    package let name = "bodyComposition"
    /// Body Composition.
    package let service = BluetoothUUID(0x181B)
    /// The measurement.
    package let subscriptions = [Self.measurement]

    private let user: DeviceUser

    /// Makes the profile; it uses the measurements of one user of the scale, or of all.
    package init(user: DeviceUser = DeviceUser()) {
        self.user = user
    }

    /// Makes the decoder of one link.
    package func makeDecoder() -> any GATTDecoder { BodyCompositionDecoder(user: user) }
}
