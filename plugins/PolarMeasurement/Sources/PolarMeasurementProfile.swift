package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON

/// Polar's measurement data service: the pulse intervals of optical sensors such as the Verity Sense
/// and the OH1, and the electrocardiogram of the H10.
///
/// The facts are those of Polar's public SDK (github.com/polarofficial/polar-ble-sdk).
package struct PolarMeasurementProfile: GATTProfile {
    /// The control point: what the sensor can measure when it is read, and the answers to requests.
    static let controlPoint = BluetoothUUID(long: 0xFB00_5C81_02E7_F387_1CAD_8ACD_2D8D_F0C8)
    /// The measurements.
    static let measurements = BluetoothUUID(long: 0xFB00_5C82_02E7_F387_1CAD_8ACD_2D8D_F0C8)

    /// Makes the profile from `"polarMeasurement"` or `{ use: "polarMeasurement", maximumError: 20 }`.
    ///
    /// It has to be named, because a sensor that measures pulse intervals updates its heart rate less
    /// often and ends its own training session.
    package static let factory = GATTProfileFactory(
        use: "polarMeasurement", about: about, isDefault: false
    ) { node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "maximumError", "electrocardiogram"])
        return PolarMeasurementProfile(
            quality: try PulseQuality(settings["maximumError"]),
            electrocardiogram: try settings["electrocardiogram"]?.boolean() ?? false)
    }

    /// The name in the configuration.
    package let name = "polarMeasurement"
    /// Polar Measurement Data.
    package let service = BluetoothUUID(long: 0xFB00_5C80_02E7_F387_1CAD_8ACD_2D8D_F0C8)
    /// The answers and the measurements.
    package let subscriptions = [Self.controlPoint, Self.measurements]
    /// What the sensor can measure.
    package let reads = [Self.controlPoint]

    private let quality: PulseQuality
    private let control: PolarControlPoint

    /// Makes the profile; it uses intervals of a quality, and requests the electrocardiogram if wanted.
    package init(quality: PulseQuality = PulseQuality(), electrocardiogram: Bool = false) {
        self.quality = quality
        control = PolarControlPoint(
            measurements: [.pulseIntervals] + (electrocardiogram ? [.electrocardiogram] : []))
    }

    /// Decodes a value of the control point or a measurement.
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        switch characteristic {
        case Self.controlPoint: try control.decode(value)
        case Self.measurements: try decode(try PolarFrame(value))
        default: throw .unknown
        }
    }

    /// Decodes a frame; another program may have requested measurements that are not wanted here.
    private func decode(_ frame: PolarFrame) throws(ByteDecodingError) -> GATTDecoding {
        guard control.measurements.contains(frame.measurement) else { throw .unknown }
        return switch frame.measurement {
        case .electrocardiogram: try Electrocardiogram.decode(frame)
        case .pulseIntervals: try PulseIntervals.decode(frame, quality)
        }
    }
}
