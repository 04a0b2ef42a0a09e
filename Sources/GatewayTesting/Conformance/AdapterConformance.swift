import GatewayCore
public import HealthModel
import Platform
public import Readings

/// Conformance checks for the contract of ``DeviceAdapter``.
///
/// The checks return findings instead of failing a test, so that any test framework can use them. A
/// trap ends the test run, and so does a call that does not return within 10 s.
/// `/tmp/pulsegate-conformance-PID-….txt` then has the seed and the bytes that caused it.
public enum AdapterConformance {
    /// Applies all checks.
    ///
    /// - Parameters:
    ///   - stream: Bytes that the device sends: a whole number of messages, or one value of a
    ///     characteristic.
    ///   - channel: The channel on which it sends them.
    ///   - types: The types of the gateway, with those that the plugin declares.
    ///   - receivedAt: When the device sent the bytes, for measurements with a time of the device;
    ///     nil for a time in November 2026.
    public static func findings(
        for stream: [UInt8], on channel: Channel = .stream, types: QuantityTypes = .standard,
        receivedAt: Instant? = nil, makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        var findings =
            channel == .stream
            ? findingsWhenCut(stream, types: types, makeAdapter: makeAdapter) : []
        findings += findingsForLifeCycle(stream, on: channel, makeAdapter: makeAdapter)
        findings += findingsForTimers(stream, on: channel, makeAdapter: makeAdapter)
        findings += findingsForValues(stream, on: channel, types: types, makeAdapter: makeAdapter)
        findings += findingsForMeasurements(
            stream, on: channel, receivedAt: receivedAt, types: types, makeAdapter: makeAdapter)
        for seed in UInt64(1)...UInt64(20 * FuzzFactor.current) {
            findings += findingsForRandomBytes(
                seed: seed, count: 2_000, on: channel, check: stream, makeAdapter: makeAdapter)
        }
        return findings + findingsForMemory(stream, on: channel, makeAdapter: makeAdapter)
    }

    /// Feeds a stream cut in two at every position, and byte by byte; the readings must add up to
    /// those of the whole stream, and so must the samples that the converter makes of them.
    ///
    /// A counter may be reported once for each event or once for each message: its last value counts.
    /// Its samples are compared if it is reported more than once in the whole stream.
    public static func findingsWhenCut(
        _ stream: [UInt8], types: QuantityTypes = .standard, makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        compareSamplesWhenCut(stream, types, makeAdapter, run)
        func summary(_ pieces: [[UInt8]]) -> ReadingSummary {
            ReadingSummary(readings(from: pieces, on: .stream, makeAdapter(), in: run))
        }
        let whole = summary([stream])
        for position in 0...stream.count {
            let pieces = [Array(stream[..<position]), Array(stream[position...])]
            run.expect(
                summary(pieces) == whole, "readings differ when the stream is cut at \(position)")
        }
        run.expect(
            summary(stream.map { [$0] }) == whole,
            "readings differ when the stream arrives byte by byte")
        return run.findings
    }

    private static func compareSamplesWhenCut(
        _ stream: [UInt8], _ types: QuantityTypes, _ makeAdapter: () -> any DeviceAdapter,
        _ run: ConformanceRun
    ) {
        func feed(_ pieces: [ArraySlice<UInt8>]) -> ConvertedFeed {
            var feed = ConvertedFeed(makeAdapter(), types: types, in: run)
            feed.open()
            for piece in pieces where !piece.isEmpty {
                feed.handle(.received(Array(piece), on: .stream))
            }
            return feed
        }
        let whole = feed([stream[...]])
        let counters = Set(whole.counterReadings.filter { $0.value > 1 }.keys)
        func compare(_ pieces: [ArraySlice<UInt8>], _ place: String) {
            let found = SampleSummary(feed(pieces))
            for name in found.differences(from: SampleSummary(whole), comparing: counters) {
                run.find("the samples of \(name) differ when the stream \(place)")
            }
        }
        for position in stream.indices {
            compare([stream[..<position], stream[position...]], "is cut at \(position)")
        }
        compare(stream.indices.map { stream[$0...$0] }, "arrives byte by byte")
    }

    /// Feeds random bytes on a channel; the adapter must return, in time and with a bounded number of
    /// actions, and remain usable.
    ///
    /// - Parameters:
    ///   - seed: The seed, which a finding contains.
    ///   - count: The number of bytes.
    ///   - check: A stream that the adapter must still decode after it is opened again.
    public static func findingsForRandomBytes(
        seed: UInt64, count: Int, on channel: Channel = .stream, check: [UInt8],
        makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        run.seed = seed
        var random = SeededGenerator(seed: seed)
        var feed = AdapterFeed(makeAdapter(), in: run, keepsActions: false)
        feed.handle(.opened)
        var rest = count
        while rest > 0 {
            let length = min(rest, Int(random.next() % 64) + 1)
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            feed.handle(.received(bytes, on: channel))
            rest -= length
        }
        feed.handle(.closed)
        let expected = ReadingSummary(readings(from: [check], on: channel, makeAdapter(), in: run))
        let found = readings(from: [check], on: channel, feed.adapter, in: run)
        run.expect(
            ReadingSummary(found) == expected,
            "after reopening, the adapter does not decode its device")
        return run.findings
    }

    /// Checks the readings of a stream: types that the gateway has, units and plausible values by the
    /// type, counters and their ranges, states.
    public static func findingsForValues(
        _ stream: [UInt8], on channel: Channel = .stream, types: QuantityTypes = .standard,
        makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        let readings = readings(from: [stream], on: channel, makeAdapter(), in: run)
        for reading in readings {
            for problem in reading.problems(types: types) { run.find(problem) }
        }
        for problem in CounterReading.contradictions(in: readings) { run.find(problem) }
        return run.findings
    }

    /// The readings of pieces after the link was opened.
    static func readings(
        from pieces: [[UInt8]], on channel: Channel, _ adapter: any DeviceAdapter,
        in run: ConformanceRun
    ) -> [Reading] {
        var feed = AdapterFeed(adapter, in: run)
        feed.handle(.opened)
        feed.receive(pieces, on: channel)
        return feed.readings
    }
}
