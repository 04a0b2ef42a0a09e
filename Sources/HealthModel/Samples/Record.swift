/// A record of the gateway: a quantity sample, a category sample, a correlation, a workout, a device
/// event, or the deletion of one of these.
///
/// All cases but the samples and the deletions are indirect, because they are rare and larger: the
/// size of a record is that of its largest case.
public enum Record: Hashable, Sendable {
    /// A quantity sample.
    case sample(QuantitySample)
    /// A category sample.
    indirect case category(CategorySample)
    /// A correlation: a group of samples as one record.
    indirect case correlation(Correlation)
    /// A workout.
    indirect case workout(Workout)
    /// A change of a device's state.
    indirect case event(DeviceEvent)
    /// The deletion of a record.
    case deletion(DeletedRecord)

    /// The permanent id of the record; of a deletion that of the deleted record.
    public var id: RecordID {
        switch self {
        case .sample(let sample): sample.id
        case .category(let sample): sample.id
        case .correlation(let correlation): correlation.id
        case .workout(let workout): workout.id
        case .event(let event): event.id
        case .deletion(let deleted): deleted.id
        }
    }

    /// The type of the record; nil for a device event and for a deletion, of which only the name is known.
    public var type: RecordType? {
        switch self {
        case .sample(let sample): .quantity(sample.type)
        case .category(let sample): .category(sample.type)
        case .correlation(let correlation): .correlation(correlation.type)
        case .workout: .workout
        case .event, .deletion: nil
        }
    }

    /// The name of the type; nil for a device event.
    public var typeName: String? {
        if case .deletion(let deleted) = self { return deleted.typeName }
        return type?.name
    }

    /// The start and the end; equal for an event and for a deletion, which was at that time.
    public var span: (start: Instant, end: Instant) {
        switch self {
        case .sample(let sample): (sample.start, sample.end)
        case .category(let sample): (sample.start, sample.end)
        case .correlation(let correlation): (correlation.start, correlation.end)
        case .workout(let workout): (workout.start, workout.end)
        case .event(let event): (event.at, event.at)
        case .deletion(let deleted): (deleted.at, deleted.at)
        }
    }

    /// The name of the person; nil when it is unknown.
    public var person: String? {
        switch self {
        case .sample(let sample): sample.person
        case .category(let sample): sample.person
        case .correlation(let correlation): correlation.person
        case .workout(let workout): workout.person
        case .event(let event): event.person
        case .deletion: nil
        }
    }

    /// The device that recorded the data or changed its state; nil when it is unknown.
    public var device: Device? {
        switch self {
        case .sample(let sample): sample.device
        case .category(let sample): sample.device
        case .correlation(let correlation): correlation.device
        case .workout(let workout): workout.device
        case .event(let event): event.device
        case .deletion: nil
        }
    }
}
