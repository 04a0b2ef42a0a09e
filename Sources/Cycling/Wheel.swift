public import GatewayCore
public import JSON

/// The wheel of a bicycle, whose turns are a distance.
public struct Wheel: Hashable, Sendable {
    /// The circumference of a wheel of 25-622 (700x25C), the usual one of road bicycles, in mm.
    private static let usualCircumference = 2_105

    /// The circumference in metres.
    public let circumference: Double

    /// Makes a wheel from its circumference in millimetres.
    public init(circumference millimeters: Int) {
        circumference = Double(millimeters) / 1_000
    }

    /// Makes the usual wheel of a road bicycle.
    public init() {
        self.init(circumference: Self.usualCircumference)
    }

    /// Reads the setting `wheel`, a circumference from 200 to 4,000 mm.
    public init(_ node: ConfigurationNode?) throws(ConfigurationError) {
        self.init(circumference: try node?.integer(in: 200...4_000) ?? Self.usualCircumference)
    }

    /// The description of the setting.
    public static let setting = PluginDescription.Setting(
        "wheel", "circumference of the wheel in mm, 200 to 4000", kind: .number,
        default: "\(usualCircumference), a wheel of 25-622 (700x25C)")
}
