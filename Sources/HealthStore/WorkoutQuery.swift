package import HealthModel

/// Which workouts to read; the newest come first.
package struct WorkoutQuery: Hashable, Sendable {
    /// Only those with this text, in any case, in the name of the activity, in the person's name or in a text
    /// of their metadata.
    package var text: String?
    /// Only of this activity.
    package var activity: WorkoutActivity?
    /// Only of the person of this name.
    package var person: String?
    /// Only workouts of this time or later: those that end after it, or start at it.
    package var from: Instant?
    /// Only workouts that start before this time.
    package var to: Instant?
    /// At most so many workouts.
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

/// Looks for a text in a workout.
struct WorkoutSearch {
    private let wanted: String

    init(_ text: String) {
        wanted = text.lowercased()
    }

    func finds(activity: WorkoutActivity, person: String?, metadata: Metadata) -> Bool {
        isIn(activity.name) || person.map(isIn) ?? false
            || metadata.contains { entry in
                if case .string(let text) = entry.value { isIn(text) } else { false }
            }
    }

    private func isIn(_ text: String) -> Bool { text.lowercased().contains(wanted) }
}
