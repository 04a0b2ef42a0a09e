public import HealthModel
public import Platform

/// A decoded measurement or state of a device, before conversion to samples.
///
/// ``Converter`` turns the readings of every device into samples.
public enum Reading: Hashable, Sendable {
    /// A value at one moment: a heart rate, a speed.
    ///
    /// The moment is the time of receipt, or `measured` if the device reports it.
    case instant(QuantityType, Quantity, measured: MeasurementTime? = nil)
    /// A cumulative counter; the differences between its readings become samples.
    case counter(CounterReading)
    /// Intervals between heart beats.
    case beats(BeatsReading)
    /// Values at a constant rate, each of which becomes a sample.
    case waveform(WaveformReading)
    /// The device's own state: skin contact, battery.
    case state(StateReading)
    /// The device's identity. A `nil` property leaves the known value unchanged.
    case identity(Device)
    /// Values that were measured together and become one record.
    case correlation(CorrelationReading)
    /// Metadata to add to all later samples of this type.
    case metadata(Metadata, for: QuantityType)
}

/// A reading of a cumulative counter in a device.
public struct CounterReading: Hashable, Sendable {
    /// What the counter does at the end of its range.
    public enum Range: Hashable, Sendable {
        /// It never reaches an end.
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
    /// The number of counts per unit: 16 for sixteenths of a metre, 0.5 for strides of two steps.
    public let countsPerUnit: Double
    /// When the device read the counter; nil for the time of receipt.
    public let measured: MeasurementTime?

    /// Makes a counter reading.
    ///
    /// `value` is in counts, of which `countsPerUnit` make one `unit`.
    public init(
        _ type: QuantityType, value: Double, range: Range = .unbounded, unit: Unit,
        countsPerUnit: Double = 1, measured: MeasurementTime? = nil
    ) {
        self.type = type
        self.value = value
        self.range = range
        self.unit = unit
        self.countsPerUnit = countsPerUnit
        self.measured = measured
    }
}

/// Intervals between heart beats, as the device measured them.
public struct BeatsReading: Hashable, Sendable {
    /// The beat number and device time of a device that numbers its beats.
    public struct History: Hashable, Sendable {
        /// The number of the newest beat.
        public let newestBeat: UInt32
        /// The number of beats after which the number starts again at zero.
        public let beatModulus: UInt32
        /// The device's time of the newest beat, in ticks.
        public let newestTime: UInt32
        /// The number of ticks after which the time starts again at zero.
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
    /// The number of ticks per second.
    public let perSecond: Double
    /// The beat numbering, if the device has one: `ticks` may then repeat earlier intervals.
    public let history: History?
    /// When the device measured the newest beat; nil if only the time of receipt is known.
    public let measured: MeasurementTime?
    /// The positions in `ticks` of intervals that the device does not vouch for: their time passes,
    /// but they become no samples.
    public let unusable: Set<Int>

    /// Makes a reading of intervals in ticks, oldest first.
    public init(
        ticks: [UInt32], perSecond: Double, history: History? = nil,
        measured: MeasurementTime? = nil, unusable: Set<Int> = []
    ) {
        self.unusable = unusable
        self.ticks = ticks
        self.perSecond = perSecond
        self.history = history
        self.measured = measured
    }
}

/// A change of the device's own state.
///
/// It never becomes a sample.
public enum StateReading: Hashable, Sendable {
    /// Whether the sensor touches the skin; lost contact ends the chain of beats.
    ///
    /// Nil if the sensor does not report contact, or no longer does.
    case contact(Bool?)
    /// The battery's charge from 0 to 1.
    case battery(Double)
}

/// A reading with its time of receipt.
public struct TimedReading: Hashable, Sendable {
    /// The reading.
    public let reading: Reading
    /// When the host received it.
    ///
    /// It is unique among the readings of a device, except for waveforms of several types.
    public let receipt: BootInstant
    /// The id of the record, if the source knows it; nil to make one.
    ///
    /// A source that may get a reading again after a restart has it, so that the reading is stored once.
    public let id: RecordID?

    /// Makes a reading with its time of receipt.
    public init(_ reading: Reading, at receipt: BootInstant, id: RecordID? = nil) {
        self.reading = reading
        self.receipt = receipt
        self.id = id
    }
}
