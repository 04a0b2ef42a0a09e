package import HealthModel

/// The statistics of a workout or of a part of it.
///
/// Samples during pauses are not included.
package struct WorkoutMeasures: Hashable, Sendable {
    /// A time-weighted average with the minimum and maximum.
    package struct Spread: Hashable, Sendable {
        /// The time-weighted average.
        package var average: Double
        /// The minimum.
        package var minimum: Double
        /// The maximum.
        package var maximum: Double

        /// Creates a value from its parts.
        package init(average: Double, minimum: Double, maximum: Double) {
            self.average = average
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// The elapsed time, pauses included.
    package var elapsedSeconds = 0.0
    /// The active time, without pauses.
    package var activeSeconds = 0.0
    /// The heart rate in count/min; nil when it was not measured.
    package var heartRate: Spread?
    /// The time in each heart rate zone, zone 0 first; empty when the zones are unknown.
    package var zoneSeconds: [Double] = []
    /// The active energy; nil when it is unknown.
    package var energyKilocalories: Double?
    /// The energy methods; several when a sensor failed during the workout.
    package var energyMethods: Set<EnergyMethod> = []
    /// The distance, in metres.
    package var distanceMeters: Double?
    /// The number of steps.
    package var stepCount: Double?
    /// The cadence in count/min: steps or revolutions.
    package var cadence: Spread?
    /// The speed, in m/s.
    package var speed: Spread?
    /// The power, in W.
    package var power: Spread?
    /// The mechanical work, in kJ: the power over time, without the times when it was not measured.
    package var workKilojoules: Double?
    /// RMSSD, artefacts removed.
    package var rmssdMilliseconds: Double?

    /// Creates statistics without values.
    package init() {}
}

/// The method that determined the energy of a part of a workout, best first.
package enum EnergyMethod: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A device counted it.
    case counter
    /// Calculated from the heart rate and facts about the person, without resting energy, see
    /// ``HeartRateEnergy``.
    case heartRate
    /// Calculated from the heart rate and facts about the person; resting energy is included,
    /// because the height is unknown.
    case heartRateWithRest
    /// Calculated from the energy per hour of the activity.
    case ratePerHour

    /// Whether a method is better than another one.
    package static func < (left: EnergyMethod, right: EnergyMethod) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }

    /// The text beside a number of kilocalories.
    package var displayText: String {
        switch self {
        case .counter: "counted by a device"
        case .heartRate: "by heart rate (Keytel 2005, without rest)"
        case .heartRateWithRest: "by heart rate (Keytel 2005, rest included)"
        case .ratePerHour: "by the activity's rate per hour"
        }
    }
}

/// A lap of a workout.
package struct WorkoutLap: Hashable, Sendable {
    /// The time from one lap mark to the next; the last lap ends with the workout.
    package let span: Range<Instant>
    /// The statistics of the lap.
    package let measures: WorkoutMeasures

    /// Creates a value from its parts.
    package init(span: Range<Instant>, measures: WorkoutMeasures) {
        self.span = span
        self.measures = measures
    }
}
