import HealthModel
public import Platform

/// A generator of unique receipt times for the readings of a connection.
///
/// Readings that arrive together get times one nanosecond apart. Waveforms of several types share a
/// time: they are the axes of one sensor, and their samples are at the same moments.
public struct ReceiptSequence: Sendable {
    private var last: BootInstant?
    /// The arrival and the types of the waveforms that have the last time.
    private var waveforms: (arrival: BootInstant, types: [QuantityType])?

    /// Makes an empty sequence.
    public init() {}

    /// Returns the receipt time of the next reading, which arrived at `receipt`.
    public mutating func next(_ receipt: BootInstant) -> BootInstant {
        let distinct = last.map { max(receipt, $0.adding(nanoseconds: 1)) } ?? receipt
        last = distinct
        return distinct
    }

    /// Returns the receipt time of a reading of an adapter, which arrived at `receipt`.
    package mutating func next(_ receipt: BootInstant, for reading: Reading) -> BootInstant {
        guard case .waveform(let waveform) = reading else {
            if waveforms != nil { waveforms = nil }
            return next(receipt)
        }
        if let last, let waveforms, waveforms.arrival == receipt,
            !waveforms.types.contains(waveform.type)
        {
            self.waveforms?.types.append(waveform.type)
            return last
        }
        waveforms = (receipt, [waveform.type])
        return next(receipt)
    }
}
