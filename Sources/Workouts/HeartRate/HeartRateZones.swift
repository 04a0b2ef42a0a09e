package import HealthModel
import HealthStatistics

/// Heart rate zones.
///
/// Zone 1 starts at the first boundary, zone 2 at the second, and so on; a boundary belongs to the
/// zone that starts there. Zone 0 is everything below the first boundary. The last zone has no
/// upper bound, so it includes rates above the assumed maximum.
package struct HeartRateZones: Sendable, Hashable {
    /// The value that the boundaries are fractions of.
    package enum Basis: Sendable, Hashable {
        /// The maximum heart rate.
        case maximum
        /// The heart rate reserve: resting + fraction · (maximum − resting).
        ///
        /// Karvonen, Kentala, Mustala, "The effects of training on heart rate", Ann Med Exp Biol Fenn
        /// 1957;35:307–315.
        case reserve(resting: Quantity)
    }

    /// The lower bounds of zone 1, 2, …, in count/min.
    package let lowerBounds: [Double]

    /// Creates zones.
    /// - Parameters:
    ///   - parts: The lower bounds of the zones, ascending, as fractions of the basis, for example
    ///     0.5.
    ///   - basis: The value that they are fractions of.
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

    /// Creates zones from the settings of a person.
    ///
    /// - Parameter resting: The resting heart rate; required for zones by the heart rate reserve.
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

    /// The number of zones without zone 0.
    package var count: Int { lowerBounds.count }

    /// The zone of a rate; 0 when the rate is below all zones, or NaN.
    package func zone(of countPerMinute: Double) -> Int {
        (lowerBounds.lastIndex { $0 <= countPerMinute } ?? -1) + 1
    }

    /// Returns the time in each zone, in seconds, zone 0 first.
    ///
    /// Time is weighted as for an average over time: the rate is interpolated linearly between two
    /// readings, and the time is split where it crosses a boundary. Longer gaps count in no zone.
    /// So the sum is the time for which the rate is known. Overlapping samples each count, as in an
    /// average; pass those of one device.
    /// - Throws: when a heart rate is not plausible.
    package func seconds(
        of samples: [QuantitySample], in span: Range<Instant>, gapLimitSeconds: Double = 60
    ) throws(HeartRateError) -> [Double] {
        let curve = try HeartRateCurve(of: samples, in: span, gapLimitSeconds: gapLimitSeconds)
        var seconds = [Double](repeating: 0, count: count + 1)
        for piece in curve.pieces { add(piece, to: &seconds) }
        return seconds
    }

    /// Adds a piece of the curve to the seconds of its zones, zone 0 first.
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
