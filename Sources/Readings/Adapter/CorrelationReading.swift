public import HealthModel

/// Values that a device measured together, such as the two pressures of a blood pressure.
///
/// The converter makes one record of them, or none: when it rejects a value, it rejects the others
/// with it.
public struct CorrelationReading: Hashable, Sendable {
    /// A value and its type.
    public struct Member: Hashable, Sendable {
        /// The type of the value; not a cumulative one.
        public let type: QuantityType
        /// The value.
        public let quantity: Quantity

        /// Makes a member.
        public init(_ type: QuantityType, _ quantity: Quantity) {
            self.type = type
            self.quantity = quantity
        }
    }

    /// The type of the correlation, which says what members it has.
    public let type: CorrelationType
    /// The values, in any order.
    public let members: [Member]
    /// The device's own time of the measurement; nil for the time of receipt.
    public let measured: MeasurementTime?

    /// Makes a reading of values measured together.
    public init(_ type: CorrelationType, _ members: [Member], measured: MeasurementTime? = nil) {
        self.type = type
        self.members = members
        self.measured = measured
    }
}
