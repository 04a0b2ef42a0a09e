package import GatewayCore
package import HealthModel
import JSON
package import Serial

/// The Zephyr HxM BT, a chest strap that counts beats and strides, over its Bluetooth serial port.
package struct HxMProtocol: SerialProtocol {
    /// Makes the protocol, which has no settings.
    package init() {}

    /// 115200 8N1 (HxM Bluetooth API Guide).
    package var lineSettings: LineSettings { LineSettings(baud: .baud115200) }

    /// Nothing else sends these packets.
    package var device: Device { HxMAdapter.device }

    /// A packet comes every second; after ten without one something is wrong.
    package var silenceLimitSeconds: Double? { 10 }

    /// Makes an adapter that has seen nothing yet.
    package func makeAdapter() -> any DeviceAdapter { HxMAdapter() }

    /// Makes the protocol from `"hxm"` or `{ use: "hxm" }`.
    package static var factory: SerialProtocolFactory {
        SerialProtocolFactory(use: "hxm", about: about) { node throws(ConfigurationError) in
            _ = try node.object(keys: ["use"])
            return HxMProtocol()
        }
    }
}
