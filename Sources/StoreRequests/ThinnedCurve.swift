import HealthModel
import HealthStatistics
import JSON
import Workouts

/// A curve of some points of a quantity's samples, for a plot.
struct ThinnedCurve: Equatable {
    /// The maximum number of points.
    static let limit = 600

    /// A point: the averages of the samples in one part of the time.
    struct Point: Equatable {
        /// In seconds since the start.
        let seconds: Double
        let value: Double
    }

    private(set) var points: [Point] = []

    /// Divides the time into equal parts; one without samples has no point.
    ///
    /// - Parameter samples: In time order; those of other types are ignored.
    init(
        of samples: [QuantitySample], _ type: QuantityType, in span: Range<Instant>,
        limit: Int = ThinnedCurve.limit
    ) {
        let width = max(span.seconds / Double(limit), .leastNonzeroMagnitude)
        var part = -1
        var run: [Point] = []
        for sample in samples where sample.type == type {
            let seconds = sample.end.seconds(since: span.lowerBound)
            guard let value = try? sample.quantity.value(in: type.canonicalUnit),
                seconds >= 0, sample.end <= span.upperBound
            else { continue }
            let next = min(Int(seconds / width), limit - 1)
            if next != part { close(&run) }
            part = next
            run.append(Point(seconds: seconds, value: value))
        }
        close(&run)
    }

    private mutating func close(_ run: inout [Point]) {
        guard !run.isEmpty else { return }
        let count = Double(run.count)
        points.append(
            Point(
                seconds: run.reduce(0) { $0 + $1.seconds } / count,
                value: run.reduce(0) { $0 + $1.value } / count))
        run = []
    }

    /// Writes two lists of equal length, rounded to milliseconds and thousandths.
    func write(to json: inout JSONWriter, value key: String) {
        json.numbers("seconds", points.map { ($0.seconds * 1_000).rounded() / 1_000 })
        json.numbers(key, points.map { ($0.value * 1_000).rounded() / 1_000 })
    }
}
