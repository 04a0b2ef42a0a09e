public import ByteDecoding
public import GatewayCore
public import HealthModel
public import JSON
public import Readings

/// What profiles of measuring devices such as scales and cuffs have in common.
extension Reading {
    /// A value at one moment.
    ///
    /// - Throws: ``ByteDecodingError/invalid`` when the value is infinite or not a number.
    public static func instant(
        _ type: QuantityType, _ value: Double, _ unit: Unit, measured: MeasurementTime? = nil
    ) throws(ByteDecodingError) -> Reading {
        guard let quantity = try? Quantity(value, unit) else { throw .invalid }
        return .instant(type, quantity, measured: measured)
    }
}

extension ByteReader {
    /// Reads a GATT Date Time as the time of a measurement, a local one; nil when the device does
    /// not know the date, so that the time of receipt is used.
    public mutating func measurementTime() throws(ByteDecodingError) -> MeasurementTime? {
        try dateTime().instant().map { MeasurementTime(.local($0)) }
    }
}

/// The user of a device that several people share, by the device's own number.
///
/// A device sends the measurements of all its users; the setting `user` selects those of one.
public struct DeviceUser: Hashable, Sendable {
    private let number: UInt8?

    /// Makes a selection of a user; nil for all.
    public init(_ number: UInt8? = nil) {
        self.number = number
    }

    /// Reads the setting `user`, a number from 0 to 254; nil selects all users.
    public init(_ node: ConfigurationNode?) throws(ConfigurationError) {
        number = try node.flatMap { node throws(ConfigurationError) in
            UInt8(exactly: try node.integer(in: 0...254))
        }
    }

    /// The description of the setting.
    public static let setting = PluginDescription.Setting(
        "user", "the device's number of the user whose measurements are used, 0 to 254",
        kind: .number, default: "all users")

    /// Whether to use a measurement of a user; nil for one without a user.
    public func accepts(_ user: UInt8?) -> Bool {
        guard let number else { return true }
        return user == number
    }
}
