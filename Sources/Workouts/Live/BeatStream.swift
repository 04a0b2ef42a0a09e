import HealthModel

/// Finds normal intervals and the differences between neighbours, interval by interval.
///
/// The result is that of ``HeartRateVariability`` for all intervals together: it splits at gaps,
/// removes artefacts by the rule of `BeatFilter`, and calculates differences only between two
/// accepted neighbours.
struct BeatStream: Sendable {
    /// An accepted interval.
    struct Beat: Sendable {
        let interval: RRInterval
        /// The previous interval, if it was accepted and is adjacent.
        let neighbor: RRInterval?

        var square: Double? {
            neighbor.map {
                let difference = interval.milliseconds - $0.milliseconds
                return difference * difference
            }
        }
    }

    /// The maximum number of intervals that wait for plausible ones at the beginning of a chain.
    private static let maximumBeginningCount = 64

    private var beginning: [RRInterval] = []
    private var filter: BeatFilter?
    private var last: (interval: RRInterval, device: Int)?
    private var accepted: RRInterval?

    /// Appends the next interval in time order, and returns the intervals that are now known to be
    /// normal.
    mutating func append(_ interval: RRInterval, device: Int) -> [Beat] {
        var beats: [Beat] = []
        if let last, last.device != device || !interval.follows(last.interval) {
            beats = finish()
        }
        last = (interval, device)
        guard filter == nil else { return beats + classify([interval]) }
        beginning.append(interval)
        let possible = beginning.count { BeatFilter.isPossible($0.milliseconds) }
        if possible == BeatFilter.beginningCount
            || beginning.count == Self.maximumBeginningCount
        {
            beats += startFilter()
        }
        return beats
    }

    /// Ends the chain, and returns its remaining normal intervals.
    mutating func finish() -> [Beat] {
        let beats = filter == nil ? startFilter() : []
        (filter, accepted, last) = (nil, nil, nil)
        return beats
    }

    private mutating func startFilter() -> [Beat] {
        filter = BeatFilter(beginningOf: beginning)
        defer { beginning = [] }
        return classify(beginning)
    }

    private mutating func classify(_ intervals: [RRInterval]) -> [Beat] {
        intervals.compactMap { interval in
            guard filter?.accepts(interval.milliseconds) == true else {
                accepted = nil
                return nil
            }
            defer { accepted = interval }
            return Beat(interval: interval, neighbor: accepted)
        }
    }
}

/// The sums of beats from which RMSSD is calculated.
struct BeatTally: Sendable, Hashable {
    private var intervals = 0
    private var differences = 0
    private var squares = 0.0

    mutating func add(square: Double?) {
        intervals += 1
        guard let square else { return }
        differences += 1
        squares += square
    }

    mutating func add(_ other: BeatTally) {
        intervals += other.intervals
        differences += other.differences
        squares += other.squares
    }

    /// RMSSD; nil while there are too few beats.
    var rmssdMilliseconds: Double? {
        guard intervals >= HeartRateVariability.minimumIntervalCount,
            differences >= HeartRateVariability.minimumDifferenceCount
        else { return nil }
        return (squares / Double(differences)).squareRoot()
    }
}
