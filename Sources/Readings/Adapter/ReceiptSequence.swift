import HealthModel
public import Platform

/// A generator of unique receipt times for the readings of a connection.
///
/// Readings that arrive together get times one nanosecond apart. Waveforms of several types share a
/// time if they arrive together or have one time of the device: they are the axes of one sensor, and
/// their samples are at the same moments.
public struct ReceiptSequence: Sendable {
    /// Waveforms that share a time.
    private struct Waveforms {
        let arrival: BootInstant
        let deviceTime: UInt64?
        var types: [QuantityType]

        /// Whether a waveform is of another axis at the same moments.
        func precede(_ waveform: WaveformReading, at receipt: BootInstant) -> Bool {
            guard !types.contains(waveform.type) else { return false }
            return arrival == receipt
                || deviceTime != nil && deviceTime == waveform.deviceTime
                    && receipt.seconds(since: arrival) <= WaveformClock.maximumLeadSeconds
        }
    }

    private var last: BootInstant?
    /// The waveforms that have the last time.
    private var waveforms: Waveforms?

    /// Makes an empty sequence.
    public init() {}

    /// Returns the receipt time of the next reading, which arrived at `receipt`.
    public mutating func next(_ receipt: BootInstant) -> BootInstant {
        let distinct = last.map { max(receipt, $0.adding(nanoseconds: 1)) } ?? receipt
        last = distinct
        return distinct
    }

    /// Returns the receipt time of a reading of an adapter or a program, which arrived at `receipt`.
    package mutating func next(_ receipt: BootInstant, for reading: Reading) -> BootInstant {
        guard case .waveform(let waveform) = reading else {
            if waveforms != nil { waveforms = nil }
            return next(receipt)
        }
        if let last, let waveforms, waveforms.precede(waveform, at: receipt) {
            self.waveforms?.types.append(waveform.type)
            return last
        }
        waveforms = Waveforms(
            arrival: receipt, deviceTime: waveform.deviceTime, types: [waveform.type])
        return next(receipt)
    }
}
