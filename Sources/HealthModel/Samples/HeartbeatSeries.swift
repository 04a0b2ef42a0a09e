/// The beats of a heart as times since a first one, with the places where beats may be missing.
///
/// It is how HealthKit keeps beats: the first beat is the start, each further one has the seconds since
/// then, which are more than 0, and says whether beats may be missing before it.
public struct HeartbeatSeries: Hashable, Sendable {
    /// The most beats after the first: more than a day of 180 in a minute.
    public static let maximumCount = 1 << 18

    /// A beat after the first.
    public struct Beat: Hashable, Sendable {
        /// The seconds since the series began; more than 0.
        public let secondsSinceStart: Double
        /// Whether beats may be missing before this one, so that no interval ends at it.
        public let isPrecededByGap: Bool

        /// Makes a beat.
        public init(secondsSinceStart: Double, isPrecededByGap: Bool = false) {
            self.secondsSinceStart = secondsSinceStart
            self.isPrecededByGap = isPrecededByGap
        }
    }

    /// When the first beat was.
    public let start: Instant
    /// The beats after the first, in the order of time.
    public let beats: [Beat]

    /// Makes a series of beats.
    /// - Throws: when there is none, there are too many, or their times do not rise from 0.
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

    /// The times from one beat to the next, in seconds, in the order of time.
    ///
    /// Where beats may be missing there is none.
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
    /// So far may the end of one interval be from the start of the next where no beat is missing.
    ///
    /// Sensors tell intervals in 1/1024 s, and the two times may each be rounded by such a tick: together
    /// 1.95 ms. No heart beats within that, so nothing is missed.
    static let toleranceNanoseconds: Int64 = 2_000_000

    /// The times of beats behind a gap are whole numbers of this part of a second.
    ///
    /// So the sums of ticks of 1/1024 s behind them are exact, as those before the first gap are.
    private static let partsPerSecond = 1_048_576.0

    /// Makes a series of intervals from beat to beat, in any order.
    ///
    /// An interval that does not begin where the one before it ended, to 2 ms, begins a new stretch.
    /// Intervals in ticks of 1/1024 s are given back exactly.
    ///
    /// - Parameter samples: Samples of `rrInterval`.
    /// - Throws: when there is none or there are too many, one is of another type, is not positive, or is
    ///   not as long as its times say, or two of them overlap.
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
                // Intervals that are a little longer than their times say may add up to more than those.
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

    /// The length of an interval, in seconds.
    private static func seconds(of sample: QuantitySample) throws(HeartbeatSeriesError) -> Double {
        guard sample.type == .rrInterval else { throw .type(sample.type.name) }
        guard let milliseconds = try? sample.quantity.value(in: .millisecond), milliseconds > 0
        else { throw .notPositive }
        // It is exact for ticks: their milliseconds are whole numbers of 1/128 ms.
        let seconds = milliseconds / 1_000
        let covered = Double(sample.end.nanoseconds(since: sample.start))
        guard abs(covered - seconds * 1e9) <= Double(toleranceNanoseconds) else { throw .times }
        return seconds
    }
}

/// Beats cannot be made a series.
public enum HeartbeatSeriesError: Error, Equatable, CustomStringConvertible {
    /// There is no beat after the first.
    case empty
    /// There are too many.
    case tooMany
    /// Times are not later than the one before, or not finite.
    case order
    /// A sample measures something else.
    case type(String)
    /// An interval is not longer than nothing.
    case notPositive
    /// An interval is longer or shorter than its start and end say.
    case times
    /// Two intervals are of the same time, as those of two devices.
    case overlap

    /// The message, without a value.
    public var description: String {
        switch self {
        case .empty: "a series of heartbeats has at least one interval"
        case .tooMany:
            "a series of heartbeats has at most \(HeartbeatSeries.maximumCount) beats; split it"
        case .order: "each beat of a series is later than the one before it"
        case .type(let name): "heartbeats are made of rrInterval, not of \(name)"
        case .notPositive: "an interval between two beats is longer than nothing"
        case .times: "an interval is as long as the time from its start to its end"
        case .overlap: "intervals overlap; make a series of one device's"
        }
    }
}
