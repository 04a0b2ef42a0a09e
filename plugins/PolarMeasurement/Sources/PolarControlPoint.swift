import Bluetooth
import ByteDecoding
import Platform
import Readings

/// The values of the control point, and the requests for measurements in response.
///
/// The features are read before the subscriptions, and requests are sent after them, so that the
/// sensor can answer. Acceleration is requested with settings that the sensor offers, so these are
/// requested first.
struct PolarControlPoint {
    /// The first byte of a value.
    private enum Kind {
        static let measurementStopped: UInt8 = 0x01
        static let features: UInt8 = 0x0F
        static let response: UInt8 = 0xF0
    }

    /// The first byte of a request.
    private enum Request {
        static let settings: UInt8 = 0x01
        static let start: UInt8 = 0x02
        static let stop: UInt8 = 0x03
    }

    /// The fourth byte of a response.
    private enum Status {
        static let success: UInt8 = 0
        /// The request, the measurement or both are unknown; nothing changes that.
        static let unsupported: ClosedRange<UInt8> = 1...3
        /// The sensor measured before.
        static let alreadyMeasuring: UInt8 = 6
    }

    /// The maximum length of settings that come in several values.
    private static let settingsLimit = 512

    /// The measurements to request.
    let measurements: [PolarMeasurement]
    /// The acceleration, when its settings are known.
    private(set) var acceleration: Acceleration?
    /// When each measurement is overdue.
    var watch = SilenceWatch()
    /// The settings for the acceleration so far, and those to request it with.
    private var offered: [UInt8] = []
    private var requested: [UInt8] = []

    init(measurements: [PolarMeasurement]) {
        self.measurements = measurements
    }

    /// Decodes a value; requests the measurements that the sensor has.
    mutating func decode(
        _ value: [UInt8], at now: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        var reader = ByteReader(value)
        switch try reader.uint8() {
        case Kind.features: return found(BitFlags(try reader.uint8()), at: now)
        case Kind.response: return try answered(&reader, at: now)
        case Kind.measurementStopped:
            let stopped = measurements.filter { reader.remaining.contains($0.rawValue) }
            return GATTDecoding(writes: stopped.map { request($0, at: now) })
        default: throw .unknown
        }
    }

    /// Requests the measurements that are overdue again, after their end: the sensor may believe that
    /// it measures.
    mutating func wake(at now: BootInstant) -> GATTDecoding {
        let silent = watch.takeOverdue(at: now)
        return GATTDecoding(
            drops: silent.map { _ in .silent }, writes: silent.flatMap { restart($0, at: now) })
    }

    /// Requests the measurements that the sensor has; a setting names the others in vain.
    private mutating func found(_ features: BitFlags<UInt8>, at now: BootInstant) -> GATTDecoding {
        let available = measurements.filter { features[Int($0.rawValue)] }
        let missing = measurements.filter { $0 != .pulseIntervals && !available.contains($0) }
        return GATTDecoding(
            drops: missing.map { _ in .unavailable },
            writes: available.map { request($0, at: now) })
    }

    private mutating func answered(
        _ reader: inout ByteReader, at now: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        let (operation, number) = (try reader.uint8(), try reader.uint8())
        guard let measurement = measurements.first(where: { $0.rawValue == number }),
            [Request.settings, Request.start].contains(operation)
        else { return GATTDecoding() }
        let status = try reader.uint8()
        // Whether further values with parameters follow, and the parameters.
        let hasMore = (try? reader.uint8()).map { $0 != 0 } ?? false
        let parameters = Array(reader.remaining)
        switch (operation, status) {
        case (Request.settings, Status.success):
            return try offers(measurement, parameters, hasMore: hasMore, at: now)
        case (Request.start, Status.success):
            watch.received(measurement, at: now)
            if measurement == .acceleration, let settings = try? PolarSettings(parameters) {
                acceleration?.factor = settings.factor
            }
            return GATTDecoding()
        case (Request.start, Status.alreadyMeasuring):
            watch.received(measurement, at: now)
            return GATTDecoding()
        case (_, Status.unsupported):
            watch.ended(measurement)
            return GATTDecoding(drops: [.unavailable])
        default:
            // The sensor is charging, or in a mode in which it measures something else.
            return GATTDecoding(drops: [.unavailable], writes: [request(measurement, at: now)])
        }
    }

    /// Adds settings that the sensor offers, and requests the acceleration when they are complete.
    private mutating func offers(
        _ measurement: PolarMeasurement, _ parameters: [UInt8], hasMore: Bool, at now: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard measurement == .acceleration else { return GATTDecoding() }
        offered += parameters
        guard offered.count <= Self.settingsLimit else {
            offered = []
            throw .invalid
        }
        guard !hasMore else { return GATTDecoding() }
        defer { offered = [] }
        let settings = try PolarSettings(offered)
        guard let rate = settings.rate(atLeast: Acceleration.wantedRate) else { throw .invalid }
        requested = settings.request(rate: rate)
        acceleration = Acceleration(perSecond: Double(rate))
        return GATTDecoding(writes: [request(.acceleration, at: now)])
    }

    /// Returns the requests to end a measurement and to start it again.
    mutating func restart(_ measurement: PolarMeasurement, at now: BootInstant) -> [GATTWrite] {
        let stop = GATTWrite(
            [Request.stop, measurement.rawValue], to: PolarMeasurementProfile.controlPoint)
        return [stop, request(measurement, at: now)]
    }

    /// Returns the request to start a measurement, or for its settings as long as they are unknown.
    private mutating func request(
        _ measurement: PolarMeasurement, at now: BootInstant
    ) -> GATTWrite {
        watch.requested(measurement, at: now)
        let number = measurement.rawValue
        let bytes: [UInt8] =
            switch measurement {
            case .electrocardiogram: [Request.start, number] + Electrocardiogram.settings
            case .acceleration where acceleration == nil: [Request.settings, number]
            case .acceleration: [Request.start, number] + requested
            case .pulseIntervals: [Request.start, number]
            }
        return GATTWrite(bytes, to: PolarMeasurementProfile.controlPoint, isPersistent: true)
    }
}
