import GatewayCore
import Platform
public import Readings

/// Conformance checks for the contract of ``DeviceAdapter``.
///
/// The checks return findings instead of failing a test, so that any test framework can use them. A
/// trap or an endless loop ends the test run; `/tmp/pulsegate-conformance-PID.txt` then has the seed and the
/// bytes that caused it.
public enum AdapterConformance {
    /// A violation of the contract.
    public struct Finding: Sendable, CustomStringConvertible {
        /// The violation, with what is needed to reproduce it.
        public let description: String
    }

    /// The maximum number of actions for one event, besides four for each of its bytes.
    private static let actionLimit = 64
    /// The maximum time for one event, in seconds.
    private static let secondsPerEvent = 1.0

    /// Applies all checks: cuts, life cycle, values, and random bytes from 20 seeds.
    ///
    /// - Parameters:
    ///   - stream: Bytes that the device sends.
    ///   - channel: The channel on which it sends them.
    public static func findings(
        for stream: [UInt8], on channel: Channel = .stream, makeAdapter: () -> any DeviceAdapter
    ) -> [Finding] {
        var findings = channel == .stream ? findingsWhenCut(stream, makeAdapter: makeAdapter) : []
        findings += findingsForLifeCycle(stream, on: channel, makeAdapter: makeAdapter)
        findings += findingsForValues(stream, on: channel, makeAdapter: makeAdapter)
        for seed in UInt64(1)...UInt64(20 * FuzzFactor.current) {
            findings += findingsForRandomBytes(
                seed: seed, count: 2_000, on: channel, check: stream, makeAdapter: makeAdapter)
        }
        return findings
    }

    /// Feeds a stream cut in two at every position; the readings must add up to those of the whole
    /// stream.
    ///
    /// A counter may be reported once for each event or once for each message: its last value counts.
    public static func findingsWhenCut(
        _ stream: [UInt8], makeAdapter: () -> any DeviceAdapter
    ) -> [Finding] {
        let whole = ReadingSummary(readings(from: [stream], makeAdapter()))
        return (0...stream.count).compactMap { position in
            let pieces = [Array(stream[..<position]), Array(stream[position...])]
            guard ReadingSummary(readings(from: pieces, makeAdapter())) != whole else { return nil }
            return Finding(description: "readings differ when the stream is cut at \(position)")
        }
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
    ) -> [Finding] {
        var random = SeededGenerator(seed: seed)
        var feed = AdapterFeed(makeAdapter(), record: InputRecord(), seed: seed)
        feed.handle(.opened)
        var rest = count
        while rest > 0 {
            let length = min(rest, Int(random.next() % 64) + 1)
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            feed.handle(.received(bytes, on: channel))
            rest -= length
        }
        feed.handle(.closed)
        var findings = feed.problems(actionLimit: actionLimit, seconds: secondsPerEvent)
        let expected = ReadingSummary(readings(from: [check], on: channel, makeAdapter()))
        if ReadingSummary(readings(from: [check], on: channel, feed.adapter)) != expected {
            findings.append("after reopening, the adapter does not decode its device")
        }
        return findings.map { Finding(description: "seed \(seed): \($0)") }
    }

    /// Checks the life cycle: the same events give the same actions, a timer that was not requested
    /// changes nothing, and requested timers come to an end.
    public static func findingsForLifeCycle(
        _ stream: [UInt8], on channel: Channel = .stream, makeAdapter: () -> any DeviceAdapter
    ) -> [Finding] {
        var findings: [String] = []
        let once = readings(from: [stream], on: channel, makeAdapter())
        if readings(from: [stream], on: channel, makeAdapter()) != once {
            findings.append("the same events give different readings")
        }
        var feed = AdapterFeed(makeAdapter(), record: InputRecord(), seed: nil)
        feed.handle(.opened)
        for _ in 0..<AdapterFeed.timerLimit { feed.handle(.timer) }
        if feed.immediateWakes >= AdapterFeed.timerLimit {
            findings.append("every timer event requests another one at once")
        }
        feed.handle(.received(stream, on: channel))
        if ReadingSummary(feed.readings) != ReadingSummary(once) {
            findings.append("timer events that were not requested change the readings")
        }
        return findings.map(Finding.init)
    }

    /// Checks the readings of a stream: units and plausible values by the type, counters, states.
    public static func findingsForValues(
        _ stream: [UInt8], on channel: Channel = .stream, makeAdapter: () -> any DeviceAdapter
    ) -> [Finding] {
        readings(from: [stream], on: channel, makeAdapter()).compactMap { reading in
            reading.problem.map(Finding.init)
        }
    }

    private static func readings(
        from pieces: [[UInt8]], on channel: Channel = .stream, _ adapter: any DeviceAdapter
    ) -> [Reading] {
        var feed = AdapterFeed(adapter, record: InputRecord(), seed: nil)
        feed.handle(.opened)
        for piece in pieces where !piece.isEmpty { feed.handle(.received(piece, on: channel)) }
        return feed.readings
    }
}
