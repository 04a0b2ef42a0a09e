import HealthModel
import HealthStatistics

/// The heart rate over a span of time, in count/min.
struct HeartRateCurve {
    /// The maximum time between two readings in a workout that is interpolated; a longer gap has no
    /// values.
    static let workoutGapLimitSeconds = 60.0

    let pieces: [CurvePiece]

    /// Creates a curve from the heart rates among the samples; other types are ignored.
    init(
        of samples: [QuantitySample], in span: Range<Instant>, gapLimitSeconds: Double
    ) throws(HeartRateError) {
        let rates = samples.filter { $0.type == .heartRate }
        for sample in rates {
            guard HeartRate.perMinute(sample.quantity) != nil else { throw .implausibleRate }
        }
        do {
            pieces = try CurvePiece.pieces(
                of: rates, .heartRate, in: span, gapLimitSeconds: gapLimitSeconds)
        } catch {
            throw .implausibleRate
        }
    }
}

enum HeartRate {
    /// A rate in count/min; nil when it is not plausible.
    static func perMinute(_ quantity: Quantity) -> Double? {
        guard let rate = try? quantity.value(in: .countPerMinute),
            QuantityType.heartRate.plausibleRange?.contains(rate) ?? true
        else { return nil }
        return rate
    }
}
