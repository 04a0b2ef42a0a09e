import HealthModel

/// The converter's state of one quantity type of a device.
struct ReadingStream: Sendable {
    /// The type as the device's adapter has it; used only if it is as declared.
    let type: QuantityType
    let seed: RecordID.Seed
    /// Why no reading of the type is accepted; nil if they are.
    let fault: ReadingFault?
    var counter = CounterStream()
    var waveform = WaveformClock()
    var metadata = Metadata() { didSet { isSteady = false } }
    /// The last sample.
    var last: QuantitySample?
    /// Whether a new sample differs from the last one only by its id, time and value.
    var isSteady = false
    private var recent = RecentMeasurements()

    /// Makes the stream of a type of a device.
    init(_ type: QuantityType, device: String, types: QuantityTypes) {
        self.type = type
        seed = RecordID.Seed(device: device, stream: type.name)
        fault = type.fault(in: types)
    }

    /// Handles an opened link: the device may have started again.
    mutating func linkOpened() {
        counter.linkOpened()
        waveform.restart()
    }

    /// Adds a measurement with the device's own time; false if it was added before.
    mutating func isNew(_ measured: MeasurementTime, at instant: Instant) -> Bool {
        recent.insert(measured, at: instant)
    }
}

extension QuantityType {
    /// Returns why no reading of this type is accepted; nil if it is a declared one.
    func fault(in types: QuantityTypes) -> ReadingFault? {
        guard let declared = types.named(name) else { return .unknownType }
        return declared.isDefined(as: self) ? nil : .foreignType
    }
}
