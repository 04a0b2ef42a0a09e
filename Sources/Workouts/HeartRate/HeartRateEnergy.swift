package import HealthModel
package import HealthStatistics

/// The energy of exercise, estimated from the heart rate.
///
/// The equation is that of Keytel and others, "Prediction of energy expenditure from heart rate
/// monitoring during submaximal exercise", J Sports Sci 2005;23:289–297, without the oxygen uptake:
///
///     kJ each minute = −55.0969 + 0.6309 · rate + 0.1988 · mass in kg + 0.2017 · age   (male)
///     kJ each minute = −20.4022 + 0.4472 · rate − 0.1263 · mass in kg + 0.0740 · age   (female)
///
/// The study had 115 participants of 18 to 45 years and 47 to 120 kg, in steady exercise from 57 to
/// 90 % of their maximum heart rate, about 90 to 150 count/min; the equation explains 73 % of the
/// variance in energy. Other ages and masses are extrapolated. It is not valid at rest, so it is
/// not used below 90 count/min. The result is the total energy, resting energy included.
package struct HeartRateEnergy: Sendable, Hashable {
    /// The lowest heart rate for which the equation is used, in count/min.
    package static let lowestRate = 90.0

    private static let equation = "energy by heart rate (Keytel)"
    static let kilojoulesPerKilocalorie = 4.184

    /// Kilojoules each minute: offset + slope · rate.
    private var offset: Double
    private let slope: Double

    /// An energy and the time that it covers.
    package struct Estimate: Sendable, Hashable {
        /// The energy, in kcal; never negative.
        package let energy: Quantity
        /// How long the heart rate was high enough for the equation.
        package let seconds: Double
        /// How long the heart rate was too low; this time adds no energy.
        package let secondsBelow: Double
    }

    /// Creates the equation for a person.
    /// - Parameters:
    ///   - person: The person, with birth date and sex.
    ///   - bodyMass: The body mass on that day.
    ///   - day: The day for which the age is calculated.
    /// - Throws: when a fact is missing or not plausible, or the equation does not cover the sex.
    ///   No value is assumed.
    package init(
        _ person: Person, bodyMass: Quantity?, on day: CalendarDate
    ) throws(PersonalFactError) {
        let isFemale = try person.isFemale(equation: Self.equation)
        let age = try person.age(on: day, equation: Self.equation)
        let mass = try PersonalFact.bodyMass.value(
            of: bodyMass, .bodyMass, equation: Self.equation)
        slope = isFemale ? 0.4472 : 0.6309
        offset =
            isFemale
            ? -20.4022 - 0.1263 * mass + 0.0740 * age : -55.0969 + 0.1988 * mass + 0.2017 * age
    }

    /// The same equation without the resting energy.
    ///
    /// Where the resting energy is larger, the result is 0.
    package func withoutRestingEnergy(kilocaloriesPerHour: Double) -> HeartRateEnergy {
        var less = self
        less.offset -= kilocaloriesPerHour * Self.kilojoulesPerKilocalorie / 60
        return less
    }

    /// The power at a heart rate, in kJ/min; 0 where the equation is not used or gives less than 0.
    package func kilojoulesPerMinute(at countPerMinute: Double) -> Double {
        countPerMinute >= Self.lowestRate ? max(0, offset + slope * countPerMinute) : 0
    }

    /// Returns the energy of a span of time.
    ///
    /// Time is weighted as for an average over time, see
    /// ``HeartRateZones/seconds(of:in:gapLimitSeconds:)``.
    /// - Throws: when a heart rate is not plausible.
    package func energy(
        of samples: [QuantitySample], in span: Range<Instant>, gapLimitSeconds: Double = 60
    ) throws(HeartRateError) -> Estimate {
        let curve = try HeartRateCurve(of: samples, in: span, gapLimitSeconds: gapLimitSeconds)
        var (kilojoules, seconds, secondsBelow) = (0.0, 0.0, 0.0)
        for piece in curve.pieces {
            let used = piece.seconds * piece.part(above: Self.lowestRate)
            seconds += used
            secondsBelow += piece.seconds - used
            kilojoules += self.kilojoules(of: piece)
        }
        guard
            let energy = try? Quantity(
                kilojoules / Self.kilojoulesPerKilocalorie, .kilocalorie)
        else { throw .tooLarge }
        return Estimate(energy: energy, seconds: seconds, secondsBelow: secondsBelow)
    }

    /// The energy of a piece of the curve.
    ///
    /// The power is linear above the rate at which it is both used and positive.
    func kilojoules(of piece: CurvePiece) -> Double {
        let lowest = max(Self.lowestRate, -offset / slope)
        let (low, high) = (min(piece.first, piece.last), max(piece.first, piece.last))
        guard high >= lowest else { return 0 }
        let from = max(low, lowest)
        let power = (kilojoulesPerMinute(at: from) + kilojoulesPerMinute(at: high)) / 2
        return power * piece.seconds * piece.part(above: lowest) / 60
    }
}

extension CurvePiece {
    /// The fraction of the time in which the value is not below a limit, 0 to 1.
    func part(above limit: Double) -> Double {
        let (low, high) = (min(first, last), max(first, last))
        if low >= limit { return 1 }
        return high > limit ? (high - limit) / (high - low) : 0
    }
}
