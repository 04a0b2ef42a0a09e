import HealthModel

/// The differences between neighbouring beats, found interval by interval.
///
/// It does what ``HeartRateVariability`` does with all intervals at once: it cuts at gaps, removes
/// artefacts by the rule of `BeatFilter`, and takes differences only between neighbours that were both
/// accepted.
struct BeatStream: Sendable {
    /// An interval that was accepted.
    struct Beat: Sendable {
        let interval: RRInterval
        /// The one before it, when that was accepted and touches it.
        let neighbor: RRInterval?

        var square: Double? {
            neighbor.map {
                let difference = interval.milliseconds - $0.milliseconds
                return difference * difference
            }
        }
    }

    /// A chain that begins with nothing possible is not waited for any longer.
    private static let longestBeginning = 64

    private var beginning: [RRInterval] = []
    private var filter: BeatFilter?
    private var last: (interval: RRInterval, device: Int)?
    private var accepted: RRInterval?

    /// Takes the next interval in the order of time; answers with those that are known to be normal now.
    mutating func take(_ interval: RRInterval, device: Int) -> [Beat] {
        var beats: [Beat] = []
        if let last, last.device != device || !interval.follows(last.interval) {
            beats = finish()
        }
        last = (interval, device)
        guard filter == nil else { return beats + judge([interval]) }
        beginning.append(interval)
        let possible = beginning.count { BeatFilter.isPossible($0.milliseconds) }
        if possible == BeatFilter.intervalsAtBeginning
            || beginning.count == Self.longestBeginning
        {
            beats += begin()
        }
        return beats
    }

    /// The chain ends here.
    mutating func finish() -> [Beat] {
        let beats = filter == nil ? begin() : []
        (filter, accepted, last) = (nil, nil, nil)
        return beats
    }

    private mutating func begin() -> [Beat] {
        filter = BeatFilter(beginningOf: beginning)
        defer { beginning = [] }
        return judge(beginning)
    }

    private mutating func judge(_ intervals: [RRInterval]) -> [Beat] {
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

/// What beats came to.
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

    /// Nil while there are too few.
    var rmssdMilliseconds: Double? {
        guard intervals >= HeartRateVariability.minimumIntervalCount,
            differences >= HeartRateVariability.minimumDifferenceCount
        else { return nil }
        return (squares / Double(differences)).squareRoot()
    }
}
