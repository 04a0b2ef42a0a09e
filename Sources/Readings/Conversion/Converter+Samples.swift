import HealthModel
import Platform

extension Converter {
    /// Adds a value at one moment.
    mutating func add(
        _ type: QuantityType, _ quantity: Quantity, measured: MeasurementTime?,
        at receipt: BootInstant, in epoch: ClockEpoch, to conversion: inout Conversion
    ) {
        guard let stream = stream(of: type, faults: &conversion.faults) else { return }
        guard !type.isCumulative else {
            conversion.faults.add(.wrongKind, of: type.name)
            return
        }
        // The right value may follow with the same time of the device: it is no repetition.
        if measured != nil, let fault = type.fault(of: quantity) {
            return conversion.faults.add(fault, of: type.name)
        }
        guard
            let moment = moment(
                of: measured, in: stream, receipt: receipt, epoch: epoch,
                faults: &conversion.faults)
        else { return }
        let key = measured?.key(at: receipt) ?? UInt64(bitPattern: receipt.nanoseconds)
        addSample(
            stream, quantity, from: moment, to: moment, key: key, in: epoch, to: &conversion)
    }

    /// Adds what was counted since the last total.
    mutating func add(
        _ counter: CounterReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        guard let stream = stream(of: counter.type, faults: &conversion.faults),
            isValid(counter, faults: &conversion.faults),
            let moment = moment(
                of: counter.measured, in: stream, receipt: receipt, epoch: epoch,
                faults: &conversion.faults)
        else { return }
        switch streams[stream].counter.add(counter, at: moment) {
        case .nothing:
            break
        case .impossible:
            conversion.faults.add(.implausible, of: counter.type.name)
        case .counted(let amount, let start, let end):
            addSample(
                stream, try? Quantity(amount, counter.unit), from: start, to: end,
                key: Self.key(
                    counter.value.bitPattern,
                    counter.measured?.key(at: receipt) ?? UInt64(bitPattern: start.nanoseconds)),
                in: epoch, to: &conversion)
        }
    }

    /// Whether a counter can be one of its type; counts a fault if not.
    private func isValid(_ counter: CounterReading, faults: inout ReadingFaults) -> Bool {
        let fault: ReadingFault? =
            if !counter.type.isCumulative {
                .wrongKind
            } else if !counter.type.canonicalUnit.isCompatible(with: counter.unit) {
                .wrongUnit
            } else if !counter.value.isFinite || !counter.countsPerUnit.isFinite {
                .notFinite
            } else {
                nil
            }
        if let fault { faults.add(fault, of: counter.type.name) }
        return fault == nil
    }

    /// Adds the intervals between beats.
    mutating func add(
        _ beats: BeatsReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        guard let stream = stream(of: .rrInterval, faults: &conversion.faults) else { return }
        guard beats.perSecond > 0, beats.perSecond.isFinite else {
            conversion.faults.add(
                beats.perSecond.isFinite ? .implausible : .notFinite,
                of: QuantityType.rrInterval.name)
            return
        }
        guard
            let moment = moment(
                of: beats.measured, in: stream, receipt: receipt, epoch: epoch,
                faults: &conversion.faults)
        else { return }
        let base = beats.measured?.key(at: receipt) ?? UInt64(bitPattern: receipt.nanoseconds)
        for interval in beatClock.intervals(from: beats, at: moment) {
            let beat = UInt64(interval.beat)
            let key =
                beats.history != nil
                ? Self.key(beat, at: interval.start)
                : base &* Self.keySpacing &+ beat
            addSample(
                stream, try? Quantity(interval.milliseconds, .millisecond),
                from: interval.start, to: interval.end, key: key, in: epoch, to: &conversion)
        }
    }

    /// Returns the moment of a reading by the device's clock, or by its receipt.
    ///
    /// - Parameter count: The number of values that the reading has.
    /// - Returns: Nil, after counting the fault, if the time is out of its bounds or a repetition.
    mutating func moment(
        of measured: MeasurementTime?, in stream: Int, receipt: BootInstant, epoch: ClockEpoch,
        faults: inout ReadingFaults, count: Int = 1
    ) -> BootInstant? {
        guard let measured else { return receipt }
        let name = streams[stream].type.name
        guard
            let instant = measured.instant(
                receipt: epoch.instant(at: receipt), isUnset: epoch.isUnset, calendar: calendar)
        else {
            faults.add(.outOfTime, of: name, count: count)
            return nil
        }
        guard streams[stream].isNew(measured, at: instant) else {
            faults.add(.duplicate, of: name, count: count)
            return nil
        }
        return epoch.moment(of: instant)
    }

    /// Returns a key that is unique even if the wall clock is set back and a UTC time repeats.
    ///
    /// It combines the number with the boot time, which never repeats. Multiplication by an odd
    /// constant, the bits of the golden ratio, is injective and spreads numbers over all bits.
    static func key(_ number: UInt64, at moment: BootInstant) -> UInt64 {
        key(number, UInt64(bitPattern: moment.nanoseconds))
    }

    private static func key(_ number: UInt64, _ moment: UInt64) -> UInt64 {
        number &* 0x9E37_79B9_7F4A_7C15 ^ moment
    }

    /// The distance of the keys of two readings, above the number of samples of one.
    static let keySpacing: UInt64 = 65_536

    /// Adds a sample, or counts its fault.
    mutating func addSample(
        _ stream: Int, _ quantity: Quantity?, from start: BootInstant, to end: BootInstant,
        key: UInt64, in epoch: ClockEpoch, to conversion: inout Conversion
    ) {
        let sample = makeSample(
            stream, quantity, from: start, to: end, key: key, in: epoch,
            faults: &conversion.faults)
        if let sample { conversion.records.append(.sample(sample)) }
    }

    /// Makes a sample; nil, after counting the fault, when its value is not accepted.
    @inline(__always)
    mutating func makeSample(
        _ stream: Int, _ quantity: Quantity?, from start: BootInstant, to end: BootInstant,
        key: UInt64, in epoch: ClockEpoch, faults: inout ReadingFaults
    ) -> QuantitySample? {
        let type = streams[stream].type
        let (start, end) = (epoch.instant(at: start), epoch.instant(at: end))
        let id = makeID(start: start, seed: streams[stream].seed, key: key)
        if let fault = type.fault(of: quantity) {
            faults.add(fault, of: type.name)
            return nil
        }
        let last = streams[stream].last
        guard let quantity,
            let sample = sample(
                after: last, in: stream, id: id, from: start, to: end, quantity, epoch)
        else {
            faults.add(.implausible, of: type.name)
            return nil
        }
        guard last?.id != id else {
            faults.add(.duplicate, of: type.name)
            return nil
        }
        streams[stream].last = sample
        streams[stream].isSteady = true
        return sample
    }

    /// Makes a sample; nil when it is not valid.
    @inline(__always)
    private mutating func sample(
        after last: QuantitySample?, in stream: Int, id: RecordID, from start: Instant,
        to end: Instant, _ quantity: Quantity, _ epoch: ClockEpoch
    ) -> QuantitySample? {
        if epoch.isUnset != wasClockUnset {
            wasClockUnset = epoch.isUnset
            noteChange()
        }
        if streams[stream].isSteady,
            let next = last?.with(id: id, start: start, end: end, quantity: quantity)
        {
            return next
        }
        let metadata = streams[stream].metadata
        return try? QuantitySample(
            sharing: last, id: id, type: streams[stream].type, start: start, end: end,
            quantity: quantity, person: person, device: device, source: source,
            metadata: metadata.marked(in: epoch))
    }

    /// Returns the index of a type's stream; nil, after counting the fault, if it is not accepted.
    ///
    /// - Parameter count: The number of values that the reading has.
    mutating func stream(
        of type: QuantityType, faults: inout ReadingFaults, count: Int = 1
    ) -> Int? {
        // By its place, because a stream is large and would be copied.
        var index = streams.indices.first { streams[$0].type == type }
        if index == nil, streams.count < Self.streamLimit {
            streams.append(ReadingStream(type, device: identifier, types: types))
            index = streams.count - 1
        }
        guard let index else {
            faults.add(.flood, of: "other types", count: count)
            return nil
        }
        guard let fault = streams[index].fault else { return index }
        faults.add(fault, of: type.name, count: count)
        return nil
    }
}

extension MeasurementTime {
    /// The part of a sample's id that distinguishes measurements with the same time.
    func key(at receipt: BootInstant) -> UInt64 {
        isRecognizable ? key : UInt64(bitPattern: receipt.nanoseconds)
    }
}

extension QuantityType {
    /// Returns why a value is not one of this type; nil if it is.
    fileprivate func fault(of quantity: Quantity?) -> ReadingFault? {
        guard let quantity else { return .notFinite }
        guard let value = try? quantity.value(in: canonicalUnit) else { return .wrongUnit }
        return plausibleRange?.contains(value) ?? true ? nil : .implausible
    }
}
