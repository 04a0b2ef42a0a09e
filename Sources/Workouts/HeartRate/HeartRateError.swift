import HealthModel

/// Something cannot be reckoned from heart rates.
package enum HeartRateError: Error, Equatable, CustomStringConvertible {
    /// A sample is no heart rate that a heart has.
    case implausibleRate
    /// The boundaries of zones are not what they have to be.
    case boundaries
    /// A maximum heart rate is none that a heart has.
    case maximum
    /// A resting heart rate is none that a heart has, or not below the maximum.
    case resting
    /// No resting heart rate is known, of which the reserve is reckoned.
    case restingUnknown
    /// What comes out is too large for a number.
    case tooLarge

    /// The message, without the values.
    package var description: String {
        switch self {
        case .implausibleRate:
            "a heart rate is not plausible; leave out samples that are not 20 to 300 count/min"
        case .boundaries:
            "the boundaries of heart rate zones are not valid; give 1 to "
                + "\(ZoneSettings.maximumBoundaryCount) parts from 0 to "
                + "\(ZoneSettings.maximumPart), each larger than the one before"
        case .maximum:
            "the maximum heart rate is not plausible; give it in count/min, as 188"
        case .resting:
            "the resting heart rate is not plausible; give it in count/min, below the maximum"
        case .restingUnknown:
            "the reserve needs a resting heart rate; `pulsegate add restingHeartRate 60 count/min` "
                + "adds one"
        case .tooLarge: "the result is not a finite number; check the samples"
        }
    }
}
