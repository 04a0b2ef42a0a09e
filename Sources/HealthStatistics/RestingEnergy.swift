public import HealthModel

/// The resting energy of a person, estimated from sex, age, body mass and height.
///
/// The equation is that of Mifflin, St Jeor and others, "A new predictive equation for resting energy
/// expenditure in healthy individuals", Am J Clin Nutr 1990;51:241–247:
///
///     kcal each day = 10 · mass in kg + 6.25 · height in cm − 5 · age in years + 5 (male) or − 161 (female)
///
/// It is based on 498 healthy people of 19 to 78 years, and predicts most of them within 10 %. It
/// estimates a day at rest, without movement.
public enum RestingEnergy {
    private static let equation = "resting energy (Mifflin-St Jeor)"

    /// Returns the energy of one day, in `kcal/d`.
    ///
    /// Multiply it by a duration for the energy of that time.
    /// - Parameters:
    ///   - person: The person, with birth date and sex.
    ///   - bodyMass: The body mass on that day.
    ///   - height: The height.
    ///   - day: The day on which the age is calculated.
    /// - Throws: when a fact is missing or not plausible, or the equation does not cover the sex.
    /// There
    ///   are no defaults.
    public static func perDay(
        of person: Person, bodyMass: Quantity?, height: Quantity?, on day: CalendarDate
    ) throws(PersonalFactError) -> Quantity {
        let isFemale = try person.isFemale(equation: equation)
        let age = try person.age(on: day, equation: equation)
        let mass = try PersonalFact.bodyMass.value(of: bodyMass, .bodyMass, equation: equation)
        let meters = try PersonalFact.height.value(of: height, .height, equation: equation)
        let energy = 10 * mass + 625 * meters - 5 * age + (isFemale ? -161 : 5)
        guard energy > 0, let quantity = try? Quantity(energy, .kilocaloriePerDay) else {
            throw .noResult(equation: equation)
        }
        return quantity
    }
}
