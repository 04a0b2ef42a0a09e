import ByteDecoding

/// A kind of measurement, by its number.
enum PolarMeasurement: UInt8, CaseIterable {
    /// The voltage of an electrocardiogram.
    case electrocardiogram = 0
    /// The acceleration along three axes.
    case acceleration = 2
    /// The intervals between pulses.
    case pulseIntervals = 3
}

/// A frame of measurements: the kind, the sensor's time (8 bytes), the frame type, the values.
struct PolarFrame {
    /// The form of the values; each measurement has its own types.
    enum Form: Hashable {
        case plain(UInt8)
        /// As differences, see ``DeltaFrame``.
        case compressed(UInt8)
    }

    /// The bits of the first byte that have the kind.
    private static let measurementBits: UInt8 = 0x3F
    /// The bit of the frame type that marks compressed values.
    private static let compressionBit: UInt8 = 0x80

    /// The kind of measurement.
    let measurement: PolarMeasurement
    /// The time of the newest value by the sensor's clock in nanoseconds; nil if it sends none.
    let time: UInt64?
    /// The form of the values.
    let form: Form
    /// The reader of the values.
    let values: ByteReader

    /// Decodes the head of a frame.
    init(_ value: [UInt8]) throws(ByteDecodingError) {
        var reader = ByteReader(value)
        let number = try reader.uint8() & Self.measurementBits
        let time = try reader.uint64()
        let type = try reader.uint8()
        guard let measurement = PolarMeasurement(rawValue: number) else { throw .unknown }
        let isCompressed = type & Self.compressionBit != 0
        self.measurement = measurement
        self.time = time == 0 ? nil : time
        form = isCompressed ? .compressed(type & ~Self.compressionBit) : .plain(type)
        values = reader
    }
}
