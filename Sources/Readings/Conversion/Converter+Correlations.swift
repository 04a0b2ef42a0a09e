import HealthModel
import Platform

/// Values that were measured together.
extension Converter {
    /// Adds one record of all members, or counts why there is none.
    mutating func add(
        _ reading: CorrelationReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        guard let streams = streams(of: reading, faults: &conversion.faults),
            let first = streams.first,
            let moment = moment(
                of: reading.measured, in: first, receipt: receipt, epoch: epoch,
                faults: &conversion.faults)
        else { return }
        let key = reading.measured?.key(at: receipt) ?? UInt64(bitPattern: receipt.nanoseconds)
        var members: [Correlation.Member] = []
        for (stream, member) in zip(streams, reading.members) {
            let sample = makeSample(
                stream, member.quantity, from: moment, to: moment, key: key, in: epoch,
                faults: &conversion.faults)
            guard let sample else { return }
            members.append(.quantity(sample))
        }
        let start = epoch.instant(at: moment)
        let seed = RecordID.Seed(device: identifier, stream: reading.type.name)
        let correlation = try? Correlation(
            id: makeID(start: start, seed: seed, key: key), type: reading.type, start: start,
            end: start, samples: members, person: person, device: device, source: source,
            metadata: Metadata().marked(in: epoch))
        guard let correlation else {
            conversion.faults.add(.wrongKind, of: reading.type.name)
            return
        }
        conversion.records.append(.correlation(correlation))
    }

    /// The streams of the members; nil, after counting the fault, if one is not accepted.
    private mutating func streams(
        of reading: CorrelationReading, faults: inout ReadingFaults
    ) -> [Int]? {
        // More than the limit of a correlation cannot become one.
        guard (1...Correlation.maximumCount).contains(reading.members.count) else {
            faults.add(.wrongKind, of: reading.type.name)
            return nil
        }
        var indices: [Int] = []
        for member in reading.members {
            guard let index = stream(of: member.type, faults: &faults) else { return nil }
            guard !member.type.isCumulative else {
                faults.add(.wrongKind, of: member.type.name)
                return nil
            }
            indices.append(index)
        }
        return indices
    }
}
