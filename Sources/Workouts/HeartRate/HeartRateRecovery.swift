package import HealthModel
import HealthStatistics

/// How far the heart rate falls in the first minute after an effort.
///
/// It is the peak of the last 20 s of the effort less the average from 55 to 65 s after its end. When
/// an effort ended only somebody who was there can say: the end of a recording is not it, and the
/// figure would be too small.
package struct HeartRateRecovery: Sendable, Hashable {
    /// What the heart recovers from; HealthKit's numbers.
    package enum TestType: Double, Sendable {
        /// An effort to exhaustion.
        case maximal = 1
        /// A smaller effort.
        case submaximal = 2
        /// No exercise at all.
        case nonExercise = 3
    }

    /// What is known about the effort, for the metadata of a sample.
    package struct Effort: Sendable, Hashable {
        /// What the heart recovers from.
        package var testType: TestType?
        /// HealthKit's number of the activity.
        package var activityType: Int?
        /// How long the activity was.
        package var duration: Quantity?

        /// Makes an effort.
        package init(
            testType: TestType? = nil, activityType: Int? = nil, duration: Quantity? = nil
        ) {
            self.testType = testType
            self.activityType = activityType
            self.duration = duration
        }
    }

    /// A longer time without a reading makes the figure worthless.
    package static let gapLimitSeconds = 10.0
    /// Readings must go on for that long after the effort.
    package static let secondsNeededAfter = 65.0
    private static let effortSeconds: Int64 = 20

    /// How far the rate fell, in count/min; more than 0.
    package let quantity: Quantity
    /// The peak at the end of the effort.
    package let peak: Quantity
    /// The average rate around one minute later.
    package let afterOneMinute: Quantity
    /// What a sample of type `heartRateRecoveryOneMinute` should carry.
    package let metadata: Metadata

    /// Reckons the recovery.
    /// - Parameters:
    ///   - effortEnd: When the effort stopped; nil when nobody said so, which is an error.
    ///   - samples: Heart rates, among others; from 30 s before the end of the effort to 75 s after it.
    ///   - effort: What is known about the effort.
    /// - Throws: when the figure would not be right, see ``HeartRateRecoveryError``.
    package init(
        effortEnd: Instant?, samples: [QuantitySample], effort: Effort = Effort()
    ) throws(HeartRateRecoveryError) {
        guard let effortEnd else { throw .noEffortEnd }
        let window = effortEnd.adding(seconds: -Self.effortSeconds)..<effortEnd.adding(seconds: 65)
        let near = samples.filter { $0.type == .heartRate && $0.isNear(window) }
        let whole = try Self.pieces(of: near, in: window)
        try Self.checkCoverage(of: whole, in: window, lastReading: near.map(\.end).max())
        let before = try Self.pieces(of: near, in: window.lowerBound..<effortEnd)
        let after = try Self.pieces(of: near, in: effortEnd.adding(seconds: 55)..<window.upperBound)
        let peak = before.highest
        let average =
            after.reduce(0) { $0 + $1.area } / after.reduce(0) { $0 + $1.seconds }
        guard peak - average > 0 else { throw .noFall }
        do {
            quantity = try Quantity(peak - average, .countPerMinute)
            self.peak = try Quantity(peak, .countPerMinute)
            afterOneMinute = try Quantity(average, .countPerMinute)
            metadata = try Self.metadata(of: effort, highest: whole.highest)
        } catch {
            throw .effort
        }
    }

    private static func pieces(
        of samples: [QuantitySample], in span: Range<Instant>
    ) throws(HeartRateRecoveryError) -> [CurvePiece] {
        do {
            return try HeartRateCurve(of: samples, in: span, gapLimitSeconds: gapLimitSeconds)
                .pieces
        } catch {
            throw .dropout
        }
    }

    /// Everything must be known from the beginning of the window to its end.
    private static func checkCoverage(
        of pieces: [CurvePiece], in window: Range<Instant>, lastReading: Instant?
    ) throws(HeartRateRecoveryError) {
        var covered = window.lowerBound
        for span in pieces.map(\.span).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard span.lowerBound <= covered else { throw .gap }
            covered = max(covered, span.upperBound)
        }
        guard covered < window.upperBound else { return }
        guard let lastReading, lastReading < window.upperBound else { throw .gap }
        throw .tooShort
    }

    private static func metadata(of effort: Effort, highest: Double) throws -> Metadata {
        var metadata = Metadata()
        try metadata.set(
            try Quantity(highest, .countPerMinute), for: .heartRateRecoveryMaximumRate)
        if let testType = effort.testType {
            try metadata.set(testType.rawValue, for: .heartRateRecoveryTestType)
        }
        if let activityType = effort.activityType {
            try metadata.set(Double(activityType), for: .heartRateRecoveryActivityType)
        }
        if let duration = effort.duration {
            guard duration.isCompatible(with: .second) else {
                throw HeartRateRecoveryError.effort
            }
            try metadata.set(duration, for: .heartRateRecoveryActivityDuration)
        }
        return metadata
    }
}

/// The recovery of the heart rate cannot be reckoned, or would not be right.
package enum HeartRateRecoveryError: Error, Equatable, CustomStringConvertible {
    /// Nobody said when the effort stopped.
    case noEffortEnd
    /// For more than ten seconds there is no reading.
    case gap
    /// The readings do not go on for long enough after the effort.
    case tooShort
    /// A reading is no heart rate that a heart has: the sensor had lost the skin.
    case dropout
    /// The heart rate did not fall.
    case noFall
    /// What is said about the effort cannot be metadata.
    case effort

    /// The message, without the values.
    package var description: String {
        switch self {
        case .noEffortEnd:
            "recovery needs the time at which the effort stopped; mark it, the end of a recording is not it"
        case .gap:
            "recovery cannot be told: no heart rate for more than 10 s around it; check the strap"
        case .tooShort:
            "recovery cannot be told: the heart rate must be known for 65 s after the effort; "
                + "record for at least 75 s"
        case .dropout:
            "recovery cannot be told: a heart rate is not plausible; check how the strap sits"
        case .noFall: "the heart rate did not fall; mark the end of the effort where it was"
        case .effort: "the duration of an effort is not a time; give it in a unit as s or min"
        }
    }
}

extension [CurvePiece] {
    /// The highest value; below any heart rate when there is none.
    fileprivate var highest: Double { map { Swift.max($0.first, $0.last) }.max() ?? 0 }
}

extension QuantitySample {
    /// Whether it can say something about a window: it lies in it, or is a neighbour.
    fileprivate func isNear(_ window: Range<Instant>) -> Bool {
        end >= window.lowerBound.adding(seconds: -10)
            && start <= window.upperBound.adding(seconds: 10)
    }
}

extension Instant {
    fileprivate func adding(seconds: Int64) -> Instant {
        adding(nanoseconds: seconds * 1_000_000_000)
    }
}
