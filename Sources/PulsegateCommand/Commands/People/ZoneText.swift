import HealthModel
import WorkoutScreens
import Workouts

/// The heart rate zones of a person, in words.
struct ZoneText {
    let person: Person
    let today: CalendarDate
    /// The newest resting heart rate; nil when it is not known.
    let resting: Quantity?

    /// The zones; throws when a fact that they require is missing.
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
            return "zones by the \(basis): unknown; \(error)\n"
        }
    }
}
