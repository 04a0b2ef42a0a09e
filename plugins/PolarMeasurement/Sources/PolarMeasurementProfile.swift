package import Bluetooth
import ByteDecoding
import GatewayCore
import JSON

/// Polar's measurement data service: the pulse intervals of optical sensors such as the Verity Sense
/// and the OH1, the electrocardiogram of the H10, and acceleration.
///
/// The facts are those of Polar's public SDK (github.com/polarofficial/polar-ble-sdk).
package struct PolarMeasurementProfile: StatefulGATTProfile {
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
        let settings = try node.object(
            keys: ["use", "maximumError", "electrocardiogram", "acceleration"])
        return PolarMeasurementProfile(
            quality: try PulseQuality(settings["maximumError"]),
            electrocardiogram: try settings["electrocardiogram"]?.boolean() ?? false,
            acceleration: try settings["acceleration"]?.boolean() ?? false)
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
    private let wanted: [PolarMeasurement]

    /// Makes the profile; it uses intervals of a quality, and requests the other measurements if wanted.
    package init(
        quality: PulseQuality = PulseQuality(), electrocardiogram: Bool = false,
        acceleration: Bool = false
    ) {
        self.quality = quality
        wanted =
            [.pulseIntervals] + (electrocardiogram ? [.electrocardiogram] : [])
            + (acceleration ? [.acceleration] : [])
    }

    /// Makes the decoder of one link.
    package func makeDecoder() -> any GATTDecoder { PolarDecoder(wanted, quality: quality) }
}
