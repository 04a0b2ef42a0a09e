package import HealthModel

/// Another version of a stored workout, which an import stores because its file has more of it.
package struct WorkoutCompletion: Hashable, Sendable {
    /// The id of the new version.
    package let id: RecordID
    /// The version before.
    package let before: Workout

    package init(id: RecordID, before: Workout) {
        self.id = id
        self.before = before
    }
}

extension [WorkoutCompletion] {
    /// The version before these completions, oldest first, of the version that is stored now; that version
    /// itself when it is not one of theirs.
    package func version(before stored: Workout) -> Workout {
        reversed().reduce(stored) { $1.id == $0.id ? $1.before : $0 }
    }
}
