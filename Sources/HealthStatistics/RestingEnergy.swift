public import HealthModel

/// The energy that a body needs at rest, estimated from what is known about the person.
///
/// The equation is that of Mifflin, St Jeor and others, "A new predictive equation for resting energy
/// expenditure in healthy individuals", Am J Clin Nutr 1990;51:241–247:
///
///     kcal each day = 10 · mass in kg + 6.25 · height in cm − 5 · age in years + 5 (male) or − 161 (female)
///
/// It was made with 498 healthy people of 19 to 78 years, and predicts most of them within 10 %. It is
/// an estimate of a day at rest; movement comes on top.
public enum RestingEnergy {
    private static let equation = "resting energy (Mifflin-St Jeor)"

    /// Returns the energy of one day, in `kcal/d`.
    ///
    /// Multiplied by a time it is the energy of that time.
    /// - Parameters:
    ///   - person: Gives the birth date and the sex.
    ///   - bodyMass: The mass of the body on that day.
    ///   - height: The height of the body.
    ///   - day: The day, which the age is of.
    /// - Throws: when something is missing or not plausible, and for a sex that the equation does not
    ///   know. Nothing is assumed.
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
