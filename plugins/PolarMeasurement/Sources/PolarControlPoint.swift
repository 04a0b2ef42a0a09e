import Bluetooth
import ByteDecoding
import Readings

/// The values of the control point, and the requests for measurements in response.
///
/// The features are read before the subscriptions, and requests are sent after them, so that the
/// sensor can answer.
struct PolarControlPoint {
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

    /// The measurements to request.
    let measurements: [PolarMeasurement]

    /// Decodes a value; requests the measurements that the sensor has.
    func decode(_ value: [UInt8]) throws(ByteDecodingError) -> GATTDecoding {
        var reader = ByteReader(value)
        switch try reader.uint8() {
        case Kind.features:
            let features = BitFlags(try reader.uint8())
            return requests { features[Int($0.rawValue)] }
        case Kind.response:
            let (operation, number) = (try reader.uint8(), try reader.uint8())
            let isOurs = operation == Self.start && measurements.contains { $0.rawValue == number }
            guard isOurs, !Self.successes.contains(try reader.uint8()) else {
                return GATTDecoding()
            }
            // The sensor is charging, or in a mode in which it measures something else.
            let again = measurements.filter { $0.rawValue == number }.map(Self.request)
            return GATTDecoding(drops: [.invalid], writes: again)
        case Kind.measurementStopped:
            return requests { reader.remaining.contains($0.rawValue) }
        default: throw .unknown
        }
    }

    /// Returns the requests for some of the measurements.
    private func requests(_ isIncluded: (PolarMeasurement) -> Bool) -> GATTDecoding {
        GATTDecoding(writes: measurements.filter(isIncluded).map(Self.request))
    }

    /// Returns the request to start a measurement.
    static func request(_ measurement: PolarMeasurement) -> GATTWrite {
        let settings =
            switch measurement {
            case .electrocardiogram: Electrocardiogram.settings
            case .pulseIntervals: [UInt8]()
            }
        return GATTWrite(
            [start, measurement.rawValue] + settings, to: PolarMeasurementProfile.controlPoint,
            isPersistent: true)
    }
}
