import Glibc
package import HealthModel

/// How much the time between the beats of a heart varies.
///
/// The measures are those of the Task Force of the European Society of Cardiology and the North
/// American Society of Pacing and Electrophysiology, "Heart rate variability: standards of measurement,
/// physiological interpretation and clinical use", Circulation 1996;93:1043–1065. SDNN says how much all
/// intervals vary, RMSSD how much each differs from the one before: they are not the same. Measures
/// compare only with those of recordings of the same length; the usual short one is five minutes.
package struct HeartRateVariability: Sendable, Hashable {
    /// How intervals that are no normal ones are found.
    package enum Artefacts: Sendable, Hashable {
        /// Intervals that differ by more than 20 % from the last accepted one are removed.
        ///
        /// See `BeatFilter` for the rule and its source. It also removes true intervals of a young
        /// heart that follows the breath by more than that.
        case removed
        /// Only what no heart can have is removed: less than 250 or more than 3,000 ms.
        case kept
    }

    /// Ten seconds are the shortest recordings that RMSSD was compared with longer ones for (Munoz and
    /// others, "Validity of (ultra-)short recordings for heart rate variability measurements", PLoS ONE
    /// 2015;10:e0138921); at rest they have ten intervals.
    package static let minimumIntervalCount = 10
    /// As many as ten intervals in a row have.
    package static let minimumDifferenceCount = minimumIntervalCount - 1

    /// How many normal intervals it is made of.
    package let count: Int
    /// How many intervals were removed as artefacts.
    package let removedCount: Int
    /// How many differences between neighbours there are.
    ///
    /// A difference is taken only between two intervals that touch and that both were accepted: none
    /// across a gap, and none across a removed interval.
    package let differenceCount: Int
    /// The mean of the normal intervals.
    package let meanMilliseconds: Double
    /// The standard deviation of the normal intervals, with n − 1 in the denominator.
    package let sdnnMilliseconds: Double
    /// The square root of the mean of the squares of the differences.
    package let rmssdMilliseconds: Double
    /// The differences of more than 50 ms, as a part of the normal intervals, 0 to 1.
    ///
    /// The denominator is the number of intervals, as the Task Force writes; some programs take the
    /// number of differences, which is one less.
    package let pnn50: Double

    /// Makes the measures of `rrInterval` samples; those of other types are left aside.
    /// - Throws: when there are too few normal intervals, or several devices measured.
    package init(
        samples: [QuantitySample], artefacts: Artefacts = .removed
    ) throws(HeartRateVariabilityError) {
        try self.init(RRInterval.all(of: samples), artefacts: artefacts)
    }

    /// Makes the measures of intervals, in whatever order.
    /// - Throws: when there are too few normal intervals.
    package init(
        _ intervals: [RRInterval], artefacts: Artefacts = .removed
    ) throws(HeartRateVariabilityError) {
        let sorted = intervals.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        let runs = Self.chains(of: sorted).flatMap { Self.runs(of: $0, artefacts) }
        let normal = runs.joined().map(\.milliseconds)
        let differences = runs.flatMap { run in
            zip(run.dropFirst(), run).map { $0.milliseconds - $1.milliseconds }
        }
        guard normal.count >= Self.minimumIntervalCount,
            differences.count >= Self.minimumDifferenceCount
        else {
            throw .tooFew(intervals: normal.count, differences: differences.count)
        }
        let mean = normal.reduce(0, +) / Double(normal.count)
        let squares = normal.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        count = normal.count
        removedCount = intervals.count - normal.count
        differenceCount = differences.count
        meanMilliseconds = mean
        sdnnMilliseconds = sqrt(squares / Double(normal.count - 1))
        rmssdMilliseconds = sqrt(
            differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count))
        pnn50 = Double(differences.count { abs($0) > 50 }) / Double(normal.count)
    }

    /// Cuts at gaps: in each chain every interval begins with the beat that the last one ended with.
    private static func chains(of sorted: [RRInterval]) -> [ArraySlice<RRInterval>] {
        var chains: [ArraySlice<RRInterval>] = []
        var start = sorted.startIndex
        for index in sorted.indices.dropFirst() where !sorted[index].follows(sorted[index - 1]) {
            chains.append(sorted[start..<index])
            start = index
        }
        if start < sorted.endIndex { chains.append(sorted[start...]) }
        return chains
    }

    /// Cuts a chain at its artefacts: in each run all intervals are normal neighbours.
    private static func runs(
        of chain: ArraySlice<RRInterval>, _ artefacts: Artefacts
    ) -> [[RRInterval]] {
        let marked =
            switch artefacts {
            case .removed: BeatFilter.accepted(in: chain)
            case .kept: chain.map { BeatFilter.isPossible($0.milliseconds) ? $0 : nil }
            }
        return marked.split(separator: nil).map { $0.compactMap(\.self) }
    }
}

/// Heart rate variability cannot be reckoned.
package enum HeartRateVariabilityError: Error, Equatable, CustomStringConvertible {
    /// There are not enough normal intervals, or not enough of them touch.
    case tooFew(intervals: Int, differences: Int)
    /// The intervals are of more than one device.
    case severalDevices

    /// The message.
    package var description: String {
        switch self {
        case .tooFew(let intervals, let differences):
            "\(intervals) normal R-R intervals with \(differences) differences are too few; at least "
                + "\(HeartRateVariability.minimumIntervalCount) and "
                + "\(HeartRateVariability.minimumDifferenceCount) are needed, so record for longer"
        case .severalDevices:
            "the R-R intervals are of several devices, whose beats would be mixed; give those of one"
        }
    }
}
