import GatewayCore
import HealthModel
import JSON
import Readings
import Serial

/// A thermometer on the skin, which sends frames of six bytes over a serial port.
public struct SkinPatch: SerialProtocol {
    /// The type of its samples, which the gateway does not have.
    public static let temperature = QuantityTypeDeclaration(
        "skinPatchTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50)

    /// Makes the protocol from `protocol: "skinPatch"`.
    public static let factory = SerialProtocolFactory(
        use: "skinPatch",
        about: PluginDescription(
            summary: "Reads a skin thermometer on a serial port.",
            sample: """
                {
                  sources: {
                    arm: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "skinPatch" },
                  },
                  sinks: { store: "sqlite" },
                }

                """)
    ) { node throws(ConfigurationError) in
        _ = try node.object(keys: ["use"])
        return SkinPatch(type: try node.quantityType(named: temperature.name))
    }

    let type: QuantityType

    /// 9600 8N1.
    public let lineSettings = LineSettings(baud: .baud9600)
    /// The maker and the model.
    public let device = Device(manufacturer: "Acme", model: "Skin Patch")
    /// It sends a frame each second.
    public var silenceLimitSeconds: Double? { 10 }

    /// Makes the adapter for one connection.
    public func makeAdapter() -> any DeviceAdapter { SkinPatchAdapter(type: type) }
}
