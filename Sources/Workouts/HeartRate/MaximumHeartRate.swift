package import HealthModel
package import HealthStatistics

/// The maximum heart rate of a person.
package enum MaximumHeartRate {
    private static let equation = "the maximum heart rate by age (Tanaka)"

    /// Returns the measured maximum of the person, or else the one by age.
    ///
    /// By age it is 208 − 0.7 · age (Tanaka, Monahan, Seals, "Age-predicted maximal heart rate
    /// revisited", J Am Coll Cardiol 2001;37:153–156), from healthy people of 18 to 81 years.
    /// Individuals differ by 10 count/min and more, so a measured value is better.
    /// - Throws: when both are unknown; no value is assumed.
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
