import Glibc
package import HealthModel

/// The variability of the time between heart beats: SDNN, RMSSD and pNN50.
///
/// The measures are those of the Task Force of the European Society of Cardiology and the North
/// American Society of Pacing and Electrophysiology, "Heart rate variability: standards of
/// measurement, physiological interpretation and clinical use", Circulation 1996;93:1043–1065. SDNN
/// is the variability of all intervals, RMSSD that between neighbours: they are not the same.
/// Measures compare only with those of recordings of the same length; the usual short one is five
/// minutes.
package struct HeartRateVariability: Sendable, Hashable {
    /// How artefacts are detected.
    package enum Artefacts: Sendable, Hashable {
        /// Intervals that differ by more than 20 % from the last accepted one are removed.
        ///
        /// See `BeatFilter` for the rule and its source. It also removes normal intervals of a
        /// young heart whose respiratory variation is larger.
        case removed
        /// Only implausible intervals are removed: less than 250 or more than 3,000 ms.
        case retained
    }

    /// The minimum number of normal intervals.
    ///
    /// Ten seconds is the shortest recording for which RMSSD was validated against longer ones
    /// (Munoz and others, "Validity of (ultra-)short recordings for heart rate variability
    /// measurements", PLoS ONE 2015;10:e0138921); at rest it has ten intervals.
    package static let minimumIntervalCount = 10
    /// The minimum number of differences: that of ten consecutive intervals.
    package static let minimumDifferenceCount = minimumIntervalCount - 1

    /// The number of normal intervals.
    package let count: Int
    /// The number of intervals removed as artefacts.
    package let removedCount: Int
    /// The number of differences between neighbours.
    ///
    /// A difference is calculated only between two adjacent accepted intervals: none across a gap,
    /// and none across a removed interval.
    package let differenceCount: Int
    /// The mean of the normal intervals.
    package let meanMilliseconds: Double
    /// The standard deviation of the normal intervals, with n − 1 in the denominator.
    package let sdnnMilliseconds: Double
    /// The square root of the mean of the squares of the differences.
    package let rmssdMilliseconds: Double
    /// The number of differences above 50 ms as a fraction of the normal intervals, 0 to 1.
    ///
    /// The denominator is the number of intervals, as the Task Force writes; some programs use the
    /// number of differences, which is one less.
    package let pnn50: Double

    /// Calculates the measures of `rrInterval` samples; other types are ignored.
    /// - Throws: when there are too few normal intervals, or they come from several devices.
    package init(
        samples: [QuantitySample], artefacts: Artefacts = .removed
    ) throws(HeartRateVariabilityError) {
        try self.init(RRInterval.all(of: samples), artefacts: artefacts)
    }

    /// Calculates the measures of intervals in any order.
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

    /// Splits intervals at gaps: in a chain, each interval starts with the beat that the last one
    /// ended with.
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

    /// Splits a chain at its artefacts: in a run, all intervals are normal neighbours.
    private static func runs(
        of chain: ArraySlice<RRInterval>, _ artefacts: Artefacts
    ) -> [[RRInterval]] {
        let marked =
            switch artefacts {
            case .removed: BeatFilter.accepted(in: chain)
            case .retained: chain.map { BeatFilter.isPossible($0.milliseconds) ? $0 : nil }
            }
        return marked.split(separator: nil).map { $0.compactMap(\.self) }
    }
}

/// The reason why heart rate variability was not calculated.
package enum HeartRateVariabilityError: Error, Equatable, CustomStringConvertible {
    /// There are too few normal intervals, or too few adjacent ones.
    case tooFew(intervals: Int, differences: Int)
    /// The intervals come from more than one device.
    case severalDevices

    /// The message.
    package var description: String {
        switch self {
        case .tooFew(let intervals, let differences):
            "too few normal R-R intervals: expected at least "
                + "\(HeartRateVariability.minimumIntervalCount) with "
                + "\(HeartRateVariability.minimumDifferenceCount) differences, found \(intervals) "
                + "with \(differences); record for longer"
        case .severalDevices:
            "the R-R intervals come from several devices; select one device"
        }
    }
}
