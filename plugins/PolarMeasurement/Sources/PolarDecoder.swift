import Bluetooth
import ByteDecoding
import HealthModel
import Platform
import Readings

/// The decoder of one link: the control point and the frames of the measurements.
struct PolarDecoder: GATTDecoder {
    private let quality: PulseQuality
    private var control: PolarControlPoint

    /// Makes the decoder for measurements to request, with intervals of a quality.
    init(_ measurements: [PolarMeasurement], quality: PulseQuality) {
        self.quality = quality
        control = PolarControlPoint(measurements: measurements)
    }

    var wakeTime: BootInstant? { control.watch.wakeTime }

    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        switch characteristic {
        case PolarMeasurementProfile.controlPoint: return try control.decode(value, at: receipt)
        case PolarMeasurementProfile.measurements:
            let frame = try PolarFrame(value)
            // Another program may have requested measurements that are not wanted here.
            guard control.measurements.contains(frame.measurement) else { throw .unknown }
            let decoding = try decode(frame, at: receipt)
            if !decoding.readings.isEmpty {
                control.watch.received(frame.measurement, at: receipt)
            }
            return decoding
        default: throw .unknown
        }
    }

    mutating func wake(at now: BootInstant) -> GATTDecoding { control.wake(at: now) }

    private mutating func decode(
        _ frame: PolarFrame, at now: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        switch frame.measurement {
        case .electrocardiogram: return try Electrocardiogram.decode(frame)
        case .pulseIntervals: return try PulseIntervals.decode(frame, quality)
        case .acceleration:
            // It was measured for another program or an earlier link, and the settings are on their way.
            guard let acceleration = control.acceleration else { throw .unknown }
            guard frame.form != .compressed(0) || acceleration.factor != nil else {
                // The sensor says the factor when it begins to measure.
                return GATTDecoding(
                    drops: [.unknown], writes: control.restart(.acceleration, at: now))
            }
            return try acceleration.decode(frame)
        }
    }
}
