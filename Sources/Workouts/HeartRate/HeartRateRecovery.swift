package import HealthModel
import HealthStatistics

/// The fall of the heart rate in the first minute after an effort.
///
/// It is the peak of the last 20 s of the effort minus the average from 55 to 65 s after its end.
/// The end of the effort must be given: the end of a recording is later, and the result would be
/// too small.
package struct HeartRateRecovery: Sendable, Hashable {
    /// The kind of effort, with the raw values of HKHeartRateRecoveryTestType.
    package enum TestType: Double, Sendable {
        /// An effort to exhaustion.
        case maximal = 1
        /// A smaller effort.
        case submaximal = 2
        /// No exercise at all.
        case nonExercise = 3
    }

    /// The facts about the effort, for the metadata of a sample.
    package struct Effort: Sendable, Hashable {
        /// The kind of effort.
        package var testType: TestType?
        /// The raw value of HKWorkoutActivityType.
        package var activityType: Int?
        /// The duration of the activity.
        package var duration: Quantity?

        /// Creates an effort.
        package init(
            testType: TestType? = nil, activityType: Int? = nil, duration: Quantity? = nil
        ) {
            self.testType = testType
            self.activityType = activityType
            self.duration = duration
        }
    }

    /// The longest time between two readings that is accepted, in seconds.
    package static let gapLimitSeconds = 10.0
    /// The time after the effort that readings must cover, in seconds.
    package static let secondsNeededAfter = 65.0
    private static let effortSeconds: Int64 = 20

    /// The fall of the heart rate, in count/min; more than 0.
    package let quantity: Quantity
    /// The peak at the end of the effort.
    package let peak: Quantity
    /// The average rate around one minute later.
    package let afterOneMinute: Quantity
    /// The metadata of a `heartRateRecoveryOneMinute` sample.
    package let metadata: Metadata

    /// Calculates the recovery.
    /// - Parameters:
    ///   - effortEnd: The end of the effort; nil when it is unknown, which is an error.
    ///   - samples: Heart rates, among others; from 30 s before the end of the effort to 75 s after it.
    ///   - effort: The facts about the effort.
    /// - Throws: ``HeartRateRecoveryError``, when the result would not be reliable.
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

    /// Checks that readings cover the whole window.
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

/// The reason why no heart rate recovery was calculated.
package enum HeartRateRecoveryError: Error, Equatable, CustomStringConvertible {
    /// The end of the effort is unknown.
    case noEffortEnd
    /// The readings have a gap of more than ten seconds.
    case gap
    /// The readings end too early after the effort.
    case tooShort
    /// A reading is not plausible: the sensor had lost skin contact.
    case dropout
    /// The heart rate did not fall.
    case noFall
    /// The facts about the effort are not valid as metadata.
    case effort

    /// The message, without the values.
    package var description: String {
        switch self {
        case .noEffortEnd:
            "heart rate recovery needs the end of the effort; specify it"
        case .gap:
            "cannot calculate heart rate recovery: no heart rate for more than 10 s; check the strap"
        case .tooShort:
            "cannot calculate heart rate recovery: readings end less than 65 s after the effort; "
                + "record for at least 75 s"
        case .dropout:
            "cannot calculate heart rate recovery: heart rate out of range; check the strap"
        case .noFall:
            "cannot calculate heart rate recovery: the heart rate did not fall; check the effort end"
        case .effort: "the duration of the effort is not a time; use a unit such as s or min"
        }
    }
}

extension [CurvePiece] {
    /// The highest value; below any heart rate when there is none.
    fileprivate var highest: Double { map { Swift.max($0.first, $0.last) }.max() ?? 0 }
}

extension QuantitySample {
    /// Whether the sample lies in the window or next to it.
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
