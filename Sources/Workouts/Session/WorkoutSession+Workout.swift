package import HealthModel

extension WorkoutSession {
    /// The workout, when the effort is over.
    /// - Throws: ``WorkoutSessionError`` while it goes on or when it was never started, and `WorkoutError`
    ///   for totals that are not valid.
    package func workout(
        totals: [WorkoutTotal] = [], device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws -> Workout {
        guard let startedAt, let endedAt else {
            throw WorkoutSessionError.notAllowed(.keep, state == .ended ? .notStarted : state)
        }
        return try Workout(
            id: id, activity: activity, location: location, start: startedAt, end: endedAt,
            events: events, totals: totals, person: person, device: device, source: source,
            metadata: metadata)
    }
}
