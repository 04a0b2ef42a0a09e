import ByteDecoding

/// A kind of measurement, by its number.
enum PolarMeasurement: UInt8 {
    /// The voltage of an electrocardiogram.
    case electrocardiogram = 0
    /// The intervals between pulses.
    case pulseIntervals = 3
}

/// A frame of measurements: the kind, the sensor's time (8 bytes), the frame type, the values.
struct PolarFrame {
    /// The bits of the first byte that have the kind.
    private static let measurementBits: UInt8 = 0x3F
    /// The frame type without compression.
    private static let frameType: UInt8 = 0

    /// The kind of measurement.
    let measurement: PolarMeasurement
    /// The time of the newest value by the sensor's clock in nanoseconds; nil if it sends none.
    let time: UInt64?
    /// The reader of the values.
    let values: ByteReader

    /// Decodes the head of a frame.
    init(_ value: [UInt8]) throws(ByteDecodingError) {
        var reader = ByteReader(value)
        let number = try reader.uint8() & Self.measurementBits
        let time = try reader.uint64()
        guard let measurement = PolarMeasurement(rawValue: number),
            try reader.uint8() == Self.frameType
        else { throw .unknown }
        self.measurement = measurement
        self.time = time == 0 ? nil : time
        values = reader
    }
}
