extension Record {
    /// The source of the record; nil when it is unknown.
    package var source: SourceRevision? {
        switch self {
        case .sample(let sample): sample.source
        case .category(let sample): sample.source
        case .correlation(let correlation): correlation.source
        case .workout(let workout): workout.source
        case .event(let event): event.source
        case .deletion: nil
        }
    }
}

extension Correlation.Member {
    /// The sample as a record.
    package var record: Record {
        switch self {
        case .quantity(let sample): .sample(sample)
        case .category(let sample): .category(sample)
        }
    }
}
