import HealthModel
import WorkoutScreens
import Workouts

/// The heart rate zones of a person, as far as they can be reckoned.
struct ZoneText {
    let person: Person
    let today: CalendarDate
    /// The newest resting heart rate; nil when none is known.
    let resting: Quantity?

    /// Where the zones begin, or why nobody can say.
    func zones() throws -> HeartRateZones {
        try HeartRateZones(
            person.zones ?? .standard, maximum: MaximumHeartRate.of(person, on: today),
            resting: resting)
    }

    /// `zones by the maximum heart rate: 1 from 94, 2 from 113, … count/min`.
    var line: String {
        let settings = person.zones ?? .standard
        let basis = settings.basis == .maximum ? "maximum heart rate" : "heart rate reserve"
        do {
            let bounds = try zones().lowerBounds.enumerated().map { index, bound in
                "\(index + 1) from \(HumanQuantity.rounded(bound.rounded()))"
            }
            return "zones by the \(basis): \(bounds.joined(separator: ", ")) count/min\n"
        } catch {
            return "zones by the \(basis): not known: \(error)\n"
        }
    }
}
