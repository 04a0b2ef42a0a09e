extension Workout {
    /// The identifier that all records of this workout share: the sync identifier, or the id of a
    /// record without one.
    public var identifier: String { metadata[.syncIdentifier] ?? id.description }

    /// The version of this record; of several with the same identifier the highest is the workout.
    public var version: Double { metadata[.syncVersion] ?? 0 }
}
