package import HealthModel
import HealthStatistics

/// Zones of effort by the heart rate.
///
/// Zone 1 begins at the first boundary, zone 2 at the second, and so on; a boundary belongs to the
/// zone that begins there. Below the first boundary is zone 0, which is no training. The last zone has
/// no end, so that a rate above the presumed maximum is in it.
package struct HeartRateZones: Sendable, Hashable {
    /// What the boundaries are parts of.
    package enum Basis: Sendable, Hashable {
        /// Of the maximum heart rate.
        case maximum
        /// Of the heart rate reserve: resting + part · (maximum − resting).
        ///
        /// Karvonen, Kentala, Mustala, "The effects of training on heart rate", Ann Med Exp Biol Fenn
        /// 1957;35:307–315.
        case reserve(resting: Quantity)
    }

    /// Where zone 1, 2, … begin, in count/min.
    package let lowerBounds: [Double]

    /// Makes zones.
    /// - Parameters:
    ///   - parts: Where the zones begin, ascending; 0.5 is half of what they are parts of.
    ///   - basis: What they are parts of.
    ///   - maximum: The maximum heart rate, see ``MaximumHeartRate``.
    package init(
        _ parts: [Double] = ZoneSettings.standard.parts, of basis: Basis = .maximum,
        maximum: Quantity
    ) throws(HeartRateError) {
        guard let maximum = HeartRate.perMinute(maximum) else { throw .maximum }
        guard ZoneSettings(.maximum, parts: parts) != nil else { throw .boundaries }
        switch basis {
        case .maximum: lowerBounds = parts.map { $0 * maximum }
        case .reserve(let resting):
            guard let resting = HeartRate.perMinute(resting), resting < maximum else {
                throw .resting
            }
            lowerBounds = parts.map { resting + $0 * (maximum - resting) }
        }
    }

    /// Makes the zones that somebody has chosen.
    ///
    /// - Parameter resting: The resting heart rate; needed where the zones are parts of the reserve.
    package init(
        _ settings: ZoneSettings, maximum: Quantity, resting: Quantity?
    ) throws(HeartRateError) {
        switch settings.basis {
        case .maximum: try self.init(settings.parts, maximum: maximum)
        case .reserve:
            guard let resting else { throw .restingUnknown }
            try self.init(settings.parts, of: .reserve(resting: resting), maximum: maximum)
        }
    }

    /// How many zones there are beside zone 0.
    package var count: Int { lowerBounds.count }

    /// The number of the zone that a rate is in; 0 when it is below all, or no number.
    package func zone(of countPerMinute: Double) -> Int {
        (lowerBounds.lastIndex { $0 <= countPerMinute } ?? -1) + 1
    }

    /// Returns how long the heart rate was in each zone, in seconds; the first number is that of zone 0.
    ///
    /// Time is weighed as for an average over time: between two readings the rate goes straight from
    /// one to the other, and where it crosses a boundary the time is split. Longer gaps count nowhere.
    /// So the sum is the time of which the rate is known. Samples that overlap count each, as in an
    /// average; give those of one device.
    /// - Throws: when a heart rate is not plausible.
    package func seconds(
        of samples: [QuantitySample], in span: Range<Instant>, gapLimitSeconds: Double = 60
    ) throws(HeartRateError) -> [Double] {
        let curve = try HeartRateCurve(of: samples, in: span, gapLimitSeconds: gapLimitSeconds)
        var seconds = [Double](repeating: 0, count: count + 1)
        for piece in curve.pieces { add(piece, to: &seconds) }
        return seconds
    }

    /// Adds a piece of time to the seconds of the zones that it is in, zone 0 first.
    func add(_ piece: CurvePiece, to seconds: inout [Double]) {
        let low = min(piece.first, piece.last)
        let high = max(piece.first, piece.last)
        guard low < high else {
            seconds[zone(of: low)] += piece.seconds
            return
        }
        for zone in zone(of: low)...zone(of: high) {
            let from = zone == 0 ? low : max(low, lowerBounds[zone - 1])
            let to = zone == count ? high : min(high, lowerBounds[zone])
            seconds[zone] += piece.seconds * ((to - from) / (high - low))
        }
    }
}
