import HealthModel

/// The reason why a calculation from heart rates failed.
package enum HeartRateError: Error, Equatable, CustomStringConvertible {
    /// A heart rate sample is not plausible.
    case implausibleRate
    /// The boundaries of the zones are not valid.
    case boundaries
    /// The maximum heart rate is not plausible.
    case maximum
    /// The resting heart rate is not plausible, or not below the maximum.
    case resting
    /// The heart rate reserve needs a resting heart rate.
    case restingUnknown
    /// The result is not a finite number.
    case tooLarge

    /// The message, without the values.
    package var description: String {
        switch self {
        case .implausibleRate:
            "heart rate out of range; remove samples outside 20 to 300 count/min"
        case .boundaries:
            "invalid heart rate zone boundaries; set \(ZoneSettings.minimumBoundaryCount) to "
                + "\(ZoneSettings.maximumBoundaryCount) ascending fractions from 0 to "
                + "\(ZoneSettings.maximumPart)"
        case .maximum:
            "maximum heart rate out of range; set it in count/min, for example 188"
        case .resting:
            "resting heart rate out of range; set it in count/min, below the maximum"
        case .restingUnknown:
            "the heart rate reserve needs a resting heart rate; add one: "
                + "`pulsegate add restingHeartRate 60 count/min`"
        case .tooLarge: "the result is not a finite number; check the samples"
        }
    }
}
