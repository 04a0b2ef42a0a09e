public import HealthModel

/// A series of heartbeats, as times since the first one, with gaps where beats may be missing.
///
/// It follows HealthKit's HKHeartbeatSeries: the first beat is the start; each further beat has the
/// seconds since then, more than 0, and a flag whether it is preceded by a gap.
public struct HeartbeatSeries: Hashable, Sendable {
    /// The maximum number of beats after the first: more than a day at 180 beats per minute.
    public static let maximumCount = 1 << 18

    /// A beat after the first.
    public struct Beat: Hashable, Sendable {
        /// The seconds since the start of the series; more than 0.
        public let secondsSinceStart: Double
        /// Whether beats may be missing before this one, so that no interval ends here.
        public let isPrecededByGap: Bool

        /// Makes a beat.
        public init(secondsSinceStart: Double, isPrecededByGap: Bool = false) {
            self.secondsSinceStart = secondsSinceStart
            self.isPrecededByGap = isPrecededByGap
        }
    }

    /// The time of the first beat.
    public let start: Instant
    /// The beats after the first, sorted by time.
    public let beats: [Beat]

    /// Makes a series of beats.
    /// - Throws: when there are none or too many, or their times are not increasing from 0.
    public init(start: Instant, beats: [Beat]) throws(HeartbeatSeriesError) {
        guard !beats.isEmpty else { throw .empty }
        guard beats.count <= Self.maximumCount else { throw .tooMany }
        var last = 0.0
        for beat in beats {
            guard beat.secondsSinceStart > last, beat.secondsSinceStart.isFinite else {
                throw .order
            }
            last = beat.secondsSinceStart
        }
        self.start = start
        self.beats = beats
    }

    /// The intervals between consecutive beats, in seconds, sorted by time.
    ///
    /// There is no interval across a gap.
    public var intervals: [Double] {
        var last = 0.0
        var intervals: [Double] = []
        for beat in beats {
            if !beat.isPrecededByGap { intervals.append(beat.secondsSinceStart - last) }
            last = beat.secondsSinceStart
        }
        return intervals
    }
}

extension HeartbeatSeries {
    /// The maximum distance between the end of an interval and the start of the next without a gap.
    ///
    /// Sensors report intervals in 1/1024 s, and both times may be rounded by one such tick: 1.95
    /// ms together. No beat fits into that time.
    static let toleranceNanoseconds: Int64 = 2_000_000

    /// The times of beats after a gap are rounded to this fraction of a second.
    ///
    /// So later sums of ticks of 1/1024 s are exact, like those before the first gap.
    private static let partsPerSecond = 1_048_576.0

    /// Makes a series from intervals between beats, in any order.
    ///
    /// An interval that starts more than 2 ms after the end of the one before it is preceded by a
    /// gap. Intervals in ticks of 1/1024 s are preserved exactly.
    ///
    /// - Parameter samples: Samples of `rrInterval`.
    /// - Throws: when there are none or too many, one is of another type, is not positive or does
    /// not
    ///   match its times, or two of them overlap.
    public init(_ samples: [QuantitySample]) throws(HeartbeatSeriesError) {
        guard samples.count <= Self.maximumCount else { throw .tooMany }
        let samples = samples.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        guard let first = samples.first else { throw .empty }
        var beats: [Beat] = []
        var last = (end: first.start, seconds: 0.0)
        for sample in samples {
            let length = try Self.seconds(of: sample)
            let pause = sample.start.nanoseconds(since: last.end)
            guard pause >= -Self.toleranceNanoseconds else { throw .overlap }
            if pause > Self.toleranceNanoseconds {
                // Intervals that are slightly longer than their times may add up to more than
                // those.
                let time = max(
                    Double(sample.start.nanoseconds(since: first.start)) / 1e9,
                    last.seconds + Double(pause) / 1e9)
                last.seconds = (time * Self.partsPerSecond).rounded() / Self.partsPerSecond
                beats.append(Beat(secondsSinceStart: last.seconds, isPrecededByGap: true))
            }
            last = (sample.end, last.seconds + length)
            beats.append(Beat(secondsSinceStart: last.seconds))
        }
        try self.init(start: first.start, beats: beats)
    }

    /// Whether a series can have this sample after the last one: it is an interval that matches its times,
    /// and they do not overlap.
    package static func canContain(_ sample: QuantitySample, after last: QuantitySample?) -> Bool {
        guard (try? seconds(of: sample)) != nil else { return false }
        guard let last else { return true }
        return sample.start.nanoseconds(since: last.end) >= -toleranceNanoseconds
    }

    /// The length of an interval, in seconds.
    private static func seconds(of sample: QuantitySample) throws(HeartbeatSeriesError) -> Double {
        guard sample.type == .rrInterval else { throw .type(sample.type.name) }
        guard let milliseconds = try? sample.quantity.value(in: .millisecond), milliseconds > 0
        else { throw .notPositive }
        // This is exact for ticks: their milliseconds are multiples of 1/128 ms.
        let seconds = milliseconds / 1_000
        let covered = Double(sample.end.nanoseconds(since: sample.start))
        guard abs(covered - seconds * 1e9) <= Double(toleranceNanoseconds) else { throw .times }
        return seconds
    }
}

/// An error of beats that do not form a series.
public enum HeartbeatSeriesError: Error, Equatable, CustomStringConvertible {
    /// There is no beat after the first.
    case empty
    /// There are too many.
    case tooMany
    /// A time is not later than the one before, or not finite.
    case order
    /// A sample is of another type.
    case type(String)
    /// An interval is not longer than 0.
    case notPositive
    /// An interval does not match its start and end.
    case times
    /// Two intervals overlap, like those of two devices.
    case overlap

    /// The message, without a value.
    public var description: String {
        switch self {
        case .empty: "a heartbeat series must have at least one interval"
        case .tooMany:
            "a heartbeat series must have at most \(HeartbeatSeries.maximumCount) beats; split it"
        case .order: "each beat of a heartbeat series must be later than the one before it"
        case .type(let name): "expected samples of rrInterval, found \(name)"
        case .notPositive: "an interval between two beats must be longer than 0"
        case .times: "an interval must be as long as the time from its start to its end"
        case .overlap: "intervals overlap; use the samples of one device"
        }
    }
}
