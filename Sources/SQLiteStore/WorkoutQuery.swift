package import HealthModel

/// A query for workouts, newest first.
package struct WorkoutQuery: Hashable, Sendable {
    /// Only workouts with this text, ignoring case, in the activity's name, the person's name or
    /// the metadata.
    package var text: String?
    /// Only workouts of this activity.
    package var activity: WorkoutActivity?
    /// Only workouts of the person with this name.
    package var person: String?
    /// Only workouts that end after this time, or start at it.
    package var from: Instant?
    /// Only workouts that start before this time.
    package var to: Instant?
    /// The maximum number of workouts.
    package var limit: Int?

    package init(
        text: String? = nil, activity: WorkoutActivity? = nil, person: String? = nil,
        from: Instant? = nil, to: Instant? = nil, limit: Int? = nil
    ) {
        self.text = text
        self.activity = activity
        self.person = person
        self.from = from
        self.to = to
        self.limit = limit
    }
}

/// Searches for a text in a workout.
struct WorkoutSearch {
    private let wanted: String

    init(_ text: String) {
        wanted = text.lowercased()
    }

    func matches(activity: WorkoutActivity, person: String?, metadata: Metadata) -> Bool {
        contains(activity.name) || person.map(contains) ?? false
            || metadata.contains { entry in
                if case .string(let text) = entry.value { contains(text) } else { false }
            }
    }

    private func contains(_ text: String) -> Bool { text.lowercased().contains(wanted) }
}
