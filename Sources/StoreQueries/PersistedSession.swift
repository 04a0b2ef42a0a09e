package import HealthModel

/// A workout session in progress, stored so that it can be restored after a crash.
package struct PersistedSession: Hashable, Sendable {
    /// The id of the workout.
    package let id: RecordID
    /// The name of the person, who has at most one session.
    package let person: String
    /// The state of the session, opaque to the store.
    package let text: String
    /// The last time at which the session was known to be running.
    package let seen: Instant

    package init(id: RecordID, person: String, text: String, seen: Instant) {
        self.id = id
        self.person = person
        self.text = text
        self.seen = seen
    }
}
