import Bluetooth
import ByteDecoding
import Readings

/// The values of the control point, and the request for pulse intervals in response.
///
/// The features are read before the subscriptions, and requests are sent after them, so that the
/// sensor can answer.
enum PolarControlPoint {
    /// The first byte of a value.
    private enum Kind {
        static let measurementStopped: UInt8 = 0x01
        static let features: UInt8 = 0x0F
        static let response: UInt8 = 0xF0
    }

    /// The request to start a measurement.
    private static let start: UInt8 = 0x02
    /// The responses after which the sensor measures: success, and that it was measuring before.
    private static let successes: Set<UInt8> = [0, 6]

    /// The request for pulse intervals, which has no settings.
    static let request = GATTWrite(
        [start, PulseIntervals.measurement], to: PolarMeasurementProfile.controlPoint)

    /// Decodes a value; requests pulse intervals from a sensor that can measure them.
    static func decode(_ value: [UInt8]) throws(ByteDecodingError) -> GATTDecoding {
        var reader = ByteReader(value)
        switch try reader.uint8() {
        case Kind.features:
            let canMeasure = BitFlags(try reader.uint8())[Int(PulseIntervals.measurement)]
            return GATTDecoding(writes: canMeasure ? [request] : [])
        case Kind.response:
            let (operation, measurement) = (try reader.uint8(), try reader.uint8())
            let isOurs = operation == start && measurement == PulseIntervals.measurement
            guard isOurs, !successes.contains(try reader.uint8()) else { return GATTDecoding() }
            // The sensor is charging, or in a mode in which it measures something else.
            return GATTDecoding(drops: [.invalid])
        case Kind.measurementStopped:
            let isOurs = reader.remaining.contains(PulseIntervals.measurement)
            return GATTDecoding(writes: isOurs ? [request] : [])
        default: throw .unknown
        }
    }
}
