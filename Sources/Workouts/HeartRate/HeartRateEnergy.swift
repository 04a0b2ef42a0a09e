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
/// It was made with 115 people of 18 to 45 years and 47 to 120 kg, in steady exercise from 57 to 90 %
/// of their maximum heart rate, about 90 to 150 count/min; it explains 73 % of the differences in
/// energy. Other ages and masses are extrapolated. It says nothing of a body at rest, so below
/// 90 count/min it is not used. What it gives is all that the body spends, what it needs at rest
/// included.
package struct HeartRateEnergy: Sendable, Hashable {
    /// Below it the equation is not used, in count/min.
    package static let lowestRate = 90.0

    private static let equation = "energy by heart rate (Keytel)"
    static let kilojoulesEachKilocalorie = 4.184

    /// Kilojoules each minute: offset + slope · rate.
    private var offset: Double
    private let slope: Double

    /// Energy, and the time it is of.
    package struct Estimate: Sendable, Hashable {
        /// The energy, in kcal; never negative.
        package let energy: Quantity
        /// How long the heart rate was high enough for the equation.
        package let seconds: Double
        /// How long it was too low; this time has no part in the energy.
        package let secondsBelow: Double
    }

    /// Makes the equation of a person.
    /// - Parameters:
    ///   - person: Gives the birth date and the sex.
    ///   - bodyMass: The mass of the body on that day.
    ///   - day: The day, which the age is of.
    /// - Throws: when something is missing or not plausible, and for a sex that the equation does not
    ///   know. Nothing is assumed.
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

    /// The same equation, less what the body needs at rest.
    ///
    /// Where that is more than the equation gives, nothing is left.
    package func lessRest(kilocaloriesPerHour: Double) -> HeartRateEnergy {
        var less = self
        less.offset -= kilocaloriesPerHour * Self.kilojoulesEachKilocalorie / 60
        return less
    }

    /// The power at a heart rate, in kJ/min; 0 where the equation is not used or gives less than 0.
    package func kilojoulesPerMinute(at countPerMinute: Double) -> Double {
        countPerMinute >= Self.lowestRate ? max(0, offset + slope * countPerMinute) : 0
    }

    /// Returns the energy of a span of time.
    ///
    /// Time is weighed as for an average over time, see ``HeartRateZones/seconds(of:in:gapLimitSeconds:)``.
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
                kilojoules / Self.kilojoulesEachKilocalorie, .kilocalorie)
        else { throw .tooLarge }
        return Estimate(energy: energy, seconds: seconds, secondsBelow: secondsBelow)
    }

    /// Above the rate from which on it is used and positive the power is a straight line.
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
    /// The part of the time in which the value is not below a limit, 0 to 1.
    func part(above limit: Double) -> Double {
        let (low, high) = (min(first, last), max(first, last))
        if low >= limit { return 1 }
        return high > limit ? (high - limit) / (high - low) : 0
    }
}
