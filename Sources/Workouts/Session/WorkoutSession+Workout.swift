package import HealthModel

extension WorkoutSession {
    /// Returns the workout of a stopped session.
    /// - Throws: ``WorkoutSessionError`` when the session is active or was never started, and
    ///   `WorkoutError` for invalid totals.
    package func workout(
        totals: [WorkoutTotal] = [], device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws -> Workout {
        guard let startedAt, let endedAt else {
            throw WorkoutSessionError.notAllowed(.save, state == .ended ? .notStarted : state)
        }
        return try Workout(
            id: id, activity: activity, location: location, start: startedAt, end: endedAt,
            events: events, totals: totals, person: person, device: device, source: source,
            metadata: metadata)
    }
}
