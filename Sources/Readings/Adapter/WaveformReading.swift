public import HealthModel

/// Values that a device measured at a constant rate, such as a part of an electrocardiogram.
///
/// A device sends many of them at a time. They are dated by the device's clock, because the times of
/// receipt are irregular. Values that were stored have the time of their measurement.
public struct WaveformReading: Hashable, Sendable {
    /// The type of the values; a discrete one.
    public let type: QuantityType
    /// The values, oldest first.
    public let values: [Double]
    /// The unit of the values.
    public let unit: Unit
    /// The nominal number of values per second.
    public let perSecond: Double
    /// The time of the newest value by the device's clock, in nanoseconds from any start; nil if it is
    /// unknown.
    public let deviceTime: UInt64?
    /// When the device measured the newest value; nil if only the device's own clock or the time of
    /// receipt is known.
    public let measured: MeasurementTime?

    /// The possible rates: a value in a quarter of an hour, and a million a second.
    static let rates = 0.001...1_000_000

    /// Makes a reading of values, oldest first.
    public init(
        _ type: QuantityType, values: [Double], unit: Unit, perSecond: Double,
        deviceTime: UInt64? = nil, measured: MeasurementTime? = nil
    ) {
        self.measured = measured
        self.type = type
        self.values = values
        self.unit = unit
        self.perSecond = perSecond
        self.deviceTime = deviceTime
    }
}
