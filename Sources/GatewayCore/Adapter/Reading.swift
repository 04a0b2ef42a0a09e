public import HealthModel
public import Platform

/// What a device said, before anybody says what it means.
///
/// The converter turns readings into samples, in one place for every device.
public enum Reading: Hashable, Sendable {
    /// A value that holds at the time of receipt: a heart rate, a speed.
    case instant(QuantityType, Quantity)
    /// A running total, of which only the differences are samples.
    case counter(CounterReading)
    /// Intervals between heart beats.
    case beats(BeatsReading)
    /// The device's own state: skin contact, battery.
    case state(StateReading)
    /// Who made the device. What is `nil` here leaves what is known as it is.
    case identity(Device)
    /// From now on samples of this type carry these entries too.
    case metadata(Metadata, for: QuantityType)
}

/// A running total as the device keeps it.
public struct CounterReading: Hashable, Sendable {
    /// What the counter does at the end of its range.
    public enum Range: Hashable, Sendable {
        /// It has no end that anybody will see.
        case unbounded
        /// It starts again at zero after this many counts.
        case rollsOver(at: Double)
        /// It stays at this value until it is reset.
        case saturates(at: Double)
    }

    /// What is counted.
    public let type: QuantityType
    /// The total, in counts; a whole number.
    public let value: Double
    /// What happens at the end of the range.
    public let range: Range
    /// The unit of the samples.
    public let unit: Unit
    /// How many counts make one unit: 16 for sixteenths of a metre, 0.5 for strides of two steps.
    public let countsPerUnit: Double

    /// Makes a counter reading.
    ///
    /// `value` is in counts, of which `countsPerUnit` make one `unit`.
    public init(
        _ type: QuantityType, value: Double, range: Range = .unbounded, unit: Unit,
        countsPerUnit: Double = 1
    ) {
        self.type = type
        self.value = value
        self.range = range
        self.unit = unit
        self.countsPerUnit = countsPerUnit
    }
}

/// Intervals between heart beats, as the device measured them.
public struct BeatsReading: Hashable, Sendable {
    /// The device's own account of its beats, where it keeps one.
    public struct History: Hashable, Sendable {
        /// The number of the newest beat.
        public let newestBeat: UInt32
        /// How many beats until the number starts again at zero.
        public let beatModulus: UInt32
        /// The device's time of the newest beat, in ticks.
        public let newestTime: UInt32
        /// How many ticks until the time starts again at zero.
        public let timeModulus: UInt32

        /// Makes a history from the number and time of the newest beat and where they roll over.
        public init(
            newestBeat: UInt32, beatModulus: UInt32, newestTime: UInt32, timeModulus: UInt32
        ) {
            self.newestBeat = newestBeat
            self.beatModulus = beatModulus
            self.newestTime = newestTime
            self.timeModulus = timeModulus
        }
    }

    /// The intervals in ticks, oldest first; each ends at a beat.
    public let ticks: [UInt32]
    /// How many ticks make a second.
    public let perSecond: Double
    /// Where the device numbers its beats: then `ticks` may repeat what earlier readings held.
    public let history: History?

    /// Makes a reading of intervals in ticks, oldest first.
    public init(ticks: [UInt32], perSecond: Double, history: History? = nil) {
        self.ticks = ticks
        self.perSecond = perSecond
        self.history = history
    }
}

/// A change of the device's own state.
///
/// It is never a sample and never a zero.
public enum StateReading: Hashable, Sendable {
    /// Whether the sensor touches the skin; without contact there is no heart rate and no chain of beats.
    ///
    /// Nil says that the sensor cannot tell, or does not tell any more.
    case contact(Bool?)
    /// The battery's charge from 0 to 1.
    case battery(Double)
}

/// A reading and when it was received.
public struct TimedReading: Hashable, Sendable {
    /// What the device said.
    public let reading: Reading
    /// When the host received it.
    ///
    /// Two readings of one device never share a receipt.
    public let receipt: BootInstant

    /// Makes a reading with its time of receipt.
    public init(_ reading: Reading, at receipt: BootInstant) {
        self.reading = reading
        self.receipt = receipt
    }
}
