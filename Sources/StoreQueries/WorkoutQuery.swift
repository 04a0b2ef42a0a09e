package import HealthModel
import Platform

/// A query for workouts, newest first.
package struct WorkoutQuery: Hashable, Sendable {
    /// Only workouts with each of these words in one of their ``HealthModel/Workout/searchFields``.
    package var text: SearchWords?
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
        text: SearchWords? = nil, activity: WorkoutActivity? = nil, person: String? = nil,
        from: Instant? = nil, to: Instant? = nil, limit: Int? = nil
    ) {
        self.text = text
        self.activity = activity
        self.person = person
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// Whether a workout has the words of the query.
    package func matches(_ workout: Workout) -> Bool {
        text.map { $0.matches(in: workout.searchFields) != nil } ?? true
    }
}

extension Workout {
    /// The fields in which a search looks, in the order of their importance.
    package var searchFields: [SearchField] {
        let facts = [metadata] + events.map(\.metadata)
        return [
            SearchField("activity", activity.name),
            location == .unknown ? nil : SearchField("location", location.name),
            SearchField("person", person), SearchField("source", source?.name),
            SearchField("device", device?.name),
        ].compactMap { $0 } + (device?.searchFields.filter { $0.name != "name" } ?? [])
            + facts.flatMap(Self.texts) + [SearchField.id(id.description)].compactMap { $0 }
    }

    private static func texts(of metadata: Metadata) -> [SearchField] {
        metadata.compactMap { entry in
            guard case .string(let text) = entry.value else { return nil }
            return SearchField(entry.key, text)
        }
    }
}

extension Device {
    /// The fields in which a search looks, in the order of their importance.
    package var searchFields: [SearchField] {
        [
            SearchField("name", name), SearchField("manufacturer", manufacturer),
            SearchField("model", model), SearchField("identifier", localIdentifier),
            SearchField("serial", serial), SearchField("hardwareVersion", hardwareVersion),
            SearchField("firmwareVersion", firmwareVersion),
            SearchField("softwareVersion", softwareVersion),
        ].compactMap { $0 }
    }
}
