package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Readings

/// The Weight Scale Service, 0x181D: bathroom scales.
package struct WeightScaleProfile: GATTProfile {
    /// Weight Measurement, which a scale indicates when it has finished one.
    static let measurement = BluetoothUUID(0x2A9D)
    /// The weight of a measurement that was not successful.
    private static let unsuccessful = UInt16.max

    /// Makes the profile from `"weightScale"` or `{ use: "weightScale", user: 1 }`.
    package static let factory = GATTProfileFactory(use: "weightScale", about: about) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "user"])
        return WeightScaleProfile(user: try DeviceUser(settings["user"]))
    }

    /// The name in the configuration.
    package let name = "weightScale"
    /// Weight Scale.
    package let service = BluetoothUUID(0x181D)
    /// The measurement.
    package let subscriptions = [Self.measurement]

    private let user: DeviceUser

    /// Makes the profile; it uses the measurements of one user of the scale, or of all.
    package init(user: DeviceUser = DeviceUser()) {
        self.user = user
    }

    /// Decodes a Weight Measurement (GATT Specification Supplement 3.240).
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == Self.measurement else { throw .unknown }
        var reader = ByteReader(value)
        let flags = BitFlags(try reader.uint8())
        let isImperial = flags[0]
        let weight = try reader.uint16()
        let time = flags[1] ? try reader.measurementTime() : nil
        let user = flags[2] ? try reader.uint8() : nil
        let (index, height) = flags[3] ? (try reader.uint16(), try reader.uint16()) : (0, 0)
        guard self.user.accepts(user) else { return GATTDecoding(drops: [.otherUser]) }
        guard weight != Self.unsuccessful else { return GATTDecoding(drops: [.empty]) }
        var result = GATTDecoding([
            isImperial
                ? try .instant(.bodyMass, Double(weight) / 100, .pound, measured: time)
                : try .instant(.bodyMass, Double(weight) / 200, .kilogram, measured: time)
        ])
        // Zero stands for a user whose height the scale does not know.
        if index > 0 {
            result.readings.append(
                try .instant(.bodyMassIndex, Double(index) / 10, .count, measured: time))
        }
        if height > 0 {
            result.readings.append(
                isImperial
                    ? try .instant(.height, Double(height) / 10, .inch, measured: time)
                    : try .instant(.height, Double(height) / 1_000, .meter, measured: time))
        }
        return result
    }
}
