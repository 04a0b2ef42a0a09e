package import HealthModel
package import HealthStatistics

/// The highest rate that a person's heart reaches.
package enum MaximumHeartRate {
    private static let equation = "the maximum heart rate by age (Tanaka)"

    /// Returns the person's own, or else that of the age.
    ///
    /// By age it is 208 − 0.7 · age (Tanaka, Monahan, Seals, "Age-predicted maximal heart rate
    /// revisited", J Am Coll Cardiol 2001;37:153–156), found in healthy people of 18 to 81 years. One
    /// person's can lie 10 count/min and more from it, so a measured one is better.
    /// - Throws: when neither it nor the birth date is known; nothing is assumed.
    package static func of(
        _ person: Person, on day: CalendarDate
    ) throws(PersonalFactError) -> Quantity {
        if let own = person.maximumHeartRate { return own }
        let age = try person.age(on: day, equation: equation)
        guard let rate = try? Quantity(208 - 0.7 * age, .countPerMinute) else {
            throw .noResult(equation: equation)
        }
        return rate
    }
}
