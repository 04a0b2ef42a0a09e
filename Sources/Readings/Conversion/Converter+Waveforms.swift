import HealthModel
import Platform

extension Converter {
    /// Adds the values of a waveform, each as a sample.
    mutating func add(
        _ waveform: WaveformReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        let count = waveform.values.count
        guard count > 0,
            let stream = stream(of: waveform.type, faults: &conversion.faults, count: count)
        else { return }
        if let fault = waveform.fault {
            conversion.faults.add(fault, of: waveform.type.name, count: count)
            return
        }
        guard
            let moment = moment(
                of: waveform.measured, in: stream, receipt: receipt, epoch: epoch,
                faults: &conversion.faults, count: count)
        else { return }
        let times =
            waveform.measured == nil
            ? streams[stream].waveform.times(of: waveform, at: receipt)
            : WaveformClock.Times(newest: moment, interval: 1e9 / waveform.perSecond)
        let base = waveform.measured?.key(at: receipt) ?? UInt64(bitPattern: receipt.nanoseconds)
        for (index, value) in waveform.values.enumerated() {
            let moment = times.time(back: count - 1 - index)
            addSample(
                stream, try? Quantity(value, waveform.unit), from: moment, to: moment,
                key: base &* Self.keySpacing &+ UInt64(index), in: epoch, to: &conversion)
        }
    }
}

extension WaveformReading {
    /// Why none of the values can be a sample; nil if they can.
    fileprivate var fault: ReadingFault? {
        if type.isCumulative { return .wrongKind }
        if !perSecond.isFinite { return .notFinite }
        return Self.rates.contains(perSecond) ? nil : .implausible
    }
}
