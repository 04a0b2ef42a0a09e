import GatewayCore
package import HealthModel
import JSON
package import Readings
package import Serial

/// The protocol of the Zephyr HxM BT chest strap over its Bluetooth serial port.
package struct HxMProtocol: SerialProtocol {
    /// Makes the protocol, which has no settings.
    package init() {}

    /// 115200 8N1 (HxM Bluetooth API Guide).
    package var lineSettings: LineSettings { LineSettings(baud: .baud115200) }

    /// The HxM; no other device sends these packets.
    package var device: Device { HxMAdapter.device }

    /// The silence limit; a packet is sent every second.
    package var silenceLimitSeconds: Double? { 10 }

    /// Makes an adapter in its initial state.
    package func makeAdapter() -> any DeviceAdapter { HxMAdapter() }

    /// Makes the protocol from `"hxm"` or `{ use: "hxm" }`.
    package static var factory: SerialProtocolFactory {
        SerialProtocolFactory(use: "hxm", about: about) { node throws(ConfigurationError) in
            _ = try node.object(keys: ["use"])
            return HxMProtocol()
        }
    }
}
