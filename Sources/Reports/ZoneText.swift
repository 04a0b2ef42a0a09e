package import HealthModel
import WorkoutScreens
package import Workouts

/// The heart rate zones of a person, in words.
package struct ZoneText {
    private let person: Person
    private let today: CalendarDate
    private let resting: Quantity?

    /// Creates the text.
    ///
    /// - Parameter resting: The newest resting heart rate; nil when it is not known.
    package init(person: Person, today: CalendarDate, resting: Quantity?) {
        self.person = person
        self.today = today
        self.resting = resting
    }

    /// The zones; throws when a fact that they require is missing.
    package func zones() throws -> HeartRateZones {
        try HeartRateZones(
            person.zones ?? .standard, maximum: MaximumHeartRate.of(person, on: today),
            resting: resting)
    }

    /// `zones by the maximum heart rate: 1 from 94, 2 from 113, … count/min`.
    package var line: String {
        let settings = person.zones ?? .standard
        let basis = settings.basis == .maximum ? "maximum heart rate" : "heart rate reserve"
        do {
            let bounds = try zones().lowerBounds.enumerated().map { index, bound in
                "\(index + 1) from \(HumanQuantity.rounded(bound.rounded()))"
            }
            return "zones by the \(basis): \(bounds.joined(separator: ", ")) count/min\n"
        } catch {
            return "zones by the \(basis): unknown; \(error)\n"
        }
    }
}
