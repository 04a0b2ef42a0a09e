public import HealthModel

extension RecordPredicate {
    /// The ids of the workouts whose samples are asked for.
    public var workoutIDs: Set<RecordID> {
        switch self {
        case .workout(let id): [id]
        case .and(let parts), .or(let parts):
            parts.reduce(into: []) { $0.formUnion($1.workoutIDs) }
        case .not(let part): part.workoutIDs
        default: []
        }
    }
}
