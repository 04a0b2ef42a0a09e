package import HealthModel

/// What a workout or a part of it came to, so far or in the end.
///
/// What was measured while the workout was paused is not in it.
package struct WorkoutMeasures: Hashable, Sendable {
    /// An average over time with the lowest and the highest value.
    package struct Spread: Hashable, Sendable {
        package var average: Double
        package var minimum: Double
        package var maximum: Double

        package init(average: Double, minimum: Double, maximum: Double) {
            self.average = average
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// How long it was by the clock on the wall.
    package var elapsedSeconds = 0.0
    /// How long it was without its pauses.
    package var activeSeconds = 0.0
    /// In count/min; nil when no heart rate was measured.
    package var heartRate: Spread?
    /// How long the heart rate was in each zone, zone 0 first; empty when zones are not known.
    package var zoneSeconds: [Double] = []
    /// The energy; nil when nothing says how much.
    package var energyKilocalories: Double?
    /// How the energy was found; several where a sensor failed meanwhile.
    package var energyMethods: Set<EnergyMethod> = []
    /// In metres.
    package var distanceMeters: Double?
    /// How many steps.
    package var stepCount: Double?
    /// In count/min: steps or revolutions.
    package var cadence: Spread?
    /// In m/s.
    package var speed: Spread?
    /// The variability of the heart, artefacts removed.
    package var rmssdMilliseconds: Double?

    package init() {}
}

/// How the energy of a part of a workout was found, the best first.
package enum EnergyMethod: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A device counted it.
    case counter
    /// By the heart rate and what is known of the person, see ``HeartRateEnergy``; less what the body
    /// needs at rest.
    case heartRate
    /// By the heart rate and what is known of the person; what the body needs at rest is in it, because
    /// the height is not known.
    case heartRateWithRest
    /// By the rate that the activity has.
    case ratePerHour

    package static func < (left: EnergyMethod, right: EnergyMethod) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }

    /// What is told beside a number of kilocalories.
    package var words: String {
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
    /// From one lap to the next; the last one ends with the workout.
    package let span: Range<Instant>
    /// What it came to.
    package let measures: WorkoutMeasures

    package init(span: Range<Instant>, measures: WorkoutMeasures) {
        self.span = span
        self.measures = measures
    }
}
