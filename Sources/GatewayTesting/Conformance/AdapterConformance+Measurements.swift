public import HealthModel
public import Readings

extension AdapterConformance {
    /// Feeds a stream twice, and once more to a new adapter, as a device sends its memory again after
    /// every connection; each measurement must become one record.
    ///
    /// It concerns readings with a ``MeasurementTime``, which must be within its bounds and equal
    /// when the device sends the measurement again. An age is recognized by its sequence number only.
    ///
    /// - Parameters:
    ///   - receivedAt: When the device sent the stream; nil for a time in November 2026.
    ///   - types: The types of the gateway, with those that the plugin declares.
    public static func findingsForMeasurements(
        _ stream: [UInt8], on channel: Channel = .stream, receivedAt: Instant? = nil,
        types: QuantityTypes = .standard, makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        let start = receivedAt ?? ConvertedFeed.standardStart
        let check = MeasurementCheck(
            event: .received(stream, on: channel), start: start, types: types, run: run)
        check.check(makeAdapter)
        return run.findings
    }
}

/// The check of measurements that a device sends more than once.
private struct MeasurementCheck {
    let event: AdapterEvent.Kind
    let start: Instant
    let types: QuantityTypes
    let run: ConformanceRun

    func check(_ makeAdapter: () -> any DeviceAdapter) {
        var feed = ConvertedFeed(makeAdapter(), types: types, in: run, startingAt: start)
        feed.open()
        let first = measurements(&feed)
        guard !first.isEmpty else { return }
        for reading in first where !reading.isRecognizable {
            run.find(
                "the age of a \(reading.kind) has no sequence number, so that it is not recognized when "
                    + "the device sends it again")
        }
        run.expect(
            feed.faults[.outOfTime] == 0,
            "a measurement is more than two years older than its receipt, or more than a day newer; if "
                + "the stream was recorded long ago, give its time as `receivedAt`")
        run.expect(
            feed.faults[.duplicate] == 0,
            "two measurements of the stream have the same time and sequence number")
        checkRepetition(&feed, first)
        var other = ConvertedFeed(makeAdapter(), types: types, in: run, startingAt: start)
        other.open()
        run.expect(
            measurements(&other).map(\.measurement) == first.map(\.measurement),
            "a new adapter reads other measurements in the same message")
    }

    /// Feeds the stream again, on the same link and on the next one.
    private func checkRepetition(_ feed: inout ConvertedFeed, _ first: [Reading]) {
        let count = feed.samples.count
        for isReopened in [false, true] {
            if isReopened {
                feed.handle(.closed)
                feed.open()
            }
            let again = measurements(&feed)
            // An adapter may recognize a repetition itself, until the link is closed.
            run.expect(
                (again.isEmpty && !isReopened)
                    || again.map(\.measurement) == first.map(\.measurement),
                "the same message again gives other measurements, or other measurement times")
        }
        let areRecognizable = first.allSatisfy(\.isRecognizable)
        run.expect(
            feed.samples.count == count || !areRecognizable,
            "a measurement that the device sends again becomes a second record")
    }

    private func measurements(_ feed: inout ConvertedFeed) -> [Reading] {
        feed.handle(event, afterSeconds: 10) { $0.measured != nil }
    }
}

extension Reading {
    /// Whether the converter recognizes the measurement when it comes again.
    fileprivate var isRecognizable: Bool {
        guard case .age? = measured?.clock else { return true }
        return measured?.sequence != nil
    }

    /// The reading without an age, which grows until the device sends the measurement again.
    fileprivate var measurement: Reading {
        guard let measured, case .age = measured.clock else { return self }
        let timeless = MeasurementTime(.age(nanoseconds: 0), sequence: measured.sequence)
        switch self {
        case .instant(let type, let quantity, _):
            return .instant(type, quantity, measured: timeless)
        case .counter(let counter):
            return .counter(
                CounterReading(
                    counter.type, value: counter.value, range: counter.range, unit: counter.unit,
                    countsPerUnit: counter.countsPerUnit, measured: timeless))
        case .beats(let beats):
            return .beats(
                BeatsReading(
                    ticks: beats.ticks, perSecond: beats.perSecond, history: beats.history,
                    measured: timeless, unusable: beats.unusable))
        case .correlation(let correlation):
            return .correlation(
                CorrelationReading(correlation.type, correlation.members, measured: timeless))
        case .waveform(let waveform):
            return .waveform(
                WaveformReading(
                    waveform.type, values: waveform.values, unit: waveform.unit,
                    perSecond: waveform.perSecond, deviceTime: waveform.deviceTime,
                    measured: timeless))
        case .state, .identity, .metadata: return self
        }
    }
}
